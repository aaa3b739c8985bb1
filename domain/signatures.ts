import { createHmac } from "node:crypto";

const prefix = "whsec_";
export const webhookSecretBytes = 32;

/** How long an old secret goes on signing beside its successor (specification, "Events"). */
export const rotationWindowSeconds = 24 * 60 * 60;

/** What a webhook is signed with: the secret of today and, inside a rotation's window, the one before it. */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}

/** A message as it goes out. */
export interface SignedMessage {
  /** The event's, the same on every attempt. */
  id: string;
  /** Unix time of the attempt. */
  timestampSeconds: number;
  body: string;
}

/** A secret in the form that customers are given: the prefix and base64 of its random bytes (Standard Webhooks 1.0.0, "Signature scheme"). */
export function webhookSecret(random: Buffer): string {
  if (random.length !== webhookSecretBytes) throw new Error(`a webhook secret is made of ${webhookSecretBytes} bytes`);
  return prefix + random.toString("base64");
}

/** What reads show of a secret: its last four characters. */
export function webhookSecretHint(secret: string): string {
  return secret.slice(-4);
}

/**
 * The headers that sign a webhook (decisions.md "Signature"), for two families of verifiers. X-Service-Signature is computed as Stripe does,
 * over `<t>.<body>` under all characters of the secret; the webhook-* headers as Standard Webhooks does, over `<id>.<t>.<body>` under the
 * bytes that follow the prefix in base64. During a rotation the old secret signs in a header of its own, and second in the standard's.
 */
export function signatureHeaders(message: SignedMessage, secrets: SigningSecrets): Record<string, string> {
  const { current, previous } = secrets;
  const { id, timestampSeconds } = message;
  return {
    "X-Service-Signature": serviceSignature(message, current),
    ...(previous !== null && { "X-Service-Signature-Previous": serviceSignature(message, previous) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": [current, ...(previous === null ? [] : [previous])]
      .map((secret) => standardSignature(message, secret))
      .join(" "),
  };
}

function serviceSignature({ timestampSeconds, body }: SignedMessage, secret: string): string {
  const mac = createHmac("sha256", secret).update(`${timestampSeconds}.${body}`).digest("hex");
  return `t=${timestampSeconds},v1=${mac}`;
}

function standardSignature({ id, timestampSeconds, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestampSeconds}.${body}`).digest("base64")}`;
}
