import { z } from "zod";
import { count, type SqlFragment, sql, type Transaction } from "./pool.ts";

/** Evidence that reads as another entity's from now on: that of the members, which read as `currentId` until now, as `targetId`'s. */
export interface NewReading {
  memberIds: readonly number[];
  currentId: number;
  targetId: number;
}

/**
 * Brings the sets up to date with the oldest changes of evidence, of at most so many videos, and forgets those changes, in one statement and
 * so with one view of the mentions. The caller holds the locks of relations and of merges. Returns how many changes that were, and which
 * entities and platform channels they, or merges of late, concern.
 */
export async function applyEvidenceChanges(transaction: Transaction, maxVideos: number): Promise<Concerned> {
  const { reduced, ...concerned } = await change(transaction, {
    videos: sql.fragment`
      select distinct video_id from (select video_id from evidence_change order by id limit ${maxVideos * 50}) as oldest limit ${maxVideos}`,
    forgotten: sql.fragment`delete from evidence_change using video_batch where evidence_change.video_id = video_batch.video_id returning id`,
    reading: null,
  });
  await settleReduced(transaction, reduced);
  return concerned;
}

/**
 * Brings the sets up to date with a merge or its undoing that is about to be written. Looks at every video that the members take part in,
 * so it is for entities with little evidence. Returns what to settle once it is written. The caller holds the lock of merges.
 */
export async function applyNewReading(transaction: Transaction, reading: NewReading): Promise<readonly ReducedPair[]> {
  const memberIds = sql.array([...reading.memberIds], "int8");
  const platformIds = sql.fragment`(
    select platform_id from entity where id = any(${memberIds}) and type = 'channel' and platform_id is not null)`;
  const { reduced } = await change(transaction, {
    videos: sql.fragment`
      select video_id from mention where entity_id = any(${memberIds})
      union select video_id from evidence_change where entity_id = any(${memberIds}) and mentions < 0
      union select video_id from mention where channel_id in ${platformIds}
      union select video_id from evidence_change where channel_id in ${platformIds} and mentions < 0`,
    forgotten: sql.fragment`select id from evidence_change where false`,
    reading,
  });
  return reduced;
}

interface Concerned {
  changes: number;
  entityIds: readonly number[];
  channelIds: readonly string[];
}

interface Change {
  videos: SqlFragment;
  forgotten: SqlFragment;
  reading: NewReading | null;
}

const changedRow = z
  .object({
    forgotten: count,
    entity_ids: z.array(z.string()),
    channel_ids: z.array(z.string()),
    set_ids: z.array(z.string()),
    related_ids: z.array(z.string()),
    first_gone: z.array(z.string().nullable()),
    last_gone: z.array(z.string()),
  })
  .transform((row) => ({
    changes: row.forgotten,
    entityIds: row.entity_ids.map(Number),
    channelIds: row.channel_ids,
    reduced: row.set_ids.map((setId, n): ReducedPair => [
      setId,
      row.related_ids[n] ?? "",
      row.first_gone[n] ?? null,
      row.last_gone[n] ?? "",
    ]),
  }));
/** Set, related entity, and the first and last time among those at which they no longer meet. */
export type ReducedPair = [string, string, string | null, string];

/**
 * What a set has counted of a video is what the video has now, less the changes that the set has not seen yet. Each pair of a subject and
 * another participant of the videos is told apart before and after, and the set takes the difference.
 */
async function change(
  transaction: Transaction,
  { videos, forgotten, reading }: Change,
): Promise<Concerned & { reduced: readonly ReducedPair[] }> {
  const readsAs = (id: SqlFragment, canonicalId: SqlFragment) =>
    reading === null
      ? canonicalId
      : sql.fragment`case when ${id} = any(${sql.array([...reading.memberIds], "int8")}) then ${reading.targetId}::int8 else ${canonicalId} end`;
  const member = {
    before: sql.fragment`coalesce(entity.canonical_id, entity.id)`,
    after: readsAs(sql.fragment`entity.id`, sql.fragment`coalesce(entity.canonical_id, entity.id)`),
  };
  // A merge changes only pairs that one of the two is in.
  const concerned =
    reading === null
      ? sql.fragment`true`
      : sql.fragment`(subject_id in (${reading.currentId}, ${reading.targetId}) or subject_id in (before_id, after_id)
          or before_id in (${reading.currentId}, ${reading.targetId}) or after_id in (${reading.currentId}, ${reading.targetId}))`;
  const seen = sql.fragment`greatest(0, voice.n - coalesce(unseen.n, 0))`;
  return transaction.one(sql.type(changedRow)`
    with video_batch as materialized (${videos}),
    pending as materialized (
      select evidence_change.* from video_batch join evidence_change on evidence_change.video_id = video_batch.video_id
    ), spoken as materialized (
      select mention.video_id, entity_id, count(*) as n, max(sorted_at) as sorted_at, max(channel_id) as channel_id
      from video_batch join mention on mention.video_id = video_batch.video_id group by mention.video_id, entity_id
    ), place as materialized (
      select video_id, max(sorted_at) as sorted_at, max(channel_id) as channel_id from spoken group by video_id
    ), voice as materialized (
      select video_id, entity_id, n, ${member.before} as before_id, ${member.after} as after_id
      from (
        select video_id, entity_id, max(n) as n from (
          select video_id, entity_id, n from spoken union all select video_id, entity_id, 0 from pending
        ) as each group by video_id, entity_id
      ) as each join entity on entity.id = entity_id
    ), publisher as materialized (
      select video_id, published.channel_id, ${member.before} as before_id, ${member.after} as after_id
      from (select video_id, channel_id from place union select video_id, channel_id from pending) as published
        join entity on entity.platform_id = published.channel_id and entity.type = 'channel'
    ), touched as materialized (
      select relation_set.id as set_id, video_id, subject_id, row_group, snapshot
      from (
        select video_id, before_id as id from voice union select video_id, after_id from voice
        union select video_id, before_id from publisher union select video_id, after_id from publisher
      ) as taking_part join relation_set on subject_id = taking_part.id and state = 'ready'
    ), unseen_each as materialized (
      select set_id, pending.* from touched join pending using (video_id) where not pg_visible_in_snapshot(transaction_id, snapshot)
    ), unseen as materialized (
      select set_id, video_id, entity_id, sum(mentions)::int8 as n from unseen_each group by set_id, video_id, entity_id
    ), moved as (
      -- where a video was before it changed its date or channel
      select set_id, video_id, (array_agg(sorted_at order by id) filter (where mentions < 0))[1] as sorted_at,
        (array_agg(channel_id order by id) filter (where mentions < 0))[1] as channel_id, max(sorted_at) as any_sorted_at, max(channel_id) as any_channel_id
      from unseen_each group by set_id, video_id
    ), setting as materialized (
      select touched.*, coalesce(moved.sorted_at, place.sorted_at, any_sorted_at) as before_at,
        coalesce(moved.channel_id, place.channel_id, any_channel_id) as before_channel_id,
        ${
          reading === null
            ? sql.fragment`coalesce(place.sorted_at, any_sorted_at) as after_at, coalesce(place.channel_id, any_channel_id) as after_channel_id`
            : sql.fragment`coalesce(moved.sorted_at, place.sorted_at, any_sorted_at) as after_at,
                coalesce(moved.channel_id, place.channel_id, any_channel_id) as after_channel_id`
        }
      from touched left join moved using (set_id, video_id) left join place using (video_id)
      where ${reading === null ? sql.fragment`moved.set_id is not null` : sql.fragment`true`}
    ), counted as (
      select setting.*, before_id, after_id, ${seen} as before_n, ${reading === null ? sql.fragment`voice.n` : seen} as after_n
      from setting join voice using (video_id) left join unseen using (set_id, video_id, entity_id)
      where ${concerned}
    ), part as materialized (
      select set_id, video_id, subject_id, row_group, at, is_after, id, sum(n)::int8 as n from (
        select set_id, video_id, subject_id, row_group, before_at as at, false as is_after, before_id as id, before_n as n from counted where before_n > 0
        union all
        select set_id, video_id, subject_id, row_group, after_at, true, after_id, after_n from counted where after_n > 0
        union all
        select set_id, video_id, subject_id, row_group, before_at, false, before_id, 0
        from setting join publisher using (video_id) where channel_id = before_channel_id and ${concerned}
        union all
        select set_id, video_id, subject_id, row_group, after_at, true, after_id, 0
        from setting join publisher using (video_id) where channel_id = after_channel_id and ${concerned}
      ) as each group by set_id, video_id, subject_id, row_group, at, is_after, id
    ), pair as (
      select part.set_id, part.video_id, part.id, sum(case when part.is_after then part.n else -part.n end)::int8 as n,
        max(part.at) filter (where part.is_after) as after_at, max(part.at) filter (where not part.is_after) as before_at
      from part join part as subject
          on subject.id = part.subject_id and subject.set_id = part.set_id and subject.video_id = part.video_id and subject.is_after = part.is_after
        join entity on entity.id = part.id and group_of_type(entity.type) = part.row_group
      where part.id <> part.subject_id and (part.n > 0 or part.row_group = 'channel')
      group by part.set_id, part.video_id, part.id
    ), difference as materialized (
      select pair.set_id, pair.id, sum(n)::int8 as mentions, (count(after_at) - count(before_at))::int8 as media,
        min(nullif(after_at, '0001-01-01Z')) as first_met, max(after_at) as last_met,
        min(nullif(before_at, '0001-01-01Z')) filter (where after_at is distinct from before_at) as first_gone,
        max(before_at) filter (where after_at is distinct from before_at) as last_gone
      from pair left join relation on relation.set_id = pair.set_id and related_id = pair.id
      group by pair.set_id, pair.id
      -- times are compared for what was left alone too: one may have been looked up while its video was still waiting here
      having sum(n) <> 0 or bool_or(after_at is distinct from before_at)
        or max(after_at) > max(last_seen_at) or min(nullif(after_at, '0001-01-01Z')) < coalesce(min(first_seen_at), 'infinity')
    ), texts as (
      insert into relation_text (entity_id, name, description)
      select id, folded(name), folded(description) from entity where id in (select id from difference where last_met is not null) order by id
      on conflict do nothing
    ), written as (
      insert into relation (set_id, related_id, name_order, mention_count, media_count, first_seen_at, last_seen_at)
      select set_id, id, name_order(entity.name), mentions, media, first_met, coalesce(last_met, '0001-01-01Z')
      from difference join entity using (id) order by set_id, id
      on conflict (set_id, related_id) do update set
        mention_count = relation.mention_count + excluded.mention_count, media_count = relation.media_count + excluded.media_count,
        first_seen_at = least(relation.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(relation.last_seen_at, excluded.last_seen_at)
    ), forgotten as (${forgotten}),
    reduced as materialized (select * from difference where last_gone is not null)
    select (select count(*) from forgotten) as forgotten,
      array(
        select after_id::text from voice union select from_id::text from identity_change where changed_at > now() - interval '1 hour'
        union select into_id::text from identity_change where changed_at > now() - interval '1 hour'
      ) as entity_ids,
      array(select distinct channel_id from pending) as channel_ids,
      array(select set_id::text from reduced order by reduced.set_id, reduced.id) as set_ids, array(select id::text from reduced order by reduced.set_id, reduced.id) as related_ids,
      array(select first_gone::text from reduced order by reduced.set_id, reduced.id) as first_gone,
      array(select last_gone::text from reduced order by reduced.set_id, reduced.id) as last_gone`);
}

/** Pairs that no longer meet go; of those that still do, the first and last time is looked up where it was among the times that went. */
export async function settleReduced(transaction: Transaction, reduced: readonly ReducedPair[]): Promise<void> {
  if (reduced.length === 0) return;
  const pairs = sql.fragment`${sql.unnest([...reduced], ["int8", "int8", "timestamptz", "timestamptz"])} as reduced (set_id, related_id, first_gone, last_gone)`;
  await transaction.query(sql.typeAlias("void")`
    delete from relation using ${pairs}
    where relation.set_id = reduced.set_id and relation.related_id = reduced.related_id and media_count <= 0`);
  await transaction.query(sql.typeAlias("void")`
    update relation set first_seen_at = seen.first_seen_at, last_seen_at = seen.last_seen_at
    from ${pairs} join relation_set on relation_set.id = reduced.set_id,
      lateral (select ${meeting("asc")} as first_seen_at, coalesce(${meeting("desc")}, '0001-01-01Z') as last_seen_at) as seen
    where relation.set_id = reduced.set_id and relation.related_id = reduced.related_id
      and (relation.first_seen_at >= reduced.first_gone or relation.last_seen_at <= reduced.last_gone)`);
}

/**
 * The first or last time that the subject of the set and the related entity meet; stops at the first such video of each member. Videos with
 * changes that the set has not seen are left to when it does.
 */
function meeting(order: "asc" | "desc"): SqlFragment {
  const direction = order === "asc" ? sql.fragment`asc` : sql.fragment`desc`;
  const isSubject = sql.fragment`(member.id = relation_set.subject_id or member.canonical_id = relation_set.subject_id)`;
  const isRelated = sql.fragment`(member.id = reduced.related_id or member.canonical_id = reduced.related_id)`;
  const tied = sql.fragment`member.platform_id = mention.channel_id and member.type = 'channel'`;
  const isSettled = sql.fragment`sorted_at > '0001-01-01Z' and not exists (
    select from evidence_change where evidence_change.video_id = mention.video_id and not pg_visible_in_snapshot(transaction_id, relation_set.snapshot))`;
  return sql.fragment`(
    select ${order === "asc" ? sql.fragment`min(sorted_at)` : sql.fragment`max(sorted_at)`} from (
      select spoken.sorted_at from entity as related, lateral (
        select sorted_at from mention
        where entity_id = related.id and ${isSettled} and (
          exists (select from mention as other join entity as member on member.id = other.entity_id where other.video_id = mention.video_id and ${isSubject})
          or exists (select from entity as member where ${tied} and ${isSubject}))
        order by sorted_at ${direction}, id ${direction} limit 1
      ) as spoken
      where related.id = reduced.related_id or related.canonical_id = reduced.related_id
      union all
      select published.sorted_at from entity as subject, lateral (
        select sorted_at from mention
        where entity_id = subject.id and ${isSettled} and exists (select from entity as member where ${tied} and ${isRelated})
        order by sorted_at ${direction}, id ${direction} limit 1
      ) as published
      where relation_set.row_group = 'channel' and (subject.id = relation_set.subject_id or subject.canonical_id = relation_set.subject_id)
    ) as meetings
  )`;
}
