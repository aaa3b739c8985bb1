import { z } from "zod";
import { listAlerts as list } from "../../../services/alerts/list.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { integerParameter } from "../../http/parameters.ts";
import { alert, shapeAlert } from "./alertSchema.ts";
import { monitorPath } from "./schema.ts";

export const listAlerts = operation({
  id: "listAlerts",
  method: "get",
  path: "/v1/monitors/{id}/alerts",
  tag: "Monitors",
  summary: "The newest alerts of a monitor",
  description: "Costs no rows: an alert is billed when it fires.",
  access: keyAccess("read"),
  params: monitorPath,
  query: z.strictObject({
    n: integerParameter({ min: 1, max: 100, default: 20, description: "How many of the newest." }),
  }),
  errors: ["monitor_not_found"],
  responses: {
    200: {
      description: "Alerts, newest first.",
      json: z.object({ data: z.array(alert).meta({ description: "The alerts." }) }).meta({ id: "AlertHistory" }),
    },
  },
  async handle({ context, caller, params, query }) {
    const alerts = await list(context, caller, params.id, query.n);
    return { status: 200, json: { data: alerts.map((each) => shapeAlert(each, context.settings.videoUrl)) } };
  },
});
