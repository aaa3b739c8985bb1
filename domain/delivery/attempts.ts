/** How one attempt on a channel ended. */
export type AttemptOutcome =
  | { kind: "succeeded" }
  /** Worth another attempt. `retryAfterSeconds`: what the receiver asked for. */
  | { kind: "failed"; retryAfterSeconds: number | null }
  /** No attempt can succeed any more: the receiver is gone for good, or refuses what it is sent. */
  | { kind: "refused" };

export interface RetryPlan {
  /** Pauses after the first attempt, the second and so on, in seconds; after the last there is no further attempt. */
  retryDelaysSeconds: readonly number[];
  /** Each pause is that much longer or shorter at random, so that receivers that come back are not met by all at once. */
  jitterShare: number;
}

/**
 * Seconds until the next attempt after `attempts` failed ones; null when there is none left. A longer `Retry-After` (RFC 9110, 10.2.3) is
 * honoured up to twice the pause. `random` is from 0 to 1. Source: decisions.md, "Attempts".
 */
export function nextAttemptSeconds(
  plan: RetryPlan,
  failed: { attempts: number; retryAfterSeconds: number | null },
  random: number,
): number | null {
  const pause = plan.retryDelaysSeconds[failed.attempts - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 + plan.jitterShare * (2 * random - 1));
  return Math.max(jittered, Math.min(failed.retryAfterSeconds ?? 0, 2 * pause));
}

/** Failures in a row of a monitor's webhook since its last success, and when the first of them was. */
export interface FailureRun {
  failures: number;
  firstFailedAt: Date | null;
}

export interface AutoDisableRule {
  failures: number;
  spanSeconds: number;
  warnAtFailures: number;
}

export type FailureConsequence = "none" | "warn" | "disable";

/**
 * What a failure that made the run what it is now calls for: the owner is warned at ten; at twenty, the first of them at least an hour ago,
 * the webhook is disabled; a receiver's restart during a burst does not trip it. Source: decisions.md, "Auto-disable".
 */
export function consequenceOf(run: FailureRun, rule: AutoDisableRule, now: Date): FailureConsequence {
  const spanSeconds = run.firstFailedAt === null ? 0 : (now.getTime() - run.firstFailedAt.getTime()) / 1000;
  if (run.failures >= rule.failures && spanSeconds >= rule.spanSeconds) return "disable";
  return run.failures === rule.warnAtFailures ? "warn" : "none";
}

/** Seconds that a `Retry-After` header asks for, given as a number or as an HTTP date; null where it says nothing usable. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // An HTTP date begins with the name of a day; Date.parse takes much that is none.
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000);
}

/** What a webhook's answer means: only 2xx is success, 410 is the end (decisions.md, "Attempts"). */
export function webhookOutcome(status: number, retryAfter: string | null, now: Date): AttemptOutcome {
  if (status >= 200 && status < 300) return { kind: "succeeded" };
  if (status === 410) return { kind: "refused" };
  return { kind: "failed", retryAfterSeconds: retryAfterSeconds(retryAfter, now) };
}
