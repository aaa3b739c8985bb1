import { createHash } from "node:crypto";
import { minutesAndSeconds } from "../evidence.ts";
import type { AutoDisableRule } from "./attempts.ts";
import type { Mail } from "./mail.ts";

/** An alert as people read it, on whatever channel. Times in seconds of the video. */
export interface AlertText {
  eventId: string;
  kind: "mention" | "appearance";
  entityName: string;
  /** The tracker's label; the entity's name where it has none. */
  label: string;
  monitorName: string | null;
  videoTitle: string | null;
  channelName: string;
  /** The video at the moment itself. */
  momentUrl: string;
  startSeconds: number;
  quote: string;
  mentionCount: number;
}

/** One line that says what happened: "Ada Lovelace was mentioned 3 times on Some Channel". */
export function alertHeadline(alert: AlertText): string {
  const { label, kind, mentionCount, channelName } = alert;
  if (kind === "appearance") return `${label} appeared on ${channelName}`;
  const often = mentionCount === 1 ? "" : ` ${mentionCount} times`;
  return `${label} was mentioned${often} on ${channelName}`;
}

/** The mail of an alert, as text and as HTML that reads well in a light and in a dark client. */
export function alertMail(alert: AlertText, to: string, unsubscribeUrl: string): Mail {
  const headline = alertHeadline(alert);
  const title = oneLine(alert.videoTitle ?? "Untitled video");
  const moment = minutesAndSeconds(alert.startSeconds);
  const origin = alert.monitorName === null ? "a tracker of yours" : `your monitor “${alert.monitorName}”`;
  const text = [
    `${headline}.`,
    "",
    `“${alert.quote}”`,
    "",
    `${title} — ${alert.channelName}, at ${moment}`,
    alert.momentUrl,
    "",
    `You get this because of ${origin}.`,
    `No more of these mails: ${unsubscribeUrl}`,
    "",
  ].join("\n");
  const html = page(
    headline,
    `<p class="headline">${escapeHtml(headline)}</p>
<blockquote>${escapeHtml(alert.quote)}</blockquote>
<p><a href="${escapeHtml(alert.momentUrl)}">${escapeHtml(title)}</a><br>${escapeHtml(alert.channelName)}, at ${moment}</p>
<p class="small">You get this because of ${escapeHtml(origin)}. <a href="${escapeHtml(unsubscribeUrl)}">No more of these mails</a>.</p>`,
  );
  const messageId = `<${alert.eventId}.${fingerprint(to)}@media-index>`;
  return { to, subject: oneLine(headline), text, html, messageId, unsubscribeUrl };
}

/** What the owner of a webhook is told when it keeps failing, and when it was switched off. */
export interface WebhookNotice {
  consequence: "warn" | "disable";
  monitorId: string;
  monitorName: string;
  failures: number;
  /** As the end of a sentence: never an address, a header or a body. */
  lastError: string;
  at: Date;
}

/** The mail about a failing webhook; `disable` says how to switch it on again and how to have what was missed sent again. */
export function webhookNoticeMail(
  notice: WebhookNotice,
  to: string,
  rule: Pick<AutoDisableRule, "failures" | "spanSeconds">,
): Mail {
  const { monitorId, monitorName, failures, lastError } = notice;
  const isOff = notice.consequence === "disable";
  const subject = isOff
    ? `The webhook of “${monitorName}” was switched off`
    : `The webhook of “${monitorName}” keeps failing`;
  const lines = [
    isOff
      ? `Nothing is sent to this webhook any more. Email and chat go on. Attempts that failed in a row: ${failures}.`
      : `${failures} attempts in a row have failed. After ${rule.failures}, over ${Math.ceil(rule.spanSeconds / 60)} minutes or more, the webhook is switched off.`,
    `Of the last one: ${lastError}.`,
    ...(isOff
      ? [
          `To switch it on again: PATCH /v1/monitors/${monitorId} {"notifyWebhook": true}.`,
          `To have what was missed sent again: POST /v1/monitors/${monitorId}/redeliver {"from": …, "to": …}. It costs nothing.`,
        ]
      : [`To try it out: POST /v1/monitors/${monitorId}/webhook/test.`]),
    `Every attempt: GET /v1/monitors/${monitorId}/deliveries.`,
  ];
  return {
    to,
    subject: oneLine(subject),
    text: `${subject}.\n\n${lines.join("\n\n")}\n`,
    html: page(subject, [subject, ...lines].map((line) => `<p>${escapeHtml(line)}</p>`).join("\n")),
    messageId: `<${monitorId}.${notice.consequence}.${notice.at.getTime()}@media-index>`,
    unsubscribeUrl: null,
  };
}

/** Tells the mails to several addresses apart without showing one to the others. */
function fingerprint(address: string): string {
  return createHash("sha256").update(address.toLowerCase()).digest("hex").slice(0, 12);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; background: #ffffff; max-width: 36em; margin: 2em auto; padding: 0 1em; }
.headline { font-size: 1.2em; font-weight: 600; }
blockquote { margin: 1em 0; padding: .2em 1em; border-left: 4px solid #3b6fd4; }
a { color: #1f5bc4; }
.small { color: #5a5a5a; font-size: .85em; }
@media (prefers-color-scheme: dark) { body { color: #ececec; background: #16181c; } a { color: #8ab4f8; } .small { color: #a8a8a8; } }
</style></head>
<body>
${body}
</body></html>
`;
}

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => htmlEscapes[sign] ?? sign);
}

/** A subject or a title is one line, whatever was typed into it. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 200);
}
