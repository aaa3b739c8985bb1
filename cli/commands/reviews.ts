import { type Command, InvalidArgumentError, Option } from "commander";
import { ApiError } from "../../domain/errors.ts";
import { readJson } from "../../domain/json.ts";
import { type ReviewDecision, reviewDecisions, type ReviewStatus, reviewStatuses } from "../../domain/review/states.ts";
import { listReviews } from "../../services/feedback/listReviews.ts";
import { readReview } from "../../services/feedback/readReview.ts";
import { type ReviewAsk, takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";
import { withReviewCarrier } from "../reviewCarrier.ts";
import { feedbackRecord, queuedRecord, reviewRecord } from "../reviewRecords.ts";

interface StepOptions {
  corrections?: number[];
  note?: string;
}
interface DecideOptions extends StepOptions {
  decision: ReviewDecision;
  change?: Record<string, unknown>;
}

const actor = "command line";
const pageSize = 100;

export function addReviewCommands(program: Command, answer: Answer): void {
  const reviews = program.command("reviews").description("decide on feedback, apply what is right, take it back");
  reviews
    .command("list")
    .description("list feedback, the oldest first")
    .addOption(new Option("--status <status>", "only of this status").choices(reviewStatuses))
    .action(answer(({ status }: { status?: ReviewStatus }) => listAll(status ?? null)));
  reviews
    .command("show")
    .description("show a feedback with what the index says now, and what was done with it")
    .argument("<id>", "number of the feedback", parseId)
    .action(answer((id: number) => withContext(async (context) => reviewRecord(await readReview(context, id)))));

  step("decide", "accept or reject corrections")
    .addOption(
      new Option("--decision <decision>", "what becomes of them").choices(reviewDecisions).makeOptionMandatory(),
    )
    .option("--note <text>", "for the submitter")
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
    step(name, description)
      .requiredOption("--note <text>", "what is wanted, or what was supplied")
      .action(
        answer((id: number, { corrections, note }: StepOptions) =>
          take(id, corrections, { action, note: note ?? null }),
        ),
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
}

function listAll(status: ReviewStatus | null): Promise<unknown[]> {
  return withContext(async (context) => {
    const filter = { statuses: status === null ? reviewStatuses : [status], type: null, accountId: null, keyId: null };
    const records: unknown[] = [];
    for (let after: number | null = null; ;) {
      const page = await listReviews(context, filter, { order: "oldest", limit: pageSize, after });
      records.push(...page.reviews.map(queuedRecord));
      after = page.reviews.at(-1)?.feedbackId ?? null;
      if (!page.hasMore) return records;
    }
  });
}

function take(feedbackId: number, corrections: number[] | undefined, ask: ReviewAsk): Promise<unknown> {
  const request = { feedbackId, correctionIds: corrections ?? null, ask, actor };
  return withReviewCarrier((carrier) =>
    withContext(async (context) => feedbackRecord(await takeReviewStep(context, carrier, request))),
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
  const value = readChange(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError("must be an object of JSON.");
  return { ...value };
}

function readChange(text: string): unknown {
  try {
    return readJson(Buffer.from(text), "It");
  } catch (error) {
    throw error instanceof ApiError ? new InvalidArgumentError(error.message) : error;
  }
}
