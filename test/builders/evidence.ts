import { z } from "zod";
import { sql, count } from "../../database/pool.ts";
import type { AppearanceRole, ConflictStatus, MentionClass } from "../../domain/evidence.ts";
import type { ServiceContext } from "../../services/context.ts";
import { createEntity } from "./context.ts";

const idRow = z.object({ id: count });
let videoNumber = 0;

/** A new video on a channel, which is made where it is missing; returns its id. */
export async function createVideo(
  { pool }: ServiceContext,
  more: {
    videoId?: string;
    title?: string;
    channelId?: string;
    publishedAt?: Date | null;
    durationSeconds?: number;
  } = {},
): Promise<string> {
  videoNumber += 1;
  const videoId = more.videoId ?? `video-${String(videoNumber).padStart(5, "0")}`;
  const channelId = more.channelId ?? "channel-1";
  const publishedAt = more.publishedAt === undefined ? new Date(Date.UTC(2026, 0, 1, videoNumber)) : more.publishedAt;
  await pool.query(sql.typeAlias("void")`
    insert into channel (id, name) values (${channelId}, ${`Channel ${channelId}`}) on conflict do nothing`);
  await pool.query(sql.typeAlias("void")`
    insert into video (id, title, channel_id, published_at, duration_seconds)
    values (${videoId}, ${more.title ?? `Video ${videoNumber}`}, ${channelId}, ${publishedAt?.toISOString() ?? null}, ${more.durationSeconds ?? 600})`);
  return videoId;
}

/** A new mention of an entity in a video; returns its number. */
export async function createMention(
  { pool }: ServiceContext,
  mention: {
    videoId: string;
    entityId: number;
    startSeconds?: number;
    endSeconds?: number;
    quote?: string;
    isAppearance?: boolean;
    role?: AppearanceRole;
    inAd?: boolean;
    sentimentScore?: number;
    confidence?: number;
  },
): Promise<number> {
  const start = mention.startSeconds ?? 10;
  return pool.oneFirst(sql.type(idRow)`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance,
      appearance_role, in_ad, sentiment_score, confidence, source)
    select video.id, entity.id, video.channel_id, coalesce(video.published_at, '0001-01-01Z'),
      case when canonical.type in ('company', 'brand') then 'organization' else canonical.type end, ${start}, ${mention.endSeconds ?? start + 5},
      ${mention.quote ?? `They spoke of number ${mention.entityId}.`}, ${mention.isAppearance ?? false}, ${mention.role ?? null}, ${mention.inAd ?? false},
      ${mention.sentimentScore ?? null}, ${mention.confidence ?? 0.9}, 'import'
    from video, entity join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    where video.id = ${mention.videoId} and entity.id = ${mention.entityId}
    returning id`);
}

/** A new commercial row; returns its number. */
export async function createRecommendation(
  { pool }: ServiceContext,
  row: {
    videoId: string;
    entityId: number;
    mentionClass?: MentionClass;
    startSeconds?: number | null;
    endSeconds?: number | null;
    quote?: string | null;
    promoCode?: string;
    offer?: string;
    confidence?: number;
    conflictStatus?: ConflictStatus;
  },
): Promise<number> {
  const start = row.startSeconds === undefined ? 10 : row.startSeconds;
  const end = row.endSeconds === undefined ? (start === null ? null : start + 20) : row.endSeconds;
  return pool.oneFirst(sql.type(idRow)`
    insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, verbatim_quote, promo_code,
      offer, confidence, conflict_status, source)
    select id, ${row.entityId}, channel_id, coalesce(published_at, '0001-01-01Z'), ${row.mentionClass ?? "ad_read"}, ${start}, ${end},
      ${row.quote === undefined ? "This video is brought to you by." : row.quote}, ${row.promoCode ?? null}, ${row.offer ?? null},
      ${row.confidence ?? 0.9}, ${row.conflictStatus ?? "none"}, 'import'
    from video where id = ${row.videoId}
    returning id`);
}

/** A new organization with as many mentions, each in a video of its own; their numbers, newest first. */
export async function createMentionedEntity(
  context: ServiceContext,
  mentions: number,
): Promise<{ id: number; mentionIds: number[] }> {
  const id = await createEntity(context, { type: "organization" });
  const mentionIds: number[] = [];
  for (let made = 0; made < mentions; made += 1)
    mentionIds.unshift(await createMention(context, { videoId: await createVideo(context), entityId: id }));
  return { id, mentionIds };
}
