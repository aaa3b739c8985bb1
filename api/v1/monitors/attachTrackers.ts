import { attachTrackers as attach } from "../../../services/monitors/attachTrackers.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { attachment, monitorPath, shapeMonitor, wrappedMonitor } from "./schema.ts";

export const attachTrackers = operation({
  id: "attachTrackers",
  method: "post",
  path: "/v1/monitors/{id}/trackers",
  tag: "Monitors",
  summary: "Put trackers under a monitor",
  description: "All of them or, where one is not the account's, none. A tracker that is under another monitor moves.",
  access: keyAccess("monitors:write"),
  params: monitorPath,
  query: none,
  body: attachment,
  errors: ["monitor_not_found", "tracker_not_found"],
  responses: { 200: { description: "The monitor with its trackers.", json: wrappedMonitor } },
  async handle({ context, transaction, caller, params, body }) {
    const monitor = await attach(context, transaction, caller, params.id, body.trackerIds);
    return { status: 200, json: { monitor: shapeMonitor(monitor, context.clock()) } };
  },
});
