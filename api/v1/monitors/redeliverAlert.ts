import { redeliverAlert as redeliver } from "../../../services/alerts/redeliver.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { alertPath, alertRedelivery, shapeDelivery } from "./deliverySchema.ts";

export const redeliverAlert = operation({
  id: "redeliverAlert",
  method: "post",
  path: "/v1/monitors/{id}/alerts/{alert_id}/redeliver",
  tag: "Monitors",
  summary: "Send an alert to its webhook again",
  description:
    "The same event under the same id, with the settings and secrets of now, tried as often as a new one. Costs no rows. An alert that the pool could not pay for (`suppressed`), or that a reviewer took back (`retracted_at`), is not sent.",
  access: keyAccess("monitors:write", { featureOf: () => "webhook" }),
  params: alertPath,
  query: none,
  body: noBody,
  errors: ["monitor_not_found", "alert_not_found", "webhook_not_configured", "illegal_transition"],
  responses: { 202: { description: "The alert is on its way again.", json: alertRedelivery } },
  async handle({ context, transaction, caller, params }) {
    const requested = await redeliver(context, transaction, caller, params.id, params.alert_id);
    const delivery = { ...shapeDelivery(requested), alert_id: params.alert_id, purpose: "redelivery" as const };
    return { status: 202, json: { delivery } };
  },
});
