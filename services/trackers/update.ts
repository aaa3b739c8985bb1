import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../database/pool.ts";
import {
  lockTracker,
  type Tracker,
  type TrackerSettings,
  updateTracker as writeTracker,
} from "../../database/trackers.ts";
import type { TrackerDelivery } from "../../domain/deliveryChoice.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readTracker } from "./read.ts";
import { requireOverrides } from "./requireOverrides.ts";

export interface TrackerChange {
  displayName?: string | null | undefined;
  /** Null: inherit the monitor's again. */
  delivery: Partial<TrackerDelivery>;
  filters?: Readonly<Record<string, unknown>> | undefined;
  isPaused?: boolean | undefined;
}

/** Changes the fields that are set; what is as it should be stays untouched. Throws `tracker_not_found`, or `invalid_body` as creation does. */
export async function updateTracker(
  context: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  trackerId: string,
  change: TrackerChange,
): Promise<Tracker> {
  const now = context.clock();
  await lockTracker(transaction, accountId, trackerId);
  const before = await readTracker(transaction, accountId, trackerId);
  const old: TrackerSettings = {
    displayName: before.displayName,
    delivery: before.delivery,
    filters: before.filters,
    pausedAt: before.pausedAt,
  };
  const { isPaused } = change;
  const settings: TrackerSettings = {
    displayName: change.displayName === undefined ? old.displayName : change.displayName,
    delivery: { ...old.delivery, ...change.delivery },
    filters: change.filters ?? old.filters,
    pausedAt: isPaused === undefined ? old.pausedAt : isPaused ? (old.pausedAt ?? now) : null,
  };
  await requireOverrides(context, transaction, accountId, {
    delivery: settings.delivery,
    monitor: before.monitor,
    changes: change.delivery,
  });
  if (isDeepStrictEqual(old, settings)) return before;
  await writeTracker(transaction, trackerId, settings, now);
  return readTracker(transaction, accountId, trackerId);
}
