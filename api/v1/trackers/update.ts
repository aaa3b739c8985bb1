import { updateTracker } from "../../../services/trackers/update.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { featureOf } from "../monitors/schema.ts";
import { ownDelivery, shapeTracker, trackerChange, trackerPath, wrappedTracker } from "./schema.ts";

export const update = operation({
  id: "updateTracker",
  method: "patch",
  path: "/v1/trackers/{id}",
  tag: "Trackers",
  summary: "Change a tracker",
  access: keyAccess("trackers:write", { featureOf }),
  params: trackerPath,
  query: none,
  body: trackerChange,
  errors: ["tracker_not_found"],
  responses: { 200: { description: "The tracker.", json: wrappedTracker } },
  async handle({ context, transaction, caller, params, body }) {
    const { displayName, filters, isPaused } = body;
    const change = { displayName, filters, isPaused, delivery: ownDelivery(body) };
    const record = await updateTracker(context, transaction, caller, params.id, change);
    return { status: 200, json: { tracker: shapeTracker(record) } };
  },
});
