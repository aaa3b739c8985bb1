import { testWebhook as test } from "../../../services/alerts/testWebhook.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { shapeDelivery, testDelivery } from "./deliverySchema.ts";
import { monitorPath } from "./schema.ts";

export const testWebhook = operation({
  id: "testWebhook",
  method: "post",
  path: "/v1/monitors/{id}/webhook/test",
  tag: "Monitors",
  summary: "Send a test event to a monitor's webhook",
  description:
    "A `webhook.test` event, signed as alerts are, in one attempt. Works while the webhook is off or disabled, costs no rows, and counts neither as a failure nor as a success.",
  access: keyAccess("monitors:write", { featureOf: () => "webhook" }),
  params: monitorPath,
  query: none,
  body: noBody,
  errors: ["monitor_not_found", "webhook_not_configured"],
  responses: { 202: { description: "The test is on its way.", json: testDelivery } },
  async handle({ context, transaction, caller, params }) {
    const requested = await test(context, transaction, caller, params.id);
    return { status: 202, json: { delivery: { ...shapeDelivery(requested), purpose: "test" as const } } };
  },
});
