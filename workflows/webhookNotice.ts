import * as wf from "@temporalio/workflow";
import type { AlertActivities } from "../activities/alerts.ts";
import { report } from "./report.ts";

export interface WebhookNoticeInput {
  noticeId: string;
}

const { sendNotice } = wf.proxyActivities<AlertActivities>({
  startToCloseTimeout: "2 minutes",
  scheduleToCloseTimeout: "4 days",
  retry: { initialInterval: "5 seconds", backoffCoefficient: 3, maximumInterval: "1 hour" },
  summary: "mail the owner",
});

/** Tells the owner of a failing webhook that it fails, or that it was switched off; for days, where the mail server is away. */
export async function webhookNotice({ noticeId }: WebhookNoticeInput): Promise<{ outcome: string }> {
  wf.setCurrentDetails("**mailing**\n\nTells the owner about the webhook. It waits for the mail server only.");
  const outcome = await sendNotice(noticeId);
  report(outcome, outcome === "sent" ? "The owner has been mailed." : "No mail could go out; nothing is left to do.");
  return { outcome };
}
