import { z } from "zod";
import { relatedGroupOf, relatedGroups } from "../domain/relatedLists.ts";
import { count, type Queryable, sql, type Transaction } from "./pool.ts";
import { relatedRows } from "./relatedRows.ts";

/** Lets one at a time bring sets up to date or build them. Held to the end of the transaction; merges and reads do not wait for it. */
export async function lockRelations(transaction: Transaction): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from pg_advisory_xact_lock(7428)`);
}

const wantedRow = z
  .object({
    id: count,
    subject_id: count,
    row_group: z.enum(relatedGroups),
    member_ids: z.array(z.string()),
    platform_channel_ids: z.array(z.string()),
    as_of: z.string(),
  })
  .transform((row) => ({
    wantedId: row.id,
    group: row.row_group,
    subject: {
      entityId: row.subject_id,
      memberIds: row.member_ids.map(Number),
      platformChannelIds: row.platform_channel_ids,
    },
    asOf: row.as_of,
  }));
/** A set that is to be built, with what the subject was merged from `asOf` a database snapshot. */
export type WantedSet = z.output<typeof wantedRow>;

/** The set that is wanted most: those that reads miss come first. */
export async function findWantedSet(db: Queryable): Promise<WantedSet | null> {
  return db.maybeOne(sql.type(wantedRow)`
    select id, subject_id, row_group, pg_current_snapshot()::text as as_of,
      array(select entity.id::text from entity where entity.id = subject_id or canonical_id = subject_id) as member_ids,
      array(
        select platform_id from entity where (entity.id = subject_id or canonical_id = subject_id) and type = 'channel' and platform_id is not null
      ) as platform_channel_ids
    from relation_set where state = 'wanted' order by urgent desc, id limit 1`);
}

/** Counts the set from the mentions, however long that takes; reads do not see it yet. Returns its number. */
export async function insertSet(transaction: Transaction, { subject, group }: WantedSet): Promise<number> {
  await transaction.query(sql.typeAlias("void")`set local statement_timeout = 0`);
  const setId = await transaction.oneFirst(sql.type(z.object({ id: count }))`
    with made as (
      insert into relation_set (subject_id, row_group, state, snapshot) values (${subject.entityId}, ${group}, 'gone', pg_current_snapshot())
      returning id
    ), ${relatedRows(subject, group, null)}, written as (
      insert into relation (set_id, related_id, name_order, mention_count, media_count, first_seen_at, last_seen_at)
      select made.id, related.id, '', mention_count, media_count, first_seen_at, last_seen_at from made, related
    )
    select id from made`);
  await transaction.query(sql.typeAlias("void")`
    with texts as (
      insert into relation_text (entity_id, name, description)
      select entity.id, folded(entity.name), folded(entity.description) from relation join entity on entity.id = related_id where set_id = ${setId}
      order by entity.id
      on conflict do nothing
    )
    update relation set name_order = name_order(entity.name) from entity where set_id = ${setId} and entity.id = related_id`);
  return setId;
}

/**
 * Hands the set to reads in place of the one before. The caller holds the lock of merges. Returns false, and changes nothing, where a merge
 * since `asOf` concerns it, so that it would answer wrongly.
 */
export async function switchSet(transaction: Transaction, setId: number, wanted: WantedSet): Promise<boolean> {
  const { entityId } = wanted.subject;
  const isConcerned = await transaction.oneFirst(sql.type(z.object({ yes: z.boolean() }))`
    select exists (
      select from identity_change join entity as source on source.id = from_id join entity as target on target.id = into_id
      where transaction_id >= pg_snapshot_xmin(${wanted.asOf}::pg_snapshot) and not pg_visible_in_snapshot(transaction_id, ${wanted.asOf}::pg_snapshot)
        and (kind = 'retype' or ${entityId} in (from_id, into_id) or group_of_type(source.type) <> group_of_type(target.type)
          or exists (select from relation where set_id = ${setId} and related_id in (from_id, into_id)))
    ) or not exists (select from relation_set where id = ${wanted.wantedId} and state = 'wanted') as yes`);
  if (isConcerned) return false;
  await transaction.query(sql.typeAlias("void")`
    update relation_set set state = 'gone', changed_at = now()
    where subject_id = ${entityId} and row_group = ${wanted.group} and state = 'ready'`);
  await transaction.query(sql.typeAlias("void")`delete from relation_set where id = ${wanted.wantedId}`);
  await transaction.query(sql.typeAlias("void")`
    update relation_set set state = 'ready', changed_at = now() where id = ${setId}`);
  return true;
}

/** Deletes a batch of the rows of sets that nobody reads any more, and what is left of those sets. */
export async function deleteGoneRelations(db: Queryable, limit: number): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count }))`
    with gone as materialized (
      -- a page that found the set a moment ago may still be under way
      select id from relation_set where state = 'gone' and changed_at < now() - interval '1 minute' order by changed_at limit 1
    ), doomed as materialized (
      select set_id, related_id from relation where set_id = (select id from gone) limit ${limit}
    ), deleted as (
      delete from relation using doomed where relation.set_id = doomed.set_id and relation.related_id = doomed.related_id
    ), emptied as (
      delete from relation_set where id = (select id from gone) and (select count(*) from doomed) < ${limit} returning id
    )
    select (select count(*) from doomed) + (select count(*) from emptied) as count`);
}

/** Whether any set is read, so that changes concern them. */
export async function hasReadySets(db: Queryable): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ yes: z.boolean() }))`
    select exists (select from relation_set where state = 'ready') as yes`);
}

/** Mentions of the members and mentions in their platform channels, counted up to `limit`. */
export async function weighEvidence(db: Queryable, memberIds: readonly number[], limit: number): Promise<number> {
  const members = sql.array([...memberIds], "int8");
  return db.oneFirst(sql.type(z.object({ count }))`
    select count(*) from (
      (select from mention where entity_id = any(${members}) limit ${limit})
      union all
      (select from mention where channel_id in (
        select platform_id from entity where id = any(${members}) and type = 'channel' and platform_id is not null) limit ${limit})
    ) as evidence`);
}

/** The sets of an entity that reads as another from now on. */
export async function deleteSetsOf(transaction: Transaction, subjectId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update relation_set set state = 'gone', changed_at = now() where subject_id = ${subjectId} and state = 'ready'`);
  await transaction.query(sql.typeAlias("void")`
    delete from relation_set where subject_id = ${subjectId} and state = 'wanted'`);
}

/** Makes reads count live, until they are built anew, what a merge of the two can have made wrong. */
export async function dropSetsWith(transaction: Transaction, fromId: number, intoId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    select from drop_relation_sets(array(
      select id from relation_set where state = 'ready' and subject_id in (${fromId}, ${intoId})
      union
      select relation_set.id from relation join relation_set on relation_set.id = set_id and state = 'ready'
      where related_id in (${fromId}, ${intoId})
      union
      -- of another type until now, it stood in none of the sets that it belongs to from now on
      select relation_set.id from relation_set join entity as source on source.id = ${fromId} join entity as target on target.id = ${intoId}
      where state = 'ready' and group_of_type(source.type) <> group_of_type(target.type)
        and row_group in (group_of_type(source.type), group_of_type(target.type))
    ))`);
}

/** Wants a set for each of the entities that has one of these groups' lists and so many mentions, or, as a channel, so many in its videos. */
export async function insertWantedSets(
  db: Queryable,
  candidates: { entityIds: readonly number[]; channelIds: readonly string[] },
  heavyMentions: number,
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into relation_set (subject_id, row_group, state, urgent)
    select entity.id, list.row_group, 'wanted', true from (
      select coalesce(canonical_id, id) as id from entity where id = any(${sql.array([...candidates.entityIds], "int8")})
      union
      select coalesce(own.canonical_id, own.id) from unnest(${sql.array([...candidates.channelIds], "text")}) as spoken (channel_id)
        join entity as own on own.platform_id = spoken.channel_id and own.type = 'channel'
    ) as candidate join entity using (id)
      join ${sql.unnest(Object.entries(relatedGroupOf), ["text", "text"])} as list (subject_group, row_group) on subject_group = group_of_type(entity.type)
    where not exists (select from relation_set where subject_id = entity.id and state in ('wanted', 'ready'))
      and (entity.mention_count >= ${heavyMentions} or (group_of_type(entity.type) = 'channel' and ${heavyMentions} <= (
        select count(*) from (
          select from mention where channel_id in (
            select platform_id from entity as own where (own.id = entity.id or own.canonical_id = entity.id) and own.type = 'channel' and platform_id is not null
          ) limit ${heavyMentions}) as spoken)))
    on conflict (subject_id, row_group, state) where state in ('wanted', 'ready') do nothing`);
}
