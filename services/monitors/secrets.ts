import { randomBytes } from "node:crypto";
import type { NewSecret } from "../../database/webhookSecrets.ts";
import type { KeyVault, SecretPlace } from "../../domain/keyVault.ts";
import { webhookSecret, webhookSecretBytes, webhookSecretHint } from "../../domain/signatures.ts";

/** Makes a secret for a monitor's webhooks: as its owner is shown it, this once, and as it is kept. */
export async function createSecret(vault: KeyVault, monitorId: string): Promise<NewSecret & { secret: string }> {
  const secret = webhookSecret(randomBytes(webhookSecretBytes));
  const sealed = await vault.seal(webhookSecretPlace(monitorId), Buffer.from(secret));
  return { secret, sealed, hint: webhookSecretHint(secret) };
}

/** A secret as it was sealed for its monitor. */
export async function openSecret(vault: KeyVault, monitorId: string, sealed: Buffer): Promise<string> {
  return (await vault.open(webhookSecretPlace(monitorId), sealed)).toString();
}

/** The two secrets of a rotation trade places without being sealed anew, so they share one. */
export function webhookSecretPlace(monitorId: string): SecretPlace {
  return { purpose: "webhook_secret", owner: monitorId, record: "signing" };
}
