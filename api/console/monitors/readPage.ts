import type { VNode } from "preact";
import type { Monitor } from "../../../database/monitors.ts";
import {
  listMonitorAlerts,
  listMonitorAttempts,
  listMonitorTrackers,
  readMonitor,
} from "../../../services/operations/readMonitor.ts";
import { facts, type Shown } from "../components/facts.ts";
import { accountLink, code, monitorPath } from "../components/links.ts";
import { at } from "../components/moment.ts";
import { status } from "../components/status.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { redeliverSpanForm } from "./redeliver.ts";
import { alertTable, attemptTable, trackerTable } from "./tables.ts";

/** Of each list, as much as says how things stand; the rest has pages of its own. */
const limit = 10;

/** A monitor with its settings, its trackers, and what has become of its alerts. */
export async function monitorPage({ context, session, params }: ConsoleAsked): Promise<ConsoleAnswer> {
  const monitorId = params["monitor_id"] ?? "";
  const { monitor, owner } = await readMonitor(context, monitorId);
  const { trackers, hasMore: hasMoreTrackers } = await listMonitorTrackers(context, monitorId, {
    limit,
    afterId: null,
  });
  const { alerts, hasMore: hasMoreAlerts } = await listMonitorAlerts(context, monitorId, { limit, after: null });
  const { attempts, hasMore: hasMoreAttempts } = await listMonitorAttempts(context, monitorId, { limit, after: null });
  const now = context.clock();
  const content = html`
    <p><a href="/console/monitors" data-key="b">All monitors</a></p>
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      ${facts([
        ["Account", accountLink({ ...owner, accountEmail: owner.email })],
        ["Id", code(monitorId)],
        ["State", stateOf(monitor)],
        ["E-mail", monitor.notifyEmail ? `to ${monitor.emailAddresses.join(", ") || owner.email}` : "off"],
        ["Chat", monitor.notifyChat ? `by ${monitor.chatIntegrationId ?? "nothing yet"}` : "off"],
        ["Chat channel", monitor.chatChannelId],
        ["Made", at(monitor.createdAt)],
        ["Changed", at(monitor.updatedAt)],
        ["Last alert", monitor.lastNotifiedAt === null ? "none yet" : at(monitor.lastNotifiedAt)],
      ])}
    </section>
    <section aria-labelledby="webhook">
      <h2 id="webhook">Webhook</h2>
      ${facts(webhookFacts(monitor, now))}
    </section>
    <section aria-labelledby="alerts">
      <h2 id="alerts">Newest alerts</h2>
      ${alertTable(session, monitorId, alerts, now)} ${more(monitorId, "alerts", "All alerts", hasMoreAlerts)}
      <h3>Send a span of time again</h3>
      <p>
        All alerts that fired in it go to their webhooks again, oldest first, under the ids that they always had. It
        costs no rows.
      </p>
      ${redeliverSpanForm(session, monitorId, now)}
    </section>
    <section aria-labelledby="attempts">
      <h2 id="attempts">Newest delivery attempts</h2>
      ${attemptTable(attempts)} ${more(monitorId, "attempts", "All attempts", hasMoreAttempts)}
    </section>
    <section aria-labelledby="trackers">
      <h2 id="trackers">Trackers</h2>
      ${trackerTable(trackers)} ${more(monitorId, "trackers", "All trackers", hasMoreTrackers)}
    </section>
  `;
  return { page: { title: `Monitor: ${monitor.name}`, section: "monitors", content } };
}

function more(monitorId: string, list: string, name: string, hasMore: boolean): VNode | null {
  return hasMore ? html`<p><a href=${`${monitorPath(monitorId)}/${list}`}>${name}</a></p>` : null;
}

function stateOf({ pausedAt }: Monitor): Shown {
  return pausedAt === null ? status("on", "good") : html`${status("paused", "neutral")} since ${at(pausedAt)}`;
}

function webhookFacts(monitor: Monitor, now: Date): (readonly [string, Shown])[] {
  const { webhookDisabledAt, previousSecretExpiresAt } = monitor;
  return [
    ["Webhook", monitor.notifyWebhook ? status("on", "good") : status("off", "neutral")],
    ["Address", monitor.webhookUrl === null ? "none" : code(shownAddress(monitor.webhookUrl))],
    ["Secret", monitor.webhookSecretHint === null ? "none" : html`set, ends with ${code(monitor.webhookSecretHint)}`],
    [
      "Secret before it",
      previousSecretExpiresAt === null || previousSecretExpiresAt <= now
        ? null
        : html`signs too until ${at(previousSecretExpiresAt)}`,
    ],
    ["Failures in a row", monitor.webhookFailureCount],
    ["Disabled", webhookDisabledAt === null ? null : html`${status("disabled", "bad")} since ${at(webhookDisabledAt)}`],
    ["Disabled because", monitor.webhookDisabledReason],
  ];
}

/** Receivers put tokens into queries, which are none of the operator's business. */
function shownAddress(address: string): string {
  const query = address.indexOf("?");
  return query < 0 ? address : `${address.slice(0, query)}?…`;
}
