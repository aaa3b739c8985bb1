import { type Command, InvalidArgumentError, Option } from "commander";
import { shapeImpact } from "../../api/internal/reviews/impactSchema.ts";
import { shapeQueued, shapeReview, shapeReviewed } from "../../api/internal/reviews/schema.ts";
import {
  maxNoteLength,
  openStatuses,
  type ReviewDecision,
  reviewDecisions,
  type ReviewStatus,
  reviewStatuses,
} from "../../domain/review/states.ts";
import { listReviews } from "../../services/feedback/listReviews.ts";
import { previewReview } from "../../services/feedback/preview.ts";
import { readReview } from "../../services/feedback/readReview.ts";
import { type ReviewAsk, takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";
import { withReviewCarrier } from "../reviewCarrier.ts";

interface StepOptions {
  corrections?: number[];
  note?: string;
}
interface DecideOptions extends StepOptions {
  decision: ReviewDecision;
  change?: Record<string, unknown>;
}
interface PreviewOptions extends Pick<DecideOptions, "corrections" | "change"> {
  action: "apply" | "revert";
}
type Asked = ReviewStatus | "open";
type Queued = ReturnType<typeof shapeQueued>;

const actor = "command line";
const pageSize = 100;

export function addReviewCommands(program: Command, answer: Answer): void {
  const reviews = program.command("reviews").description("decide on feedback, apply what is right, take it back");
  reviews
    .command("list")
    .description("list feedback, the oldest first")
    .addOption(
      new Option(
        "--status <status>",
        "only of this status; open: what waits for a decision, for information, or to be applied",
      ).choices(["open", ...reviewStatuses]),
    )
    .action(answer(({ status }: { status?: Asked }) => listAll(status ?? null), correctionsOf));
  reviews
    .command("show")
    .description(
      "show a feedback with what the index says now, what was said at which second, and what was done with it",
    )
    .argument("<id>", "number of the feedback", parseId)
    .action(
      answer((id: number) =>
        withContext(async (context) => shapeReview(await readReview(context, id), context.settings)),
      ),
    );
  step("preview", "show which rows, counts, alerts and reads a step would change, and change nothing")
    .addOption(new Option("--action <action>", "what would be done").choices(["apply", "revert"]).default("apply"))
    .option("--change <json>", "what they would be accepted with", parseChange)
    .action(answer(preview));

  noted("decide", "accept or reject corrections", "for the submitter", { isNoteRequired: false })
    .addOption(
      new Option("--decision <decision>", "what becomes of them").choices(reviewDecisions).makeOptionMandatory(),
    )
    .option("--change <json>", "what is right instead, for accepted_with_changes", parseChange)
    .action(
      answer((id: number, { corrections, decision, note, change }: DecideOptions) =>
        take(id, corrections, { action: "decide", decision, note: note ?? null, change: change ?? null }),
      ),
    );
  for (const [name, action, description] of [
    ["request-information", "request_information", "ask the submitter for more"],
    ["supply-information", "supply_information", "note what the submitter supplied"],
  ] as const)
    noted(name, description, "what is wanted, or what was supplied", { isNoteRequired: true }).action(
      answer((id: number, { corrections, note }: StepOptions) => take(id, corrections, { action, note: note ?? null })),
    );
  for (const [action, description] of [
    ["apply", "make accepted corrections live"],
    ["revert", "take applied corrections back"],
  ] as const)
    step(action, description).action(
      answer((id: number, { corrections }: StepOptions) => take(id, corrections, { action })),
    );

  function step(name: string, description: string): Command {
    return reviews
      .command(name)
      .description(description)
      .argument("<id>", "number of the feedback", parseId)
      .option(
        "--corrections <ids>",
        "which corrections, separated by commas; else all that can take the step",
        parseIds,
      );
  }

  /** With a note. One that is too long is not repeated in what is said of it. */
  function noted(
    name: string,
    description: string,
    of: string,
    { isNoteRequired }: { isNoteRequired: boolean },
  ): Command {
    const command = step(name, description);
    const note = new Option("--note <text>", `${of}, at most ${maxNoteLength} characters`).argParser((text) =>
      text.length <= maxNoteLength
        ? text
        : command.error(`error: the note has ${text.length} characters; shorten it to at most ${maxNoteLength}.`),
    );
    return command.addOption(note.makeOptionMandatory(isNoteRequired));
  }
}

function listAll(status: Asked | null): Promise<Queued[]> {
  return withContext(async (context) => {
    const statuses = status === null ? reviewStatuses : status === "open" ? openStatuses : [status];
    const filter = { statuses, type: null, accountId: null, keyId: null };
    const records: Queued[] = [];
    for (let after: number | null = null; ;) {
      const page = await listReviews(context, filter, { order: "oldest", limit: pageSize, after });
      records.push(...page.reviews.map(shapeQueued));
      after = page.reviews.at(-1)?.feedbackId ?? null;
      if (!page.hasMore) return records;
    }
  });
}

/** A line for each correction: a feedback with many would be wider than any screen. */
function correctionsOf(queue: readonly Queued[]): unknown[] {
  return queue.flatMap(({ feedback_id, type, created_at, account_id, corrections }) =>
    corrections.map(({ correction_id, issue_type, item_id, status }) => ({
      feedback_id,
      type,
      correction_id,
      issue_type,
      item_id,
      status,
      account_id,
      created_at,
    })),
  );
}

function preview(feedbackId: number, { corrections, action, change }: PreviewOptions): Promise<unknown> {
  const request = { feedbackId, correctionIds: corrections ?? null, action, change: change ?? null };
  return withContext(async (context) => shapeImpact(await previewReview(context, request)));
}

function take(feedbackId: number, corrections: number[] | undefined, ask: ReviewAsk): Promise<unknown> {
  const request = { feedbackId, correctionIds: corrections ?? null, ask, actor };
  return withReviewCarrier((carrier) =>
    withContext(async (context) => shapeReviewed(await takeReviewStep(context, carrier, request))),
  );
}

function parseId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be the number of a feedback.");
  return Number(text);
}

function parseIds(text: string): number[] {
  if (!/^\d{1,15}(,\d{1,15})*$/.test(text))
    throw new InvalidArgumentError("must be numbers of corrections, separated by commas.");
  return text.split(",").map(Number);
}

function parseChange(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("must be JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError("must be an object of JSON.");
  return { ...value };
}
