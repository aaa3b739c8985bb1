import { redeliverSpan as redeliver } from "../../../services/alerts/redeliver.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { span, spanRedelivery } from "./deliverySchema.ts";
import { monitorPath } from "./schema.ts";

export const redeliverSpan = operation({
  id: "redeliverAlerts",
  method: "post",
  path: "/v1/monitors/{id}/redeliver",
  tag: "Monitors",
  summary: "Send the alerts of a span to their webhooks again",
  description:
    "All alerts of the monitor that fired from `from` to `to`, at most 31 days apart unless the installation says otherwise, oldest first, each as the redelivery of one alert is: for what a receiver missed while it was down or disabled. `count` says how many. Left out are alerts that were never paid for, those that a reviewer took back (`retracted_at`), those whose webhook is off or disabled, and those that an earlier call has on its way and that were not tried yet, so a repeat doubles nothing. They go out behind new alerts and cost no rows.",
  access: keyAccess("monitors:write", { featureOf: () => "webhook" }),
  params: monitorPath,
  query: none,
  body: span,
  errors: ["monitor_not_found", "webhook_not_configured"],
  responses: { 202: { description: "The alerts are on their way again.", json: spanRedelivery } },
  async handle({ context, transaction, caller, params, body }) {
    const [from, to] = [new Date(body.from), new Date(body.to)];
    const count = await redeliver(context, transaction, caller, params.id, { from, to });
    const about = { channel: "webhook", purpose: "redelivery", status: "pending" } as const;
    return { status: 202, json: { delivery: { ...about, count, from: from.toISOString(), to: to.toISOString() } } };
  },
});
