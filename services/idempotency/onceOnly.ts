import {
  type IdempotencyScope,
  insertStoredAnswer,
  lockIdempotencyKey,
  readStoredAnswer,
  type StoredAnswer,
} from "../../database/idempotency.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

export type StoredResponse = StoredAnswer["response"];

/**
 * Carries out an effect once for an Idempotency-Key: effect and answer commit together, and a repeat gets the stored bytes.
 * `effect` must throw for anything but a 2xx, so that failures are rolled back and not stored. Throws `idempotency_in_progress` while
 * another request holds the key, and `idempotency_conflict` when it was used for another request (decisions.md "Idempotency-Key").
 */
export async function onceOnly(
  context: ServiceContext,
  scope: IdempotencyScope,
  fingerprint: Buffer,
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
      return { response: stored.response, replayed: true };
    }
    const response = await effect(transaction);
    await insertStoredAnswer(transaction, scope, { fingerprint, response }, now);
    return { response, replayed: false };
  });
}
