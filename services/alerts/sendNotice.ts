import { markNoticeSent, readNotice } from "../../database/webhookFailures.ts";
import { webhookNoticeMail } from "../../domain/delivery/alertMail.ts";
import { MailFailure } from "../../domain/delivery/mail.ts";
import type { ServiceContext } from "../context.ts";
import type { DeliveryParts } from "./parts.ts";

/** Mails the owner of a webhook what was noted about it, unless that was done. Throws `MailFailure` where another attempt may help. */
export async function sendNotice(
  { pool, settings, clock }: ServiceContext,
  { mailer }: DeliveryParts,
  noticeId: string,
): Promise<"sent" | "refused" | "unknown"> {
  const notice = await readNotice(pool, noticeId);
  if (notice === null) return "unknown";
  if (notice.sentAt !== null) return "sent";
  const signal = AbortSignal.timeout(settings.alerts.attemptTimeoutSeconds * 1000);
  try {
    await mailer.send(webhookNoticeMail(notice, notice.accountEmail, settings.alerts.autoDisable), signal);
  } catch (error) {
    if (error instanceof MailFailure && error.refused) return "refused";
    throw error;
  }
  await markNoticeSent(pool, noticeId, clock());
  return "sent";
}
