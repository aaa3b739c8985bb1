import { saveNames } from "../../database/entityNames.ts";
import type { EntityType } from "../../domain/entities.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createEntity, type TestContext } from "./context.ts";
import { createRecommendation, createVideo } from "./evidence.ts";

/** An entity that can be found by its name, and by its name with "Inc"; returns its number. */
export async function createBrand(
  context: TestContext,
  name: string,
  type: EntityType = "organization",
): Promise<number> {
  const entityId = await createEntity(context, { name, type });
  await saveNames(context.pool, [{ entityId, name, aliases: [`${name} Inc`] }]);
  return entityId;
}

let channelNumber = 0;

/** A platform's channel with an old video; with a name, an entity is tied to it. Returns the platform's id. */
export async function createChannel(context: TestContext, name?: string): Promise<string> {
  channelNumber += 1;
  const id = `UC-shop-${channelNumber}`;
  await createVideo(context, { channelId: id, publishedAt: new Date("2020-01-01") });
  if (name !== undefined) {
    const entityId = await createEntity(context, { name, type: "channel", platformId: id });
    await saveNames(context.pool, [{ entityId, name, aliases: [] }]);
  }
  return id;
}

type Row = Omit<Parameters<typeof createRecommendation>[1], "videoId" | "entityId">;

/** Rows of an entity, one a video, each video a day after the one before; returns their numbers, newest first. */
export async function createRows(
  context: TestContext,
  entityId: number,
  rows: readonly Row[],
  where: { channelId?: string; from?: Date } = {},
): Promise<number[]> {
  const { from = new Date(Date.UTC(2026, 3, 1)), ...channel } = where;
  const made: number[] = [];
  for (const [day, row] of rows.entries()) {
    const publishedAt = new Date(from.getTime() + day * 86_400_000);
    const videoId = await createVideo(context, { ...channel, publishedAt });
    made.push(await createRecommendation(context, { videoId, entityId, ...row }));
  }
  return made.toReversed();
}

export function merge(context: TestContext, from: number, into: number) {
  return context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
}
