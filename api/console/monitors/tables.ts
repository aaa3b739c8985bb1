import type { VNode } from "preact";
import type { Alert, DeliveryAttempt } from "../../../database/alerts.ts";
import type { Tracker } from "../../../database/trackers.ts";
import type { AlertStatus, AttemptOutcome, DeliveryStatus } from "../../../domain/alerts.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { amount, counted } from "../components/amounts.ts";
import { code } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago, at } from "../components/moment.ts";
import { inWords, status, type Tone } from "../components/status.ts";
import { html } from "../html.ts";
import { redeliverAlertForm } from "./redeliver.ts";

const alertTones: Record<AlertStatus, Tone> = {
  pending: "waiting",
  delivered: "good",
  failed: "bad",
  suppressed: "neutral",
};
const deliveryTones: Record<DeliveryStatus, Tone> = {
  pending: "waiting",
  succeeded: "good",
  failed: "bad",
  skipped: "neutral",
};
const outcomeTones: Record<AttemptOutcome, Tone> = { succeeded: "good", failed: "bad", skipped: "neutral" };

export function trackerTable(trackers: readonly Tracker[]): VNode {
  return table(
    "Trackers",
    [
      { title: "Watches", cell: ({ displayName, entityName }) => displayName ?? entityName },
      { title: "Entity", cell: ({ entityId, entityType }) => html`${code(`ent_${entityId}`)} ${entityType}` },
      {
        title: "State",
        cell: ({ pausedAt }) => (pausedAt === null ? status("on", "good") : status("paused", "neutral")),
      },
      { title: "Of its own", cell: overridesOf },
      { title: "Filters", cell: ({ filters }) => Object.keys(filters).join(", ") || "none" },
      {
        title: "Delivered",
        cell: (tracker) =>
          `${amount(tracker.emailDeliveryCount)} e-mail, ${amount(tracker.chatDeliveryCount)} chat, ${amount(tracker.webhookDeliveryCount)} webhook`,
      },
      { title: "Id", cell: ({ trackerId }) => code(trackerId) },
    ],
    trackers,
    "It has no trackers.",
  );
}

function overridesOf({ delivery }: Tracker): string {
  const { notifyEmail, notifyChat, notifyWebhook, webhookUrl, chatChannelId, chatIntegrationId } = delivery;
  const set = [
    switched("e-mail", notifyEmail),
    switched("chat", notifyChat),
    switched("webhook", notifyWebhook),
    webhookUrl === null ? null : "webhook address",
    chatChannelId === null && chatIntegrationId === null ? null : "chat address",
  ];
  return set.filter((each) => each !== null).join(", ") || "nothing";
}

function switched(name: string, isOn: boolean | null): string | null {
  return isOn === null ? null : `${name} ${isOn ? "on" : "off"}`;
}

export function alertTable(session: ConsoleSession, monitorId: string, alerts: readonly Alert[], now: Date): VNode {
  return table(
    "Alerts, newest first",
    [
      {
        title: "Alert",
        cell: ({ entityName, kind, quote }) => html`${entityName}, ${kind} <q>${quote}</q>`,
      },
      { title: "Video", cell: ({ media }) => media.title ?? media.videoId },
      { title: "State", cell: (alert) => status(alert.status, alertTones[alert.status]) },
      { title: "Deliveries", cell: deliveriesOf },
      { title: "Rows billed", align: "end", cell: ({ rowsBilled }) => amount(rowsBilled) },
      { title: "Fired", cell: ({ firedAt }) => ago(firedAt, now) },
      {
        title: "Webhook",
        cell: ({ alertId, status, retractedAt }) =>
          status === "suppressed"
            ? "never sent"
            : retractedAt === null
              ? redeliverAlertForm(session, monitorId, alertId)
              : html`taken back by a reviewer, ${ago(retractedAt, now)}`,
      },
    ],
    alerts,
    "It has fired no alerts.",
  );
}

function deliveriesOf({ deliveries }: Alert): VNode | string {
  if (deliveries.length === 0) return "none";
  return html`
    <ul class="plain">
      ${deliveries.map(
        ({ channel, attempts, responseStatus, nextAttemptAt, ...delivery }) => html`
          <li>
            ${channel} ${status(delivery.status, deliveryTones[delivery.status])} ${counted(attempts, "attempt")}
            ${responseStatus === null ? null : `, answer ${responseStatus}`}
            ${nextAttemptAt === null ? null : html`, next ${at(nextAttemptAt)}`}
          </li>
        `,
      )}
    </ul>
  `;
}

export function attemptTable(attempts: readonly DeliveryAttempt[]): VNode {
  return table(
    "Delivery attempts, newest first",
    [
      { title: "At", cell: (attempt) => at(attempt.at) },
      { title: "By", cell: ({ channel, number }) => `${channel}, attempt ${number}` },
      { title: "For", cell: ({ purpose, alertId }) => html`${purpose} ${alertId === null ? null : code(alertId)}` },
      { title: "Outcome", cell: ({ outcome }) => status(outcome, outcomeTones[outcome]) },
      {
        title: "Answer",
        cell: ({ responseStatus, errorKind }) =>
          html`<span class="short">${responseStatus ?? inWords(errorKind ?? "none")}</span>`,
      },
      {
        title: "Took",
        align: "end",
        cell: ({ latencyMilliseconds }) => (latencyMilliseconds === null ? "–" : `${amount(latencyMilliseconds)} ms`),
      },
      {
        title: "Began with",
        cell: ({ responseExcerpt }) => excerpt(responseExcerpt ?? ""),
      },
    ],
    attempts,
    "Nothing was tried yet.",
  );
}

const shortExcerpt = 120;

function excerpt(text: string): VNode | string {
  if (text.trim() === "") return "–";
  if (text.length <= shortExcerpt) return html`<code class="long">${text}</code>`;
  return html`
    <details>
      <summary>${text.slice(0, shortExcerpt)}…</summary>
      <pre>${text}</pre>
    </details>
  `;
}
