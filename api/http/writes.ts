import type { Request, Response } from "express";
import type { Transaction } from "../../database/pool.ts";
import type { ServiceContext } from "../../services/context.ts";
import { onceOnly } from "../../services/idempotency/onceOnly.ts";
import { type RenderedAnswer, renderAnswer } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import { readIdempotencyKey, requestFingerprint } from "./idempotencyKey.ts";
import type { PreparedWrite, RawCall, WriteOperation } from "./operation.ts";

/** Carries out a write: reads its body, and runs its handler in one transaction, once for an Idempotency-Key. */
export async function serveWrite(
  operation: WriteOperation,
  raw: Omit<RawCall, "body">,
  readBody: () => Promise<Buffer>,
  request: Request,
  response: Response,
): Promise<RenderedAnswer> {
  const { context, principal } = raw;
  const key = principal.kind === "account" ? readIdempotencyKey(request) : null;
  const body = await readBody();
  const run = () => operation.prepare({ ...raw, body });
  if (principal.kind !== "account" || key === null) return runOnce(context, run(), request.exchange);

  const scope = { accountId: principal.caller.accountId, key };
  const outcome = await onceOnly(context, scope, requestFingerprint(request, body), (transaction) =>
    render(run(), transaction, request.exchange),
  );
  if (outcome.replayed) {
    request.exchange.replayed = true;
    response.setHeader("Idempotency-Replayed", "true");
  }
  return outcome.response;
}

function runOnce(context: ServiceContext, prepared: PreparedWrite, exchange: Exchange): Promise<RenderedAnswer> {
  return context.pool.transaction((transaction) => render(prepared, transaction, exchange));
}

async function render(prepared: PreparedWrite, transaction: Transaction, exchange: Exchange): Promise<RenderedAnswer> {
  const answer = await prepared(transaction);
  if (answer.rows !== undefined) exchange.rows = answer.rows;
  return renderAnswer(answer);
}
