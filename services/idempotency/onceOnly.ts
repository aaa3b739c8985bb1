import {
  type IdempotencyScope,
  insertStoredAnswer,
  lockIdempotencyKey,
  readStoredAnswer,
  type StoredAnswer,
} from "../../database/idempotency.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { KeyVault, SecretPlace } from "../../domain/keyVault.ts";
import type { ServiceContext } from "../context.ts";

export type StoredResponse = StoredAnswer["response"];

export interface OnceOnlyRequest {
  scope: IdempotencyScope;
  fingerprint: Buffer;
  /** The answer carries a secret: its body is sealed before it is stored. */
  answersSecret: boolean;
}

/**
 * Carries out an effect once for an Idempotency-Key: effect and answer commit together, and a repeat gets the stored bytes.
 * `effect` must throw for anything but a 2xx, so that failures are rolled back and not stored. Throws `idempotency_in_progress` while
 * another request holds the key, and `idempotency_conflict` when it was used for another request (decisions.md "Idempotency-Key").
 */
export async function onceOnly(
  context: ServiceContext,
  { scope, fingerprint, answersSecret }: OnceOnlyRequest,
  effect: (transaction: Transaction) => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; replayed: boolean }> {
  return context.pool.transaction(async (transaction) => {
    if (!(await lockIdempotencyKey(transaction, scope)))
      throw new ApiError("idempotency_in_progress", undefined, { headers: { "Retry-After": "1" } });
    const now = context.clock();
    const keptSince = new Date(now.getTime() - context.settings.idempotencyRetentionSeconds * 1000);
    const stored = await readStoredAnswer(transaction, scope, keptSince);
    if (stored !== null) {
      if (!stored.fingerprint.equals(fingerprint)) throw new ApiError("idempotency_conflict");
      return { response: await readable(context.vault, scope, stored), replayed: true };
    }
    const response = await effect(transaction);
    const kept = answersSecret
      ? { ...response, body: await context.vault.seal(placeOf(scope), response.body) }
      : response;
    await insertStoredAnswer(transaction, scope, { fingerprint, response: kept, sealed: answersSecret }, now);
    return { response, replayed: false };
  });
}

async function readable(vault: KeyVault, scope: IdempotencyScope, stored: StoredAnswer): Promise<StoredResponse> {
  const { response, sealed } = stored;
  return sealed ? { ...response, body: await vault.open(placeOf(scope), response.body) } : response;
}

function placeOf({ owner, key }: IdempotencyScope): SecretPlace {
  return { purpose: "idempotent_response", owner, record: key };
}
