import { z } from "zod";
import type { ApiKey } from "../../../database/keys.ts";
import { keyPrefixes } from "../../../domain/apiKeys.ts";
import { scopes } from "../../../domain/plans.ts";
import { idParameter } from "../ids.ts";

export const keyId = idParameter("Id of the key.", "key_01k4z8m3v9f0k8xqj7t2w5n6cd");

export const apiKey = z
  .object({
    key_id: z.string().meta({ example: "key_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    account_id: z.string().nullable().meta({ description: "null: an internal key." }),
    name: z.string(),
    key_prefix: z.string().meta({ description: "How the key begins.", example: "svc_sk_a3f1" }),
    key_last4: z.string().meta({ description: "How it ends.", example: "9c0e" }),
    scopes: z.array(z.enum(scopes)),
    state: z.enum(["active", "disabled", "deleted", "expired"]),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().meta({ description: "A few seconds behind." }),
    last_used_ip: z.string().nullable().meta({ example: "203.0.113.7" }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApiKey", description: "A key without its secret, which is shown once, by its creation." });
export const wrappedKey = z.object({ api_key: apiKey });

export const newKey = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}*$/u, "must hold no control characters")
      .optional()
      .meta({ description: "To tell keys apart.", example: "production" }),
    scopes: z.array(z.enum(scopes)).max(scopes.length).optional().meta({
      description: "Left out: all that the tier allows. More than it allows is refused. `read` is on every key.",
    }),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: "When the key stops working.", example: "2027-01-31T00:00:00Z" }),
  })
  .meta({ id: "NewApiKey" });

export const createdKey = z
  .object({
    key: z.string().meta({ description: "The secret: shown this once.", example: `${keyPrefixes.secret}…` }),
    api_key: apiKey,
  })
  .meta({ id: "CreatedApiKey" });

/** `now` decides whether an active key has expired. */
export function shapeKey(record: ApiKey, now: Date): z.input<typeof apiKey> {
  const hasExpired = record.state === "active" && record.expiresAt !== null && record.expiresAt <= now;
  return {
    key_id: record.keyId,
    account_id: record.accountId,
    name: record.name,
    key_prefix: `${record.accountId === null ? keyPrefixes.internal : keyPrefixes.secret}${record.secretPrefix}`,
    key_last4: record.secretLast4,
    scopes: record.scopes,
    state: hasExpired ? "expired" : record.state,
    expires_at: record.expiresAt?.toISOString() ?? null,
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    last_used_ip: record.lastUsedIp,
    created_at: record.createdAt.toISOString(),
  };
}
