import { type ImageDue, listImagesDue, recordImageLook } from "../../database/images.ts";
import type { ImageFinder } from "../../domain/images.ts";
import { OutboundFailure, RefusedTarget } from "../../domain/outbound.ts";
import type { ServiceContext } from "../context.ts";

const batchSize = 20;

/**
 * Looks for the images of a batch of entities and records each look, found or not; `more` says whether others may be left. Pages of one host
 * are asked for one after the other. Safe to repeat.
 */
export async function resolveImages(
  context: ServiceContext,
  finder: ImageFinder,
  signal: AbortSignal,
  limit: number = batchSize,
): Promise<{ looked: number; found: number; more: boolean }> {
  const { recheckDays } = context.settings.images;
  const lookedBefore = new Date(context.clock().getTime() - recheckDays * 86_400_000);
  const due = await listImagesDue(context.pool, lookedBefore, limit);
  let found = 0;
  const look = async (entity: ImageDue) => {
    const imageUrl = await finder.find(pageOf(context, entity), signal).catch(none);
    await recordImageLook(context.pool, { entityId: entity.entityId, imageUrl, at: context.clock() });
    if (imageUrl !== null) found += 1;
  };
  const lanes = Object.values(Object.groupBy(due, (entity) => hostOf(pageOf(context, entity))));
  await Promise.all(
    lanes.map(async (lane = []) => {
      for (const entity of lane) await look(entity);
    }),
  );
  return { looked: due.length, found, more: due.length === limit };
}

/** A page that is not there, or may not be called, shows no image. */
function none(failure: unknown): null {
  if (failure instanceof OutboundFailure || failure instanceof RefusedTarget) return null;
  throw failure;
}

function pageOf({ settings }: ServiceContext, { url, platformId }: ImageDue): string {
  return url ?? settings.channelUrl.replaceAll("{channel_id}", encodeURIComponent(platformId ?? ""));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
