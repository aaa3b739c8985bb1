import type { Delivery } from "../../database/alertDeliveries.ts";
import type { AttemptRecord } from "../../database/deliveryAttempts.ts";
import type { AttemptReport, SkipReason } from "../../domain/delivery/attemptReport.ts";
import { nextAttemptSeconds, type RetryPlan } from "../../domain/delivery/attempts.ts";

/** What is tried. */
export type DueDelivery = Pick<
  Delivery,
  "deliveryId" | "monitorId" | "channel" | "purpose" | "eventId" | "attempts" | "takenBy" | "createdAt"
>;

/** What came of trying: an answer or its absence, or why nothing was sent. */
export type Tried = { report: AttemptReport; takenBy?: readonly string[] } | { skipped: SkipReason };

/** Characters of an answer that the attempts log keeps. */
const excerptCharacters = 1000;

interface Made extends Pick<AttemptRecord, "alertId" | "trackerId" | "judges" | "at"> {
  delivery: DueDelivery;
  tried: Tried;
  endedAt: Date;
  latencyMilliseconds: number;
  /** From 0 to 1. */
  random: number;
}

/** What the log keeps of an attempt, and where its delivery stands after it. */
export function attemptRecord(plan: RetryPlan, made: Made): AttemptRecord {
  const { delivery, alertId, trackerId, judges, at, tried, latencyMilliseconds } = made;
  const { deliveryId, monitorId, channel, purpose } = delivery;
  const number = delivery.attempts + 1;
  const common = { deliveryId, alertId, trackerId, monitorId, channel, purpose, number, judges, at };
  if ("skipped" in tried)
    return {
      ...common,
      ...nothingAnswered,
      outcome: "skipped",
      errorKind: tried.skipped,
      status: "skipped",
      reason: tried.skipped,
      takenBy: delivery.takenBy,
    };
  const { report, takenBy = delivery.takenBy } = tried;
  return {
    ...common,
    outcome: report.outcome.kind === "succeeded" ? "succeeded" : "failed",
    latencyMilliseconds,
    responseStatus: report.responseStatus,
    responseExcerpt: report.responseExcerpt === null ? null : excerptOf(report.responseExcerpt),
    errorKind: report.error,
    takenBy,
    ...standing(plan, made, report, number),
  };
}

const nothingAnswered = {
  latencyMilliseconds: null,
  responseStatus: null,
  responseExcerpt: null,
  nextAttemptAt: null,
} as const;

function standing(
  plan: RetryPlan,
  { delivery, endedAt, random }: Made,
  report: AttemptReport,
  number: number,
): Pick<AttemptRecord, "status" | "reason" | "nextAttemptAt"> {
  const over = { nextAttemptAt: null };
  switch (report.outcome.kind) {
    case "succeeded":
      return { ...over, status: "succeeded", reason: null };
    case "refused":
      return { ...over, status: "failed", reason: report.responseStatus === 410 ? "gone" : "refused" };
    case "failed": {
      // A test is over with its one attempt.
      const { retryAfterSeconds } = report.outcome;
      const seconds =
        delivery.purpose === "test" ? null : nextAttemptSeconds(plan, { attempts: number, retryAfterSeconds }, random);
      return seconds === null
        ? { ...over, status: "failed", reason: "attempts_exhausted" }
        : { status: "pending", reason: null, nextAttemptAt: new Date(endedAt.getTime() + seconds * 1000) };
    }
  }
}

/** Postgres takes neither NUL nor half a character. */
function excerptOf(text: string): string {
  return text.slice(0, excerptCharacters).replaceAll("\0", "\uFFFD").toWellFormed();
}
