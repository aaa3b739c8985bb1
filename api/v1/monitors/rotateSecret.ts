import { rotateSecret as rotate } from "../../../services/monitors/rotateSecret.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { monitorPath, rotatedSecret, shapeMonitor } from "./schema.ts";

export const rotateSecret = operation({
  id: "rotateWebhookSecret",
  method: "post",
  path: "/v1/monitors/{id}/webhook-secret/rotate",
  tag: "Monitors",
  summary: "Give a monitor's webhooks a new secret",
  description:
    "The new secret is in this answer and nowhere else. It signs from the next attempt on; for 24 hours the old one signs too, in `X-Service-Signature-Previous`. Another rotation meanwhile starts the 24 hours anew with the newest two. A disabled webhook stays disabled.",
  access: keyAccess("monitors:write"),
  params: monitorPath,
  query: none,
  body: noBody,
  answersSecret: true,
  errors: ["monitor_not_found", "webhook_not_configured"],
  responses: { 200: { description: "The new secret.", json: rotatedSecret } },
  async handle({ context, transaction, caller, params }) {
    const rotated = await rotate(context, transaction, caller, params.id);
    return {
      status: 200,
      json: {
        monitor: shapeMonitor(rotated.monitor, context.clock()),
        webhookSecret: rotated.webhookSecret,
        previousSecretExpiresAt: rotated.previousSecretExpiresAt.toISOString(),
      },
    };
  },
});
