import {
  answerEffect,
  endEffectLease,
  forgetEffect,
  type IdempotencyScope,
  insertStoredAnswer,
  keepEffect,
  type KeptKey,
  lockIdempotencyKey,
  readKeptKey,
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

/** How long a repeat is told to wait for whoever is at an effect; longer than one takes. After that it takes over. */
const leaseMilliseconds = 30_000;

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
    const kept = await claim(context, transaction, { scope, fingerprint, now });
    if (kept?.answer) return { response: await readable(context.vault, scope, kept.answer), replayed: true };
    const response = await effect(transaction);
    const sealed = answersSecret
      ? { ...response, body: await context.vault.seal(placeOf(scope), response.body) }
      : response;
    await insertStoredAnswer(transaction, scope, { fingerprint, response: sealed, sealed: answersSecret }, now);
    return { response, replayed: false };
  });
}

/**
 * The same for an effect that is committed elsewhere, so that no transaction is open meanwhile: the key is kept before it, with the id that
 * `effect` carries it out under, once, whoever asks and however often. A repeat after a crash finds that id, and what was done is done. Of a
 * refusal (`ApiError`), which changes nothing, the key is free again; after any other failure a repeat finds out what was done.
 */
export async function onceCarried(
  context: ServiceContext,
  { scope, fingerprint, newEffectId }: Pick<OnceOnlyRequest, "scope" | "fingerprint"> & { newEffectId: () => string },
  effect: (effectId: string) => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; replayed: boolean }> {
  const { pool } = context;
  const begun = await pool.transaction(async (transaction) => {
    const now = context.clock();
    const kept = await claim(context, transaction, { scope, fingerprint, now });
    if (kept?.answer) return { answer: kept.answer.response };
    if (kept?.leasedUntil && kept.leasedUntil > now) throw inProgress();
    const effectId = kept?.effectId ?? newEffectId();
    const leasedUntil = new Date(now.getTime() + leaseMilliseconds);
    await keepEffect(transaction, scope, { fingerprint, effectId, leasedUntil }, now);
    return { effectId };
  });
  if (begun.effectId === undefined) return { response: begun.answer, replayed: true };

  const { effectId } = begun;
  let response: StoredResponse;
  try {
    response = await effect(effectId);
  } catch (error) {
    await (error instanceof ApiError ? forgetEffect : endEffectLease)(pool, scope, effectId);
    throw error;
  }
  if (await answerEffect(pool, scope, effectId, response)) return { response, replayed: false };
  // Whoever took over from us answered first: the key has one answer.
  const kept = await readKeptKey(pool, scope, keptSince(context, context.clock()));
  return kept?.answer ? { response: kept.answer.response, replayed: true } : { response, replayed: false };
}

/** Takes the key for the transaction, and reads what is kept under it. */
async function claim(
  context: ServiceContext,
  transaction: Transaction,
  { scope, fingerprint, now }: { scope: IdempotencyScope; fingerprint: Buffer; now: Date },
): Promise<KeptKey | null> {
  if (!(await lockIdempotencyKey(transaction, scope))) throw inProgress();
  const kept = await readKeptKey(transaction, scope, keptSince(context, now));
  if (kept !== null && !kept.fingerprint.equals(fingerprint)) throw new ApiError("idempotency_conflict");
  return kept;
}

function keptSince({ settings }: ServiceContext, now: Date): Date {
  return new Date(now.getTime() - settings.idempotencyRetentionSeconds * 1000);
}

function inProgress(): ApiError {
  return new ApiError("idempotency_in_progress", undefined, { headers: { "Retry-After": "1" } });
}

async function readable(
  vault: KeyVault,
  scope: IdempotencyScope,
  { response, sealed }: Pick<StoredAnswer, "response" | "sealed">,
): Promise<StoredResponse> {
  return sealed ? { ...response, body: await vault.open(placeOf(scope), response.body) } : response;
}

function placeOf({ owner, key }: IdempotencyScope): SecretPlace {
  return { purpose: "idempotent_response", owner, record: key };
}
