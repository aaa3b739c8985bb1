import { type Delivery, listDeliveriesById } from "../../database/alertDeliveries.ts";
import { lockAlert, type RecordedAttempts, recordAttempts as writeAttempts } from "../../database/deliveryAttempts.ts";
import type { Transaction } from "../../database/pool.ts";
import { disableWebhook, insertNotice, stopWaitingForWebhook } from "../../database/webhookFailures.ts";
import { describeProblem } from "../../domain/delivery/attemptReport.ts";
import { consequenceOf } from "../../domain/delivery/attempts.ts";
import type { DeliveryProgress } from "../../domain/delivery/progress.ts";
import { newId } from "../../domain/ids.ts";
import type { ServiceContext } from "../context.ts";
import type { MadeAttempt, PostponedAttempt } from "./makeAttempt.ts";

/**
 * Writes attempts of one alert, or of one test, into the log, with all that follows from them, and says where their deliveries stand then. An
 * attempt whose number stands in the log already changes nothing. The webhook that has failed too often is disabled here, its owner told.
 * What was postponed is no attempt, and leaves no trace.
 */
export async function recordAttempts(
  context: ServiceContext,
  attempts: readonly (MadeAttempt | PostponedAttempt)[],
): Promise<readonly DeliveryProgress[]> {
  const postponed = attempts.flatMap((attempt) => (attempt.kind === "postponed" ? [postponedProgress(attempt)] : []));
  const made = attempts.filter((attempt) => attempt.kind === "made");
  return [...(await recordMade(context, made)), ...postponed];
}

async function recordMade(context: ServiceContext, made: readonly MadeAttempt[]): Promise<readonly DeliveryProgress[]> {
  const records = made.map(({ record }) => record);
  if (records.length === 0) return [];
  // All the first attempts of an alert are written together, so nobody else can be settling it.
  if (records.every(({ outcome, number }) => outcome === "succeeded" && number === 1)) {
    const { freshDeliveryIds } = await writeAttempts(context.pool, records);
    if (freshDeliveryIds.size === records.length) return records.map((record) => succeeded(record));
  } else
    await context.pool.transaction(async (transaction) => {
      const [alertId = null] = records.map((record) => record.alertId);
      if (alertId !== null) await lockAlert(transaction, alertId);
      await judge(context, transaction, made, await writeAttempts(transaction, records));
    });
  return readProgress(context, made);
}

/** Draws the consequence of a failure of a monitor's webhook, while its row is still in this transaction's hands. */
async function judge(
  { settings, clock }: ServiceContext,
  transaction: Transaction,
  made: readonly MadeAttempt[],
  { failureRun, failedDisabled }: RecordedAttempts,
): Promise<void> {
  const attempt = made.find(({ record }) => record.judges === "webhook");
  const monitorId = attempt?.record.monitorId ?? null;
  if (attempt === undefined || monitorId === null || attempt.report === null) return;
  const now = clock();
  if (failedDisabled) return stopWaitingForWebhook(transaction, monitorId, now);
  if (failureRun === null) return;
  const isGone = attempt.report.outcome.kind === "refused";
  const consequence = isGone ? "disable" : consequenceOf(failureRun, settings.alerts.autoDisable, now);
  if (consequence === "none") return;
  if (consequence === "disable") {
    const reason = isGone ? "gone" : "failures";
    if (!(await disableWebhook(transaction, monitorId, { reason, at: now }))) return;
    await stopWaitingForWebhook(transaction, monitorId, now);
  }
  await insertNotice(transaction, {
    noticeId: newId("notice"),
    monitorId,
    consequence,
    failures: failureRun.failures,
    lastError: describeProblem(attempt.report),
    at: now,
  });
}

function succeeded({ deliveryId, channel, number }: MadeAttempt["record"]): DeliveryProgress {
  return { deliveryId, channel, status: "succeeded", attempts: number, nextAttemptSeconds: null, reason: null };
}

function postponedProgress({ delivery, waitSeconds }: PostponedAttempt): DeliveryProgress {
  const { deliveryId, channel, attempts } = delivery;
  const reason = "its receiver has many exchanges under way";
  return { deliveryId, channel, status: "pending", attempts, nextAttemptSeconds: waitSeconds, reason };
}

async function readProgress(
  context: ServiceContext,
  made: readonly MadeAttempt[],
): Promise<readonly DeliveryProgress[]> {
  const deliveries = await listDeliveriesById(
    context.pool,
    made.map(({ record }) => record.deliveryId),
  );
  return deliveries.map((delivery) => {
    const attempt = made.find(({ record }) => record.deliveryId === delivery.deliveryId);
    const problem = attempt?.report == null ? null : describeProblem(attempt.report);
    return progressOf(context, delivery, problem);
  });
}

/** Where a delivery stands; `problem` says what was wrong with its last attempt, where that is known. */
export function progressOf(
  { clock }: ServiceContext,
  { deliveryId, channel, status, attempts, reason, nextAttemptAt }: Delivery,
  problem: string | null,
): DeliveryProgress {
  const waitSeconds = nextAttemptAt === null ? 0 : Math.max(0, (nextAttemptAt.getTime() - clock().getTime()) / 1000);
  return {
    deliveryId,
    channel,
    status,
    attempts,
    nextAttemptSeconds: status === "pending" ? waitSeconds : null,
    reason: reason ?? (status === "succeeded" ? null : problem),
  };
}
