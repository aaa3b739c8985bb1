import { z } from "zod";
import { listMonitorAlerts, readMonitor } from "../../../services/operations/readMonitor.ts";
import { monitorPath } from "../components/links.ts";
import { nextPage } from "../components/nextPage.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { backToMonitor, pageFields } from "./pages.ts";
import { alertTable } from "./tables.ts";

const limit = 50;
const position = z.tuple([z.number(), z.string()]).transform(([at, alertId]) => ({ firedAt: new Date(at), alertId }));

/** All alerts of a monitor, newest first. */
export async function alertsPage({ context, session, params, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const monitorId = params["monitor_id"] ?? "";
  const { cursor } = readFields(pageFields, query);
  const binding = { operation: "consoleAlerts", monitor: monitorId };
  const after = cursors.open(binding, cursor, position);
  const { monitor } = await readMonitor(context, monitorId);
  const { alerts, hasMore } = await listMonitorAlerts(context, monitorId, { limit, after });
  const last = alerts.at(-1);
  const next = hasMore && last !== undefined ? cursors.seal(binding, [last.firedAt.getTime(), last.alertId]) : null;
  const content = html`
    ${backToMonitor(monitorId)} ${alertTable(session, monitorId, alerts, context.clock())}
    ${nextPage(`${monitorPath(monitorId)}/alerts`, query, next)}
  `;
  return { page: { title: `Alerts of ${monitor.name}`, section: "monitors", content } };
}
