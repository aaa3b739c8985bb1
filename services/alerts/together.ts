import {
  type AlertPurchase,
  beginAlerts,
  type FiredAlert,
  listFiredAlerts,
  type PaymentOutcome,
} from "../../database/alertDeliveries.ts";
import { listSealedChatsById, type SealedChat } from "../../database/chatIntegrations.ts";
import { type AttemptRecord, lockCounted, recordAttempts } from "../../database/deliveryAttempts.ts";
import type { Pool } from "../../database/pool.ts";
import { listWebhookSecrets, type SealedSecrets } from "../../database/webhookSecrets.ts";
import { createBatches } from "../batches.ts";

/**
 * What first attempts ask of the database. What many alerts ask at the same moment is one statement, so a burst pays for round trips and
 * commits once a batch; nothing is answered from before it was asked.
 */
export interface Together {
  /** Null where there is no such occurrence. */
  readAlert: (alertId: string) => Promise<FiredAlert | null>;
  pay: (purchase: AlertPurchase) => Promise<PaymentOutcome>;
  /** Null where the monitor is gone or has no secret. */
  readSecrets: (monitorId: string) => Promise<SealedSecrets | null>;
  /** Null where it was disconnected. */
  readChat: (chatIntegrationId: string) => Promise<SealedChat | null>;
  /** Writes an alert's first attempts, all of which have succeeded; says which deliveries' were not known yet. */
  recordSuccesses: (attempts: readonly AttemptRecord[]) => Promise<ReadonlySet<string>>;
}

export function createTogether(pool: Pool): Together {
  return {
    readAlert: createBatches({
      run: async (ids: readonly string[]) => {
        const alerts = new Map((await listFiredAlerts(pool, ids)).map((alert) => [alert.alertId, alert]));
        return ids.map((id) => alerts.get(id) ?? null);
      },
      laneOf: (id) => id,
    }),
    pay: createBatches({
      run: (purchases: readonly AlertPurchase[]) => beginAlerts(pool, purchases),
      laneOf: ({ accountId }) => accountId,
    }),
    readSecrets: createBatches({
      run: async (ids: readonly string[]) => {
        const secrets = await listWebhookSecrets(pool, ids);
        return ids.map((id) => secrets.get(id) ?? null);
      },
      laneOf: (id) => id,
    }),
    readChat: createBatches({
      run: async (ids: readonly string[]) => {
        const chats = new Map((await listSealedChatsById(pool, ids)).map((chat) => [chat.chatIntegrationId, chat]));
        return ids.map((id) => chats.get(id) ?? null);
      },
      laneOf: (id) => id,
    }),
    recordSuccesses: createBatches({
      run: async (alerts: readonly (readonly AttemptRecord[])[]) => {
        const { freshDeliveryIds } = await recordTogether(pool, alerts);
        return alerts.map(() => freshDeliveryIds);
      },
      // What is counted of a monitor or, without one, of a tracker.
      laneOf: ([attempt]) => attempt?.monitorId ?? attempt?.trackerId ?? "",
    }),
  };
}

function recordTogether(pool: Pool, alerts: readonly (readonly AttemptRecord[])[]) {
  const attempts = alerts.flat();
  if (alerts.length === 1) return recordAttempts(pool, attempts);
  return pool.transaction(async (transaction) => {
    await lockCounted(transaction, attempts);
    return recordAttempts(transaction, attempts);
  });
}
