import { z } from "zod";
import { listTrackers } from "../../../services/trackers/list.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { shapeTracker, tracker } from "./schema.ts";

const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

export const list = operation({
  id: "listTrackers",
  method: "get",
  path: "/v1/trackers",
  tag: "Trackers",
  summary: "The account's trackers, newest first",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject(pageParameters),
  responses: { 200: { description: "A page of trackers.", json: listOf(tracker).meta({ id: "TrackerList" }) } },
  async handle({ context, caller, query, cursors }) {
    const binding = { operation: "listTrackers", account: caller.accountId };
    const beforeId = cursors.open(binding, query.cursor, position);
    const { trackers, hasMore } = await listTrackers(context, caller, { limit: query.limit, beforeId });
    const last = trackers.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.trackerId]) : null;
    return { status: 200, json: { data: trackers.map(shapeTracker), has_more: hasMore, next_cursor } };
  },
});
