import { readTracker } from "../../../services/trackers/read.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { shapeTracker, trackerPath, wrappedTracker } from "./schema.ts";

export const read = operation({
  id: "getTracker",
  method: "get",
  path: "/v1/trackers/{id}",
  tag: "Trackers",
  summary: "Read a tracker",
  access: keyAccess("read"),
  params: trackerPath,
  query: none,
  errors: ["tracker_not_found"],
  responses: { 200: { description: "The tracker.", json: wrappedTracker } },
  async handle({ context, caller, params }) {
    const record = await readTracker(context.pool, caller.accountId, params.id);
    return { status: 200, json: { tracker: shapeTracker(record) } };
  },
});
