import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type ImportKind, importKinds } from "../../domain/imports/rows.ts";
import { type ImportReport, listedRejects, type Reject } from "../../services/imports/importRows.ts";
import { type ImportFormat, importStream } from "../../services/imports/importStream.ts";
import type { Answer } from "../answer.ts";
import { CommandError, withContext } from "../context.ts";
import { importProgress } from "../importProgress.ts";
import { parseCount } from "../options.ts";
import { addImportCaptionsCommand } from "./importCaptions.ts";

interface ImportOptions {
  fromLine?: number;
  rejects?: string;
  format?: string;
  language?: string;
}

const descriptions: Record<ImportKind, string> = {
  entities:
    "{numeric_id?, name, type, slug?, aliases?, platform?, platform_id?, url?, image_url?, description?, owner?, known_advertiser?}; a line means the entity of its numeric_id, without one that of its platform_id, then of its slug, then of its name and type",
  videos:
    "{video_id, title, channel: {id, name}, published_at, duration_seconds, language?}; makes channels and their entities",
  mentions:
    "{video_id, entity, start_seconds, end_seconds, quote, is_appearance?, appearance_role?, in_ad?, sentiment_score?, confidence?}; confidence is 1 where left out",
  recommendations:
    "{video_id, entity, mention_class, start_seconds, end_seconds, verbatim_quote, promo_code?, offer?, confidence, speaker_role?}; whole seconds, both 0 for the full episode, both null where unknown",
  sponsors: "{channel_id, entity}: known advertisers of channels",
};

const manners = `
Lines that do not fit are reported with their number and the reason; all others are stored. \`imported\` counts lines that made something new,
\`updated\` those that changed what was there; a line that finds all as it says counts as neither. What a line leaves out, or gives as null,
stays as it is, and so does what an applied review settled: \`settled\` counts lines that say something of that, whole or in part. Stored in batches: after a stop or a kill, run the same command again. The report lists the first ${listedRejects} rejects.`;

export function addImportCommand(program: Command, answer: Answer): void {
  const group = program
    .command("import")
    .description("bring data of your own into the index, from a file of JSON lines or - for standard input");
  for (const kind of importKinds) {
    const command = group
      .command(kind)
      .description(descriptions[kind])
      .argument("<file>", "file to read, - for standard input")
      .option("--from-line <n>", "pass over the lines before this one", parseLine)
      .option("--rejects <file>", "write every rejected line's number and reason there, as JSON lines")
      .addHelpText("after", manners);
    addFormats(command, kind);
    command.action(
      answer((file: string, options: ImportOptions) =>
        withContext((context) =>
          importFile(file, options, (chunks, told) => importStream(context, formatOf(kind, options), chunks, told)),
        ),
      ),
    );
  }
  addImportCaptionsCommand(group, answer);
}

function addFormats(command: Command, kind: ImportKind): void {
  if (kind === "entities")
    command
      .addOption(
        new Option(
          "--format <format>",
          "jsonl, or a dump of Wikidata's items: {id, labels, …} or {id, label, aliases?, type?}",
        )
          .choices(["jsonl", "wikidata"])
          .default("jsonl"),
      )
      .option("--language <code>", "language of the labels that are read from a Wikidata dump", "en");
  if (kind === "sponsors")
    command.addOption(
      new Option(
        "--format <format>",
        "jsonl, or SponsorBlock's sponsorTimes.csv: it says where ads are but not whose, so mentions inside them get in_ad (`updated` counts these)",
      )
        .choices(["jsonl", "sponsorblock"])
        .default("jsonl"),
    );
}

function formatOf(kind: ImportKind, { format, language }: ImportOptions): ImportFormat {
  if (kind === "entities" && format === "wikidata") return { kind, format, language: language ?? "en" };
  if (kind === "sponsors" && format === "sponsorblock") return { kind, format };
  return { kind, format: "jsonl" };
}

type Importing = (
  chunks: AsyncIterable<Uint8Array>,
  told: { fromLine: number | undefined; onRejects: ((rejects: readonly Reject[]) => Promise<void>) | undefined },
) => Promise<ImportReport>;

async function importFile(file: string, options: ImportOptions, importing: Importing): Promise<ImportReport> {
  const { chunks, totalBytes } = await openInput(file);
  const rejects = options.rejects === undefined ? null : await openRejects(options.rejects);
  const progress = importProgress(totalBytes);
  try {
    const told = { fromLine: options.fromLine, onRejects: rejects?.write };
    const report = await importing(progress.watch(chunks), told);
    if (report.settled > 0)
      console.error(`${report.settled} left as reviewers settled them; after a revert the same import writes them.`);
    if (report.rejected > report.rejects.length && rejects === null)
      console.error(
        `The first ${report.rejects.length} of ${report.rejected} rejects are listed; --rejects FILE writes all of them.`,
      );
    return report;
  } finally {
    progress.stop();
    await rejects?.close();
  }
}

async function openInput(file: string): Promise<{ chunks: AsyncIterable<Uint8Array>; totalBytes: number | null }> {
  if (file === "-") return { chunks: process.stdin, totalBytes: null };
  const found = await stat(file).catch(() => null);
  if (found === null) throw new CommandError(`There is no file ${file}.`);
  if (found.isDirectory()) throw new CommandError(`${file} is a folder; name a file in it.`);
  return {
    chunks: createReadStream(file, { highWaterMark: 256 * 1024 }),
    totalBytes: found.isFile() ? found.size : null,
  };
}

async function openRejects(file: string) {
  const stream = createWriteStream(file);
  await once(stream, "open").catch((error: unknown) => {
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
  return {
    write: async (rejects: readonly Reject[]) => {
      if (!stream.write(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(""))) await once(stream, "drain");
    },
    close: async () => {
      stream.end();
      await once(stream, "close");
    },
  };
}

function parseLine(text: string): number {
  const line = parseCount(text);
  if (line === 0) throw new InvalidArgumentError("must be 1 or more: lines are counted from 1.");
  return line;
}
