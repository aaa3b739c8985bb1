import { z } from "zod";
import { listMonitors } from "../../../services/monitors/list.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { monitor, shapeMonitor } from "./schema.ts";

const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

export const list = operation({
  id: "listMonitors",
  method: "get",
  path: "/v1/monitors",
  tag: "Monitors",
  summary: "The account's monitors, newest first",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject(pageParameters),
  responses: { 200: { description: "A page of monitors.", json: listOf(monitor).meta({ id: "MonitorList" }) } },
  async handle({ context, caller, query, cursors }) {
    const binding = { operation: "listMonitors", account: caller.accountId };
    const beforeId = cursors.open(binding, query.cursor, position);
    const { monitors, hasMore } = await listMonitors(context, caller, { limit: query.limit, beforeId });
    const last = monitors.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.monitorId]) : null;
    const now = context.clock();
    return {
      status: 200,
      json: { data: monitors.map((each) => shapeMonitor(each, now)), has_more: hasMore, next_cursor },
    };
  },
});
