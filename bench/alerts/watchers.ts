import { z } from "zod";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import { sql } from "../../database/pool.ts";
import { newId } from "../../domain/ids.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { connectChat } from "../../services/chat/connect.ts";
import type { ServiceContext } from "../../services/context.ts";
import { createCaller } from "../../test/builders/context.ts";
import type { Installation } from "../../test/builders/installation.ts";
import { createNamedEntity, createTestMonitor } from "../../test/builders/monitors.ts";
import { loopbackToo } from "../../test/builders/receiver.ts";
import type { Receivers } from "./startReceivers.ts";

/** Accounts that each watch the same entities under one monitor with all three channels. */
export interface Watchers {
  context: ServiceContext;
  accountIds: readonly string[];
  entityIds: readonly number[];
}

const plentyOfRows = 1_000_000_000;

export async function createWatchers(
  installation: Installation,
  receivers: Receivers,
  { accounts, entities }: { accounts: number; entities: number },
): Promise<Watchers> {
  // Secrets are sealed as the installation itself seals them.
  const vault = createKeyVault(() => readMasterKeys({ home: installation.where.home }));
  const context: ServiceContext = { ...installation.context, vault, outbound: loopbackToo };
  const entityIds: number[] = [];
  for (let made = 0; made < entities; made += 1)
    entityIds.push(await createNamedEntity(context, `Watched person ${made}`));
  const accountIds: string[] = [];
  for (let made = 0; made < accounts; made += 1) accountIds.push(await createWatcher(context, receivers, entityIds));
  return { context, accountIds, entityIds };
}

async function createWatcher(
  context: ServiceContext,
  receivers: Receivers,
  entityIds: readonly number[],
): Promise<string> {
  const caller = await createCaller(context, { tier: "enterprise", rows: plentyOfRows });
  const { accountId } = caller;
  const { chatIntegrationId } = await connectChat(context, {
    accountId,
    kind: "slack-webhook",
    name: "Bench",
    secret: receivers.chatUrl(accountId),
  });
  const { monitor } = await createTestMonitor(context, caller, {
    notifyEmail: true,
    notifyChat: true,
    chatIntegrationId,
    notifyWebhook: true,
    webhookUrl: receivers.webhookUrl,
  });
  const rows = entityIds.map((entityId) => [newId("tracker"), entityId]);
  await context.pool.query(sql.typeAlias("void")`
    insert into tracker (id, account_id, entity_id, monitor_id, filters, created_at, updated_at)
    select told.id, ${accountId}, told.entity_id, ${monitor.monitorId}, '{}', now(), now()
    from ${sql.unnest(rows, ["text", "int8"])} as told (id, entity_id)`);
  return accountId;
}

/** A video that nothing is known of yet. */
export async function addVideo({ pool }: ServiceContext, videoId: string): Promise<void> {
  await pool.query(
    sql.typeAlias("void")`insert into channel (id, name) values ('channel-1', 'Channel') on conflict do nothing`,
  );
  await pool.query(sql.typeAlias("void")`
    insert into video (id, title, channel_id, published_at, duration_seconds) values (${videoId}, 'A talk', 'channel-1', now(), 600)
    on conflict do nothing`);
}

/**
 * Speaks of the entities in a video, and fires the trackers in the same transaction; says how many. Where it did so before, nothing happens
 * and nothing fires.
 */
export async function speakOf(
  { pool }: ServiceContext,
  videoId: string,
  entityIds: readonly number[],
): Promise<number> {
  return pool.transaction(async (transaction) => {
    const { rowCount } = await transaction.query(sql.type(z.object({}))`
      insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
      select video.id, told.id, video.channel_id, video.published_at, 'person', told.place, told.place + 5, 'What was said there.', 0.9, 'import'
      from video, unnest(${sql.array([...entityIds], "int8")}) with ordinality as told (id, place)
      where video.id = ${videoId} and not exists (select from mention where video_id = ${videoId})`);
    return rowCount === 0 ? 0 : matchTrackers(transaction, videoId, new Map());
  });
}
