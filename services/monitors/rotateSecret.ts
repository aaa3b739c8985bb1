import { lockMonitor, type Monitor } from "../../database/monitors.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { rotateWebhookSecret } from "../../database/webhookSecrets.ts";
import { ApiError } from "../../domain/errors.ts";
import { rotationWindowSeconds } from "../../domain/signatures.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "./read.ts";
import { createSecret } from "./secrets.ts";

/**
 * Gives a monitor's webhooks a new secret, which signs from the commit on; the old one signs beside it for 24 hours more, and an even older
 * one no longer. The workflow that erases the old one waits in the outbox for the commit: what decides on signatures is the row alone, so
 * a rotation needs no Temporal to take effect and no worker to end in time. A disabled webhook stays disabled. Throws `monitor_not_found`,
 * or `webhook_not_configured` where there is no secret or no URL.
 */
export async function rotateSecret(
  { vault, clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  monitorId: string,
): Promise<{ monitor: Monitor; webhookSecret: string; previousSecretExpiresAt: Date }> {
  await lockMonitor(transaction, accountId, monitorId);
  const before = await readMonitor(transaction, accountId, monitorId);
  if (!before.webhookSecretSet || before.webhookUrl === null) throw new ApiError("webhook_not_configured");
  const now = clock();
  const previousSecretExpiresAt = new Date(now.getTime() + rotationWindowSeconds * 1000);
  const { secret, ...sealed } = await createSecret(vault, monitorId);
  await rotateWebhookSecret(transaction, monitorId, sealed, { now, previousExpiresAt: previousSecretExpiresAt });
  await insertOutbox(transaction, "rotation.start", monitorId);
  return {
    monitor: await readMonitor(transaction, accountId, monitorId),
    webhookSecret: secret,
    previousSecretExpiresAt,
  };
}
