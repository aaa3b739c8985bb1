import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { type CaptionFormat, captionFormats, readCues, type UnreadCue } from "../../adapters/captions/readCues.ts";
import { isVideoId } from "../../domain/videoId.ts";
import { importCaptions } from "../../services/captions/importCaptions.ts";
import type { Answer } from "../answer.ts";
import { CommandError, withContext } from "../context.ts";

interface Options {
  video?: string;
  format?: CaptionFormat;
  language?: string;
}

interface ImportReport {
  imported: number;
  updated: number;
  rejected: number;
  rejects: UnreadCue[];
}

/** `import captions FILE`, under the command `import`. */
export function addImportCaptionsCommand(importCommand: Command, answer: Answer): void {
  const captions = importCommand
    .command("captions")
    .description("keep the captions of a video, which must be known, and scan it for what is said there")
    .argument("<file>", "<videoId>.vtt or <videoId>.srt, or - for standard input")
    .option("--video <id>", "the video, where the file is not named by it")
    .addOption(new Option("--format <format>", "of the file, where its name does not tell").choices(captionFormats))
    .option("--language <tag>", "language of the captions (BCP 47); unset: the video's");
  captions.action(
    answer(async (file: string, options: Options): Promise<ImportReport> => {
      const name = path.parse(file === "-" ? "" : file);
      const videoId = options.video ?? name.name;
      if (!isVideoId(videoId))
        captions.error("error: name the video: a file called <videoId>.vtt or .srt, or --video ID", { exitCode: 2 });
      const content = await readInput(file);
      const format = options.format ?? formatOf(name.ext) ?? (/^\uFEFF?WEBVTT/.test(content) ? "vtt" : "srt");
      const { cues, unread } = readCues(content, format);
      const { language } = options;
      const result = await withContext((context) => importCaptions(context, { videoId, cues, language }));
      switch (result.outcome) {
        case "no video":
          throw new CommandError(`There is no video ${videoId}.`);
        case "no speech":
          return reportOf({}, [...unread, { line: 1, reason: "nobody speaks in this file" }]);
        case "imported":
        case "updated":
          return reportOf({ [result.outcome]: result.segments }, unread);
        case "unchanged":
          return reportOf({}, unread);
      }
    }),
  );
}

/** What is counted is what somebody says in one cue. */
function reportOf(counts: { imported?: number; updated?: number }, rejects: UnreadCue[]): ImportReport {
  return { imported: counts.imported ?? 0, updated: counts.updated ?? 0, rejected: rejects.length, rejects };
}

async function readInput(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code ?? "unknown"}).`);
  });
}

function formatOf(extension: string): CaptionFormat | undefined {
  return captionFormats.find((format) => `.${format}` === extension.toLowerCase());
}
