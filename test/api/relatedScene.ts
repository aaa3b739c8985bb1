import { sql } from "../../database/pool.ts";
import { z } from "zod";
import type { EntityType } from "../../domain/entities.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { applyChanges, buildWantedSet } from "../../services/related/keepRelations.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

export interface RelatedRow {
  name: string;
  relation: { mention_count: number; media_count: number; first_seen_at: string | null; last_seen_at: string | null };
}

/** The edge with entities and videos for related lists. An entity with six mentions is kept counted. */
export async function startRelatedScene() {
  const edge: Edge = await startEdge({ settings: { relatedLists: { heavyMentions: 6 } } });
  const { context } = edge;
  const reader = await edge.newKey();
  let entities = 0;
  let channels = 0;
  const read = (path: string, caller: NewKey = reader) => edge.call("GET", path, caller);
  async function rows(path: string): Promise<RelatedRow[]> {
    const answer = await read(path);
    if (answer.status !== 200) throw new Error(`${path} → ${answer.status} ${answer.text}`);
    return answer.json.data;
  }
  return {
    edge,
    context,
    read,
    rows,
    names: async (path: string) => (await rows(path)).map(({ name }) => name),
    merge: (from: number, into: number) =>
      context.pool.transaction((transaction) => mergeEntities(transaction, from, into)),
    async entity(type: EntityType, name: string, more: { platformId?: string; description?: string } = {}) {
      entities += 1;
      const slug = `related-${entities}`;
      return { slug, id: await createEntity(context, { type, name, slug, ...more }) };
    },
    /** A video of a channel of its own, on a day of January 2026, with these in it. */
    async video(members: readonly { id: number }[], more: { channelId?: string; day?: number } = {}) {
      channels += 1;
      const videoId = await createVideo(context, {
        channelId: more.channelId ?? `own-${channels}`,
        publishedAt: new Date(Date.UTC(2026, 0, more.day ?? 1)),
      });
      for (const [n, { id }] of members.entries())
        await createMention(context, { videoId, entityId: id, startSeconds: n });
    },
    async keepCounts() {
      while ((await applyChanges(context)).more);
      while ((await buildWantedSet(context)).built);
    },
    /** How many sets are ready for an entity. */
    readySets: (entityId: number) =>
      context.pool.oneFirst(sql.type(z.object({ sets: z.number() }))`
        select count(*)::int4 as sets from relation_set where subject_id = ${entityId} and state = 'ready'`),
  };
}
