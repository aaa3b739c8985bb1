import { readWebhookSecrets, type SealedSecrets } from "../../database/webhookSecrets.ts";
import { signatureHeaders } from "../../domain/signatures.ts";
import type { ServiceContext } from "../context.ts";
import { openSecret } from "./secrets.ts";

/**
 * The headers that sign a webhook under the monitor's secrets of this very moment: call it for each attempt, with the bytes that are sent.
 * An old secret whose time is over does not sign, erased or not. Null where the monitor is gone or has no secret.
 */
export async function signDelivery(
  { pool, vault, clock }: ServiceContext,
  message: { monitorId: string; eventId: string; body: string },
  read: (monitorId: string) => Promise<SealedSecrets | null> = (monitorId) => readWebhookSecrets(pool, monitorId),
): Promise<Record<string, string> | null> {
  const { monitorId, eventId, body } = message;
  const stored = await read(monitorId);
  if (stored === null) return null;
  const now = clock();
  const signing = stored.previous !== null && stored.previous.expiresAt > now ? stored.previous.sealed : null;
  const [current, previous] = await Promise.all([
    openSecret(vault, monitorId, stored.sealed),
    signing === null ? null : openSecret(vault, monitorId, signing),
  ]);
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  return signatureHeaders({ id: eventId, timestampSeconds, body }, { current, previous });
}
