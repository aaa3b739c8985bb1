import type { OutboundFailureReason } from "../outbound.ts";
import type { AttemptOutcome } from "./attempts.ts";

/** Why something was not sent although it was due. */
export type SkipReason =
  | "monitor_paused"
  | "monitor_deleted"
  | "tracker_paused"
  | "tracker_deleted"
  | "channel_off"
  | "not_in_plan"
  | "chat_disconnected"
  | "webhook_disabled"
  | "not_paid"
  | "retracted";

/**
 * What went wrong where the status of an answer does not say it: no whole answer came, the address is one that is not called
 * (`refused_target`), the receiver answered that it will not take this (`refused`), or a defect of the product (`internal`).
 */
type AttemptError = OutboundFailureReason | "refused_target" | "refused" | "internal";

/** How one attempt went, as the attempts log keeps it. */
export interface AttemptReport {
  outcome: AttemptOutcome;
  /** Of HTTP, or the reply code of a mail server; null where none came. */
  responseStatus: number | null;
  /** The beginning of what was answered, as text; null where nothing was. */
  responseExcerpt: string | null;
  error: AttemptError | null;
}

/** What was wrong, as the end of a sentence for the owner of the receiver: never an address, a header or a body. */
export function describeProblem({ error, responseStatus }: Pick<AttemptReport, "error" | "responseStatus">): string {
  switch (error) {
    case null:
      return responseStatus === null ? "nothing was answered" : `the answer was ${responseStatus}`;
    case "timeout":
      return "no whole answer came in time";
    case "unknown_host":
      return "the name has no address";
    case "unreachable":
      return "nothing could be connected to";
    case "tls":
      return "no secure connection could be made";
    case "broken":
      return "the connection broke";
    case "refused_target":
      return "the address leads where nothing may be sent";
    case "refused":
      return responseStatus === null ? "it was refused" : `it was refused with ${responseStatus}`;
    case "internal":
      return "something went wrong here; the log of the worker says what";
  }
}
