import { detachTracker as detach } from "../../../services/monitors/detachTracker.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { monitorPath, shapeMonitor, trackerId, wrappedMonitor } from "./schema.ts";

export const detachTracker = operation({
  id: "detachTracker",
  method: "delete",
  path: "/v1/monitors/{id}/trackers/{tracker_id}",
  tag: "Monitors",
  summary: "Take a tracker from under a monitor",
  description: "The tracker stays, without a monitor.",
  access: keyAccess("monitors:write"),
  params: monitorPath.extend({ tracker_id: trackerId }),
  query: none,
  body: noBody,
  errors: ["monitor_not_found", "tracker_not_found"],
  responses: { 200: { description: "The monitor with the trackers that are left.", json: wrappedMonitor } },
  async handle({ context, transaction, caller, params }) {
    const monitor = await detach(context, transaction, caller, params.id, params.tracker_id);
    return { status: 200, json: { monitor: shapeMonitor(monitor, context.clock()) } };
  },
});
