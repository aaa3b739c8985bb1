import type { Transaction } from "../../database/pool.ts";
import { findTrackerId, insertTracker, type Tracker } from "../../database/trackers.ts";
import type { TrackerDelivery } from "../../domain/deliveryChoice.ts";
import { ApiError } from "../../domain/errors.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readTracker } from "./read.ts";
import { requireOverrides } from "./requireOverrides.ts";
import { resolveWatched } from "./resolveWatched.ts";

export interface CreateTrackerInput {
  entityName: string;
  entityType: EntityGroup;
  displayName: string | null;
  delivery: TrackerDelivery;
  filters: Readonly<Record<string, unknown>>;
}

/**
 * Watches the entity of that name and type. Throws `entity_not_found` with the nearest candidates, `duplicate_tracker` with the id of the
 * account's tracker on the same entity, under whatever name, or `invalid_body` for delivery that could not work.
 */
export async function createTracker(
  context: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  input: CreateTrackerInput,
): Promise<Tracker> {
  const { delivery, displayName, filters } = input;
  await requireOverrides(context, transaction, accountId, { delivery, monitor: null, changes: delivery });
  const { entity, memberIds } = await resolveWatched(transaction, input.entityName, input.entityType);
  const existingId = await findTrackerId(transaction, accountId, memberIds);
  if (existingId !== null) throw duplicate(existingId);
  const trackerId = newId("tracker");
  const settings = { displayName, delivery, filters, pausedAt: null };
  const tracker = { ...settings, trackerId, accountId, entityId: entity.numericId };
  if (!(await insertTracker(transaction, tracker, context.clock())))
    throw duplicate((await findTrackerId(transaction, accountId, memberIds)) ?? trackerId);
  return readTracker(transaction, accountId, trackerId);
}

function duplicate(existingId: string): ApiError {
  return new ApiError("duplicate_tracker", undefined, { extra: { existingId } });
}
