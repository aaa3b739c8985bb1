import { saveNames } from "../../database/entityNames.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { attachTrackers } from "../../services/monitors/attachTrackers.ts";
import { createMonitor, type CreateMonitorInput, type WrittenMonitor } from "../../services/monitors/create.ts";
import { createTracker } from "../../services/trackers/create.ts";
import { createEntity } from "./context.ts";

/** An entity that is found by its name; returns its number. */
export async function createNamedEntity(
  context: ServiceContext,
  name: string,
  more: { type?: EntityGroup; aliases?: readonly string[] } = {},
): Promise<number> {
  const { type = "person", aliases = [] } = more;
  const entityId = await createEntity(context, { name, type });
  await saveNames(context.pool, [{ entityId, name, aliases }]);
  return entityId;
}

/** A monitor of the caller's that mails, unless told otherwise. */
export function createTestMonitor(
  context: ServiceContext,
  caller: Caller,
  more: Partial<CreateMonitorInput> = {},
): Promise<WrittenMonitor> {
  const input: CreateMonitorInput = {
    name: "Watch",
    isPaused: false,
    notifyEmail: true,
    emailAddresses: [],
    notifyChat: false,
    chatIntegrationId: null,
    chatChannelId: null,
    notifyWebhook: false,
    webhookUrl: null,
    ...more,
  };
  return context.pool.transaction((transaction) => createMonitor(context, transaction, caller, input));
}

/** A tracker of the caller's on an entity of that name; returns its id. */
export async function createTestTracker(
  context: ServiceContext,
  caller: Caller,
  more: {
    entityName: string;
    entityType?: Exclude<EntityGroup, "unknown">;
    filters?: Record<string, unknown>;
    monitorId?: string;
  },
): Promise<string> {
  const delivery = {
    notifyEmail: null,
    notifyWebhook: null,
    notifyChat: null,
    webhookUrl: null,
    chatChannelId: null,
    chatIntegrationId: null,
  };
  return context.pool.transaction(async (transaction) => {
    const { trackerId } = await createTracker(context, transaction, caller, {
      entityName: more.entityName,
      entityType: more.entityType ?? "person",
      displayName: null,
      delivery,
      filters: more.filters ?? {},
    });
    if (more.monitorId !== undefined) await attachTrackers(context, transaction, caller, more.monitorId, [trackerId]);
    return trackerId;
  });
}
