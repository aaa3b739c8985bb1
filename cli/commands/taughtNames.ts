import { type Command, InvalidArgumentError, Option } from "commander";
import { entityId } from "../../domain/entities.ts";
import { isVideoId } from "../../domain/videoId.ts";
import { type TaughtNameStatus, taughtNameStatuses } from "../../domain/teaching/states.ts";
import { acceptName, dismissName, undoName } from "../../services/teaching/decide.ts";
import { listOffers, type OfferedName, readOffer } from "../../services/teaching/read.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";

interface AcceptOptions {
  alias: boolean;
  videos?: string[];
}

const actor = "command line";
const pageSize = 100;

export function addTaughtNameCommands(program: Command, answer: Answer): void {
  const names = program.command("taught-names").description("accept or dismiss names that corrections taught");
  names
    .command("list")
    .description("list them, the oldest first")
    .addOption(new Option("--status <status>", "only of this status").choices(taughtNameStatuses))
    .action(answer(({ status }: { status?: TaughtNameStatus }) => listAll(status ?? null)));
  names
    .command("show")
    .description("show one with what taught it, and in how many videos its wrong words stand")
    .argument("<id>", "its number", parseId)
    .action(answer((id: number) => withContext((context) => show(context, id))));
  names
    .command("accept")
    .description(
      "make its wrong words an alias, and correct them wherever they stand; also for more once it is carried",
    )
    .argument("<id>", "its number", parseId)
    .option("--no-alias", "only correct")
    .option("--videos <ids>", "only these videos, separated by commas", parseVideos)
    .action(
      answer((id: number, { alias, videos }: AcceptOptions) =>
        withContext(async ({ pool }) => {
          const acceptance = { withAlias: alias, videoIds: videos ?? null };
          return recordOf(await pool.transaction((transaction) => acceptName(transaction, id, acceptance, actor)));
        }),
      ),
    );
  names
    .command("dismiss")
    .description("leave it")
    .argument("<id>", "its number", parseId)
    .action(
      answer((id: number) =>
        withContext(async ({ pool }) =>
          recordOf(await pool.transaction((transaction) => dismissName(transaction, id, actor))),
        ),
      ),
    );
  names
    .command("undo")
    .description("take the decision back, and all corrections that were made by it and that no later edit sits on")
    .argument("<id>", "its number", parseId)
    .action(
      answer((id: number) =>
        withContext(async ({ pool }) => {
          const { left, ...offer } = await pool.transaction((transaction) => undoName(transaction, id));
          const data = left.corrections.map(({ correctionId, videoId, segmentId }) => ({
            correction_id: correctionId,
            video_id: videoId,
            segment_id: segmentId,
          }));
          return { ...recordOf(offer), left: { data, complete: left.isWhole } };
        }),
      ),
    );
}

function listAll(status: TaughtNameStatus | null): Promise<unknown[]> {
  return withContext(async (context) => {
    const records: unknown[] = [];
    for (let after: number | null = null; ;) {
      const page = await listOffers(context, status === null ? taughtNameStatuses : [status], {
        limit: pageSize,
        after,
      });
      records.push(...page.names.map(recordOf));
      after = page.names.at(-1)?.name.id ?? null;
      if (!page.hasMore) return records;
    }
  });
}

async function show(context: Parameters<typeof readOffer>[0], id: number) {
  const { lessons, standing, ...offer } = await readOffer(context, id);
  return {
    ...recordOf(offer),
    lessons: lessons.map(({ correctionId, videoId, isWithdrawn }) => ({
      correction_id: correctionId,
      video_id: videoId,
      withdrawn: isWithdrawn,
    })),
    standing: { video_count: standing.videos.length, segment_count: standing.segments, complete: standing.isWhole },
  };
}

/** As `/internal/taught-names` has it. */
function recordOf({ name, risks, counts: { candidate, ...known } }: OfferedName) {
  return {
    id: name.id,
    status: name.status,
    entity: entityId(name.entity.numericId),
    name: name.entity.name,
    wrong_words: name.wrongWords,
    right_words: name.rightWords,
    lesson_count: name.lessonCount,
    common_words: risks.areCommonWords,
    namesakes: risks.namesakes.map(({ numericId }) => entityId(numericId)),
    progress: { unseen: candidate, ...known },
    decided_by: name.decidedBy,
    decided_at: name.decidedAt,
  };
}

function parseVideos(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  const wrong = ids.find((id) => !isVideoId(id));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" must be the 11-character id of a video; ids are separated by commas.`);
  return ids;
}

function parseId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be the number of a taught name.");
  return Number(text);
}
