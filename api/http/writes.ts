import type { Request, Response } from "express";
import { onceCarried, onceOnly } from "../../services/idempotency/onceOnly.ts";
import { newId } from "../../domain/ids.ts";
import type { Principal } from "./access.ts";
import { type Answer, type RenderedAnswer, renderAnswer } from "./answers.ts";
import { readIdempotencyKey, requestFingerprint } from "./idempotencyKey.ts";
import type { RawCall, WriteOperation } from "./operation.ts";

/** Carries out a write: reads its body, and runs its handler, in one transaction unless a workflow commits it, once for an Idempotency-Key. */
export async function serveWrite(
  operation: WriteOperation,
  raw: Omit<RawCall, "body">,
  readBody: () => Promise<Buffer>,
  request: Request,
  response: Response,
): Promise<RenderedAnswer> {
  const { context, principal } = raw;
  const { exchange } = request;
  const owner = ownerOf(principal);
  const key = owner === null ? null : readIdempotencyKey(request);
  const body = await readBody();
  if (owner === null || key === null) {
    const answer =
      operation.carried === null
        ? await context.pool.transaction(operation.prepare({ ...raw, body }))
        : await operation.prepare({ ...raw, body })(newId(operation.carried));
    exchange.rows = answer.rows ?? 0;
    return renderAnswer(answer);
  }

  exchange.hasIdempotencyKey = true;
  const once = { scope: { owner, key }, fingerprint: requestFingerprint(request, body) };
  let answer: Answer | undefined;
  const outcome =
    operation.carried === null
      ? await onceOnly(context, { ...once, answersSecret: operation.answersSecret }, async (transaction) => {
          answer = await operation.prepare({ ...raw, body })(transaction);
          return renderAnswer(answer);
        })
      : await onceCarried(context, { ...once, newEffectId: () => newId(operation.carried) }, async (effectId) => {
          answer = await operation.prepare({ ...raw, body })(effectId);
          return renderAnswer(answer);
        });
  if (outcome.replayed) {
    exchange.replayed = true;
    response.setHeader("Idempotency-Replayed", "true");
  } else exchange.rows = answer?.rows ?? 0;
  return outcome.response;
}

/** Whose Idempotency-Keys a caller uses: its account's, or the internal key's own. */
function ownerOf(principal: Principal): string | null {
  switch (principal.kind) {
    case "anonymous":
      return null;
    case "account":
      return principal.caller.accountId;
    case "internal":
      return principal.caller.keyId;
  }
}
