import {
  inheritMail,
  lockMonitorMail,
  readMonitorMail,
  stopTrackerMail,
  updateMonitorMail,
} from "../../database/mailSubscriptions.ts";
import type { Transaction } from "../../database/pool.ts";
import { withoutReceiver } from "../../domain/delivery/mailReceivers.ts";
import type { ServiceContext } from "../context.ts";
import type { MailSubscription } from "./link.ts";
import { type MailState, readMailState } from "./read.ts";

/**
 * Ends the mails of a link to its address, for good: only the owner of the monitor can turn them on again. Others that it mails go on
 * getting theirs. What has ended before stays so. Null where the monitor or tracker is gone.
 */
export async function endMailSubscription(
  { pool, clock }: ServiceContext,
  subscription: MailSubscription,
): Promise<MailState | null> {
  return pool.transaction(async (transaction) => {
    const state = await readMailState(transaction, subscription);
    if (state === null || !state.isOn) return state;
    const { source } = state;
    if (source.of === "tracker") await stopTrackerMail(transaction, source.id, clock());
    else await removeReceiver(transaction, source.id, subscription.address, clock());
    return { ...state, isOn: false };
  });
}

async function removeReceiver(transaction: Transaction, monitorId: string, address: string, now: Date): Promise<void> {
  await lockMonitorMail(transaction, monitorId);
  const monitor = await readMonitorMail(transaction, monitorId);
  if (monitor === null) return;
  const { mail, isOver } = withoutReceiver(monitor, address, monitor.accountEmail);
  await updateMonitorMail(transaction, monitorId, mail, now);
  if (isOver) await inheritMail(transaction, monitorId, now);
}
