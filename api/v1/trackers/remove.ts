import { removeTracker } from "../../../services/trackers/remove.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { deleted } from "../monitors/schema.ts";
import { trackerPath } from "./schema.ts";

export const remove = operation({
  id: "deleteTracker",
  method: "delete",
  path: "/v1/trackers/{id}",
  tag: "Trackers",
  summary: "Stop watching",
  description: "The alerts that it fired stay in their monitor's history.",
  access: keyAccess("trackers:write"),
  params: trackerPath,
  query: none,
  body: noBody,
  errors: ["tracker_not_found"],
  responses: { 200: { description: "It is deleted.", json: deleted } },
  async handle({ transaction, caller, params }) {
    await removeTracker(transaction, caller, params.id);
    return { status: 200, json: { id: params.id, deleted: true as const } };
  },
});
