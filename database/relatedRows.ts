import { typesOfGroup } from "../domain/evidence.ts";
import type { RelatedGroup } from "../domain/relatedLists.ts";
import { type SqlFragment, sql } from "./pool.ts";

/** An entity as related lists count for it: all its members, and the platform channels that those are tied to. */
export interface Subject {
  entityId: number;
  memberIds: readonly number[];
  platformChannelIds: readonly string[];
}

/**
 * Common table expressions that count related entities from the mentions themselves. They leave a table `related (id, mention_count,
 * media_count, first_seen_at, last_seen_at)`: the canonical entities of the group that take part in a video that the subject takes part in.
 * `lastMentionId`: mentions past it are not looked at; null looks at all.
 */
export function relatedRows(subject: Subject, group: RelatedGroup, lastMentionId: number | null): SqlFragment {
  const known = lastMentionId === null ? sql.fragment`true` : sql.fragment`mention.id <= ${lastMentionId}`;
  // Lists that are counted live are short: each row is looked up by itself, whatever their lengths are guessed to be.
  const one = lastMentionId === null ? sql.fragment`` : sql.fragment`offset 0`;
  const ofPlatform =
    subject.platformChannelIds.length === 0
      ? sql.fragment``
      : sql.fragment`union select video_id from mention
          where mention.channel_id = any(${sql.array([...subject.platformChannelIds], "text")}) and ${known}`;
  // A channel takes part in its own videos, whether anybody speaks of it there or not.
  const publishers =
    group === "channel"
      ? sql.fragment`union all
          select coalesce(own.canonical_id, own.id), video_id, sorted_at, 0
          from (select distinct video_id, channel_id, sorted_at from shared) as published
            join entity as own on own.platform_id = published.channel_id and own.type = 'channel'`
      : sql.fragment``;
  return sql.fragment`
    subject_video as materialized (
      select video_id from mention where mention.entity_id = any(${sql.array([...subject.memberIds], "int8")}) and ${known}
      ${ofPlatform.sql === "" ? sql.fragment`group by video_id` : ofPlatform}
    ), shared as ${group === "channel" ? sql.fragment`materialized` : sql.fragment``} (
      select mention.* from subject_video cross join lateral (
        select video_id, entity_id, channel_id, sorted_at from mention where mention.video_id = subject_video.video_id and ${known} ${one}
      ) as mention
    ), told as (
      select member.id, video_id, sorted_at, 1 as n
      from shared cross join lateral (
        select coalesce(canonical_id, entity.id) as id from entity where entity.id = shared.entity_id ${one}
      ) as member
      ${publishers}
    ), related as (
      select told.id, sum(n)::int8 as mention_count, count(distinct video_id) as media_count,
        min(nullif(sorted_at, '0001-01-01Z')) as first_seen_at, max(sorted_at) as last_seen_at
      from told cross join lateral (select type from entity where entity.id = told.id ${one}) as entity
      where entity.type = any(${sql.array([...typesOfGroup(group)], "text")}) and told.id <> ${subject.entityId}
      group by told.id
    )`;
}
