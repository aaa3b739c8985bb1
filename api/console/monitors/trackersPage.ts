import { z } from "zod";
import { listMonitorTrackers, readMonitor } from "../../../services/operations/readMonitor.ts";
import { monitorPath } from "../components/links.ts";
import { nextPage } from "../components/nextPage.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { backToMonitor, pageFields } from "./pages.ts";
import { trackerTable } from "./tables.ts";

const limit = 50;
const position = z.tuple([z.string()]).transform(([afterId]) => afterId);

/** All trackers of a monitor, oldest first. */
export async function trackersPage({ context, params, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const monitorId = params["monitor_id"] ?? "";
  const { cursor } = readFields(pageFields, query);
  const binding = { operation: "consoleTrackers", monitor: monitorId };
  const afterId = cursors.open(binding, cursor, position);
  const { monitor } = await readMonitor(context, monitorId);
  const { trackers, hasMore } = await listMonitorTrackers(context, monitorId, { limit, afterId });
  const last = trackers.at(-1);
  const next = hasMore && last !== undefined ? cursors.seal(binding, [last.trackerId]) : null;
  const content = html`
    ${backToMonitor(monitorId)} ${trackerTable(trackers)} ${nextPage(`${monitorPath(monitorId)}/trackers`, query, next)}
  `;
  return { page: { title: `Trackers of ${monitor.name}`, section: "monitors", content } };
}
