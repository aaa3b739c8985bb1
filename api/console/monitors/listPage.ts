import { z } from "zod";
import type { ListedMonitor } from "../../../database/operatorMonitors.ts";
import { listMonitors } from "../../../services/operations/listMonitors.ts";
import { amount } from "../components/amounts.ts";
import { filters } from "../components/filters.ts";
import { accountLink, monitorPath } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { status } from "../components/status.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";

const path = "/console/monitors";
const limit = 50;
const fields = z.strictObject({
  name: z.string().trim().max(200).optional(),
  account: z.string().trim().max(200).optional(),
  webhook: z.enum(["disabled"]).optional(),
  cursor: cursorField,
});
const position = z.tuple([z.string(), z.string()]).transform(([foldedName, monitorId]) => ({ foldedName, monitorId }));

/** Monitors of all accounts: newest first, or by name where one is looked for. */
export async function monitorsPage({ context, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const { name, account, webhook, cursor } = readFields(fields, query);
  const binding = { operation: "consoleMonitors", name, account, webhook };
  const after = cursors.open(binding, cursor, position);
  const { monitors, hasMore } = await listMonitors(
    context,
    { namePrefix: name ?? null, accountId: account ?? null, webhook: webhook ?? "any" },
    { limit, after },
  );
  const last = monitors.at(-1);
  const now = context.clock();
  const content = html`
    ${filters(path, [
      { kind: "text", name: "name", label: "Name", hint: "how it begins", value: name ?? "" },
      { kind: "text", name: "account", label: "Account", hint: "usr_…", value: account ?? "" },
      {
        kind: "choice",
        name: "webhook",
        label: "Webhook",
        value: webhook ?? "",
        options: [
          { value: "", label: "any" },
          { value: "disabled", label: "disabled after failures" },
        ],
      },
    ])}
    ${table(
      name === undefined ? "Monitors, newest first" : "Monitors by name",
      [
        {
          title: "Name",
          cell: ({ monitorId, name }) => html`<a href=${monitorPath(monitorId)} data-row>${name}</a>`,
        },
        { title: "State", cell: stateOf },
        { title: "Account", cell: accountLink },
        { title: "Goes out by", cell: channelsOf },
        { title: "Trackers", align: "end", cell: ({ trackerCount }) => amount(trackerCount) },
        {
          title: "Last alert",
          cell: ({ lastNotifiedAt }) => (lastNotifiedAt === null ? "none yet" : ago(lastNotifiedAt, now)),
        },
        { title: "Made", cell: ({ createdAt }) => ago(createdAt, now) },
      ],
      monitors,
      "No monitor fits.",
    )}
    ${nextPage(
      path,
      query,
      hasMore && last !== undefined ? cursors.seal(binding, [last.foldedName, last.monitorId]) : null,
    )}
  `;
  return { page: { title: "Monitors", section: "monitors", content } };
}

function stateOf({ pausedAt, webhookDisabledAt, webhookFailureCount }: ListedMonitor) {
  if (webhookDisabledAt !== null) return status("webhook disabled", "bad");
  if (pausedAt !== null) return status("paused", "neutral");
  return webhookFailureCount > 0 ? status(`${webhookFailureCount} failing`, "waiting") : status("on", "good");
}

function channelsOf({ notifyEmail, notifyChat, notifyWebhook }: ListedMonitor): string {
  const on = [notifyEmail ? "e-mail" : null, notifyChat ? "chat" : null, notifyWebhook ? "webhook" : null];
  return on.filter((channel) => channel !== null).join(", ") || "nothing";
}
