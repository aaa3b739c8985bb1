import { createHash } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { tierHasDelivery } from "../../domain/plans.ts";
import { redeliverAlert, redeliverSpan } from "../alerts/redeliver.ts";
import type { ServiceContext } from "../context.ts";
import { onceOnly } from "../idempotency/onceOnly.ts";
import { requireOwner } from "./readMonitor.ts";

/** What an operator has sent again to a monitor's webhook. */
export type RedeliveryRequest = { monitorId: string } & (
  | { kind: "alert"; alertId: string }
  | { kind: "span"; from: Date; to: Date }
);

/** Who asks, and a text that is the same however often one wish is sent: 1 to 200 printable characters. */
export interface OperatorWish {
  keyId: string;
  once: string;
}

const answerSchema = z.object({ count: z.number() });

/**
 * Sends alerts to their webhook again for an operator, as the API does for the monitor's owner: under their own event ids, for 0 rows, and
 * once for each wish, whose repeats within the retention of Idempotency-Keys change nothing. Returns how many are on their way. Throws what
 * `redeliverAlert` and `redeliverSpan` do, `webhook_not_configured` where the plan has no webhooks, and `idempotency_in_progress` while the
 * first of two is being carried out.
 */
export async function redeliver(
  context: ServiceContext,
  { keyId, once }: OperatorWish,
  request: RedeliveryRequest,
): Promise<{ count: number; isRepeat: boolean }> {
  const { response, replayed } = await onceOnly(
    context,
    {
      scope: { owner: keyId, key: `redeliver ${once}` },
      fingerprint: createHash("sha256").update(JSON.stringify(request)).digest(),
      answersSecret: false,
    },
    async (transaction) => {
      const count = await send(context, transaction, request);
      return { status: 202, headers: {}, body: Buffer.from(JSON.stringify({ count })) };
    },
  );
  const { count } = answerSchema.parse(JSON.parse(response.body.toString()));
  return { count, isRepeat: replayed };
}

async function send(context: ServiceContext, transaction: Transaction, request: RedeliveryRequest): Promise<number> {
  const { monitorId } = request;
  const owner = await requireOwner(transaction, monitorId);
  if (!tierHasDelivery(owner.tier, "webhook"))
    throw new ApiError("webhook_not_configured", `Webhooks are not part of the account's plan, ${owner.tier}.`);
  switch (request.kind) {
    case "alert":
      await redeliverAlert(context, transaction, owner, monitorId, request.alertId);
      return 1;
    case "span":
      return redeliverSpan(context, transaction, owner, monitorId, { from: request.from, to: request.to });
  }
}
