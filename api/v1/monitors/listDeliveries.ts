import { z } from "zod";
import { listAttempts } from "../../../services/alerts/listAttempts.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { attempt, shapeAttempt } from "./alertSchema.ts";
import { monitorPath } from "./schema.ts";

const position = z.tuple([z.number(), z.number()]).transform(([at, attemptId]) => ({ at: new Date(at), attemptId }));

export const listDeliveries = operation({
  id: "listDeliveries",
  method: "get",
  path: "/v1/monitors/{id}/deliveries",
  tag: "Monitors",
  summary: "Every attempt to deliver a monitor's alerts, newest first",
  access: keyAccess("read"),
  params: monitorPath,
  query: z.strictObject(pageParameters),
  errors: ["monitor_not_found"],
  responses: { 200: { description: "A page of attempts.", json: listOf(attempt).meta({ id: "DeliveryAttemptList" }) } },
  async handle({ context, caller, params, query, cursors }) {
    const binding = { operation: "listDeliveries", account: caller.accountId, monitor: params.id };
    const after = cursors.open(binding, query.cursor, position);
    const { attempts, hasMore } = await listAttempts(context, caller, params.id, { limit: query.limit, after });
    const last = attempts.at(-1);
    const next_cursor =
      hasMore && last !== undefined ? cursors.seal(binding, [last.at.getTime(), last.attemptId]) : null;
    return { status: 200, json: { data: attempts.map(shapeAttempt), has_more: hasMore, next_cursor } };
  },
});
