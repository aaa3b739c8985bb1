import type { OutboundFailureReason } from "../outbound.ts";
import type { AttemptOutcome } from "./attempts.ts";

/** Why something was not sent although it was due. */
export const skipReasons = [
  "monitor_paused",
  "monitor_deleted",
  "tracker_paused",
  "tracker_deleted",
  "channel_off",
  "chat_disconnected",
  "webhook_disabled",
  "not_paid",
] as const;
export type SkipReason = (typeof skipReasons)[number];

/**
 * What went wrong where the status of an answer does not say it: no whole answer came, the address is one that is not called
 * (`refused_target`), or the receiver answered that it will not take this (`refused`).
 */
export type AttemptError = OutboundFailureReason | "refused_target" | "refused";

/** How one attempt went, as the attempts log keeps it. */
export interface AttemptReport {
  outcome: AttemptOutcome;
  /** Of HTTP, or the reply code of a mail server; null where none came. */
  responseStatus: number | null;
  /** The beginning of what was answered, as text; null where nothing was. */
  responseExcerpt: string | null;
  error: AttemptError | null;
}
