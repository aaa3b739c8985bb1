import type { AttemptReport } from "../../domain/delivery/attemptReport.ts";
import { webhookOutcome } from "../../domain/delivery/attempts.ts";
import { OutboundFailure, RefusedTarget } from "../../domain/outbound.ts";
import type { ServiceContext } from "../context.ts";
import { signDelivery } from "../monitors/signDelivery.ts";
import type { DeliveryParts } from "./parts.ts";

export interface WebhookMessage {
  monitorId: string;
  eventId: string;
  url: string;
  body: string;
}

/**
 * Posts an event, signed under the monitor's secrets of this moment; null where the monitor has none to sign with. Throws `ReceiverBusy`, and
 * where the database is away.
 */
export async function sendWebhook(
  context: ServiceContext,
  { http, turns }: DeliveryParts,
  { url, ...message }: WebhookMessage,
): Promise<AttemptReport | null> {
  const { attemptTimeoutSeconds, responseBytes } = context.settings.alerts;
  const signature = await signDelivery(context, message);
  if (signature === null) return null;
  try {
    const answer = await turns.take(new URL(url).host, () =>
      http.request({
        url,
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Media-Index-Webhooks/1", ...signature },
        body: message.body,
        timeoutSeconds: attemptTimeoutSeconds,
        maxBodyBytes: responseBytes,
      }),
    );
    return {
      outcome: webhookOutcome(answer.status, answer.headers["retry-after"] ?? null, context.clock()),
      responseStatus: answer.status,
      responseExcerpt: Buffer.from(answer.body).toString(),
      error: null,
    };
  } catch (error) {
    return {
      outcome: { kind: "failed", retryAfterSeconds: null },
      responseStatus: null,
      responseExcerpt: null,
      error: errorOf(error),
    };
  }
}

function errorOf(error: unknown): AttemptReport["error"] {
  if (error instanceof OutboundFailure) return error.reason;
  if (error instanceof RefusedTarget) return "refused_target";
  throw error;
}
