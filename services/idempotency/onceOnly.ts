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
    const now = context.clock();
    const stored = await claim(context, transaction, { scope, fingerprint, now });
    if (stored !== null) return { response: await readable(context.vault, scope, stored), replayed: true };
    const response = await effect(transaction);
    const kept = answersSecret
      ? { ...response, body: await context.vault.seal(placeOf(scope), response.body) }
      : response;
    await insertStoredAnswer(transaction, scope, { fingerprint, response: kept, sealed: answersSecret }, now);
    return { response, replayed: false };
  });
}

/**
 * The same for an effect that is committed elsewhere and that a repeat does not change: the answer is kept after it, in a transaction of its
 * own, so that none is open meanwhile. A repeat that comes while the first is under way, or after a crash between the two, finds what was done
 * done, and changes nothing.
 */
export async function onceCarried(
  context: ServiceContext,
  { scope, fingerprint }: OnceOnlyRequest,
  effect: () => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; replayed: boolean }> {
  const now = context.clock();
  const asked = { scope, fingerprint, now };
  const before = await context.pool.transaction((transaction) => claim(context, transaction, asked));
  if (before !== null) return { response: before.response, replayed: true };
  const response = await effect();
  return context.pool.transaction(async (transaction) => {
    const meanwhile = await claim(context, transaction, asked);
    if (meanwhile !== null) return { response: meanwhile.response, replayed: true };
    await insertStoredAnswer(transaction, scope, { fingerprint, response, sealed: false }, now);
    return { response, replayed: false };
  });
}

/** Takes the key for the transaction, and reads what is stored under it. */
async function claim(
  context: ServiceContext,
  transaction: Transaction,
  { scope, fingerprint, now }: { scope: IdempotencyScope; fingerprint: Buffer; now: Date },
): Promise<StoredAnswer | null> {
  if (!(await lockIdempotencyKey(transaction, scope)))
    throw new ApiError("idempotency_in_progress", undefined, { headers: { "Retry-After": "1" } });
  const keptSince = new Date(now.getTime() - context.settings.idempotencyRetentionSeconds * 1000);
  const stored = await readStoredAnswer(transaction, scope, keptSince);
  if (stored !== null && !stored.fingerprint.equals(fingerprint)) throw new ApiError("idempotency_conflict");
  return stored;
}

async function readable(vault: KeyVault, scope: IdempotencyScope, stored: StoredAnswer): Promise<StoredResponse> {
  const { response, sealed } = stored;
  return sealed ? { ...response, body: await vault.open(placeOf(scope), response.body) } : response;
}

function placeOf({ owner, key }: IdempotencyScope): SecretPlace {
  return { purpose: "idempotent_response", owner, record: key };
}
