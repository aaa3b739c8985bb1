import { z } from "zod";
import { listMonitorAttempts, readMonitor } from "../../../services/operations/readMonitor.ts";
import { monitorPath } from "../components/links.ts";
import { nextPage } from "../components/nextPage.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { backToMonitor, pageFields } from "./pages.ts";
import { attemptTable } from "./tables.ts";

const limit = 50;
const position = z.tuple([z.number(), z.number()]).transform(([at, attemptId]) => ({ at: new Date(at), attemptId }));

/** Every attempt to deliver a monitor's alerts, newest first. */
export async function attemptsPage({ context, params, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const monitorId = params["monitor_id"] ?? "";
  const { cursor } = readFields(pageFields, query);
  const binding = { operation: "consoleAttempts", monitor: monitorId };
  const after = cursors.open(binding, cursor, position);
  const { monitor } = await readMonitor(context, monitorId);
  const { attempts, hasMore } = await listMonitorAttempts(context, monitorId, { limit, after });
  const last = attempts.at(-1);
  const next = hasMore && last !== undefined ? cursors.seal(binding, [last.at.getTime(), last.attemptId]) : null;
  const content = html`
    ${backToMonitor(monitorId)} ${attemptTable(attempts)} ${nextPage(`${monitorPath(monitorId)}/attempts`, query, next)}
  `;
  return { page: { title: `Delivery attempts of ${monitor.name}`, section: "monitors", content } };
}
