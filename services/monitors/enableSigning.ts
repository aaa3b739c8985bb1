import type { Transaction } from "../../database/pool.ts";
import { insertWebhookSecret } from "../../database/webhookSecrets.ts";
import type { ServiceContext } from "../context.ts";
import { createSecret } from "./secrets.ts";

/** Gives a monitor that has none a secret to sign with, and returns it. */
export async function enableSigning(
  { vault, clock }: ServiceContext,
  transaction: Transaction,
  monitorId: string,
): Promise<string> {
  const { secret, ...sealed } = await createSecret(vault, monitorId);
  await insertWebhookSecret(transaction, monitorId, sealed, clock());
  return secret;
}
