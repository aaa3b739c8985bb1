import type { FiredAlert } from "../../database/alertDeliveries.ts";
import { alertMail } from "../../domain/delivery/alertMail.ts";
import type { AttemptReport } from "../../domain/delivery/attemptReport.ts";
import { type Mail, MailFailure } from "../../domain/delivery/mail.ts";
import type { ServiceContext } from "../context.ts";
import { alertText } from "./compose.ts";
import type { DeliveryParts } from "./parts.ts";

/** How mailing everybody went. `takenBy`: whose mail a server has taken by now, on this attempt or an earlier one. */
export interface EmailReport extends AttemptReport {
  takenBy: readonly string[];
}

/**
 * Mails an alert to each address that has not been served yet, one after the other. It has failed while an address is left that another
 * attempt may serve, and was refused where no server takes any of the mails.
 */
export async function sendEmail(
  { settings }: ServiceContext,
  parts: DeliveryParts,
  alert: FiredAlert,
  mailing: { addresses: readonly string[]; takenBy: readonly string[] },
): Promise<EmailReport> {
  const signal = AbortSignal.timeout(settings.alerts.attemptTimeoutSeconds * 1000);
  const text = alertText(alert, settings);
  const served = [...mailing.takenBy];
  const failures: MailProblem[] = [];
  for (const address of mailing.addresses.filter((each) => !served.includes(each))) {
    const { trackerId, monitorId } = alert;
    const mail = alertMail(text, address, await parts.unsubscribeUrl({ trackerId, monitorId, address }));
    const failure = signal.aborted ? timedOut : await send(parts, mail, signal);
    if (failure === null) served.push(address);
    else failures.push(failure);
  }
  const temporary = failures.find(({ refused }) => !refused);
  if (temporary !== undefined)
    return { ...reportOf(temporary), outcome: { kind: "failed", retryAfterSeconds: null }, takenBy: served };
  const [refusal] = failures;
  const outcome = refusal === undefined || served.length > 0 ? "succeeded" : "refused";
  return {
    ...(refusal === undefined ? { responseStatus: null, responseExcerpt: null, error: null } : reportOf(refusal)),
    outcome: { kind: outcome },
    takenBy: served,
  };
}

/** Null where it was taken. */
async function send(parts: DeliveryParts, mail: Mail, signal: AbortSignal): Promise<MailProblem | null> {
  try {
    await parts.mailer.send(mail, signal);
    return null;
  } catch (error) {
    if (!(error instanceof MailFailure)) {
      parts.onDefect(error);
      return { refused: false, replyCode: null, error: "internal" };
    }
    const { refused, replyCode, silence } = error;
    return { refused, replyCode, error: refused ? "refused" : silence };
  }
}

const timedOut: MailProblem = { refused: false, replyCode: null, error: "timeout" };

type MailProblem = Pick<MailFailure, "refused" | "replyCode"> & Pick<AttemptReport, "error">;

function reportOf({ replyCode, error }: MailProblem): Omit<AttemptReport, "outcome"> {
  return { responseStatus: replyCode, responseExcerpt: null, error };
}
