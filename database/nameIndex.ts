import { z } from "zod";
import type { EntityProfile } from "../domain/detection/types.ts";
import { entityTypes } from "../domain/entities.ts";
import { count, type Queryable, sql } from "./pool.ts";

export interface EntityName {
  entityId: number;
  name: string;
  isAlias: boolean;
}

const namesPerRead = 5000;
const readNames = z.object({
  names: z.string().nullable(),
  last_id: count.nullable(),
  last_key: z.string().nullable(),
});

/** How many names there are. */
export async function countNames(db: Queryable): Promise<number> {
  return db.oneFirst(sql.type(z.object({ n: count }))`select count(*) as n from entity_name`);
}

/** All names, in parts of 5,000, so that no part of them but the last is held twice. Line ends within names arrive as spaces. */
export async function* readAllNames(db: Queryable): AsyncGenerator<EntityName[]> {
  let after: { id: number; key: string } = { id: 0, key: "" };
  for (;;) {
    // One text for all rows of a part: rows or values of their own would cost more time to receive than to index, and garbage that the
    // process keeps as memory.
    const part = await db.one(sql.type(readNames)`
      select string_agg(concat_ws(' ', entity_id, is_alias::int, translate(name, E'\\n', ' ')), E'\\n') as names,
        (array_agg(entity_id))[count(*)] as last_id, (array_agg(key))[count(*)] as last_key
      from (
        select entity_id, key, name, is_alias from entity_name where (entity_id, key) > (${after.id}, ${after.key} collate "C")
        order by entity_id, key limit ${namesPerRead}
      ) as part`);
    if (part.names === null || part.last_id === null || part.last_key === null) return;
    yield part.names.split("\n").map(nameOfLine);
    after = { id: part.last_id, key: part.last_key };
  }
}

function nameOfLine(line: string): EntityName {
  const afterId = line.indexOf(" ");
  return {
    entityId: Number(line.slice(0, afterId)),
    isAlias: line[afterId + 1] === "1",
    name: line.slice(afterId + 3),
  };
}
const beginningsRow = z.object({ names: z.array(z.number()), going_on: z.array(z.number()) });

/** Which of some texts are folded names, and with which of them, and a space behind, longer ones begin; what is neither is left out. */
export async function readBeginnings(
  db: Queryable,
  texts: readonly string[],
): Promise<Map<string, { isName: boolean; goesOn: boolean }>> {
  // The first key that is not before a text says all, so each costs two steps down the index, however many names begin with it.
  const { names, going_on: goingOn } = await db.one(sql.type(beginningsRow)`
    select coalesce(array_agg(place) filter (where is_name), '{}') as names, coalesce(array_agg(place) filter (where goes_on), '{}') as going_on
    from (
      select place::int4, exact.key is not null as is_name, coalesce(starts_with(longer.key, asked.text || ' '), false) as goes_on
      from unnest(${sql.array([...texts], "text")}) with ordinality as asked (text, place)
        left join lateral (select key from entity_name where key = asked.text collate "C" limit 1) as exact on true
        left join lateral (select key from entity_name where key > (asked.text || ' ') collate "C" order by key limit 1) as longer on true
    ) as known`);
  const found = new Map<string, { isName: boolean; goesOn: boolean }>();
  const of = (place: number) => {
    const text = texts[place - 1] ?? "";
    const known = found.get(text) ?? { isName: false, goesOn: false };
    found.set(text, known);
    return known;
  };
  for (const place of names) of(place).isName = true;
  for (const place of goingOn) of(place).goesOn = true;
  return found;
}

const nameRow = z
  .object({ entity_id: count, name: z.string(), is_alias: z.boolean() })
  .transform((row): EntityName => ({ entityId: row.entity_id, name: row.name, isAlias: row.is_alias }));

/** The names of some entities. */
export async function readNamesOf(db: Queryable, entityIds: readonly number[]): Promise<readonly EntityName[]> {
  return db.any(sql.type(nameRow)`
    select entity_id, name, is_alias from entity_name where entity_id = any(${sql.array([...entityIds], "int8")}) order by entity_id, key`);
}

export interface KeyedName extends EntityName {
  /** The folded form. */
  key: string;
}
const keyedRow = z
  .object({ entity_id: count, key: z.string(), name: z.string(), is_alias: z.boolean() })
  .transform((row): KeyedName => ({ entityId: row.entity_id, key: row.key, name: row.name, isAlias: row.is_alias }));

/** Names by their folded forms. */
export async function readNamesByKey(db: Queryable, keys: readonly string[]): Promise<readonly KeyedName[]> {
  return db.any(sql.type(keyedRow)`
    select entity_id, key, name, is_alias from entity_name where key = any(${sql.array([...keys], "text")})`);
}

export interface NameChanges {
  changes: readonly { seq: number; entityIds: number[] }[];
  /** Where to read on: no transaction before it can still add changes. */
  position: string;
}

/** Where the changes of names are now. */
export async function nameChangePosition(db: Queryable): Promise<string> {
  return db.oneFirst(
    sql.type(z.object({ xmin: z.string() }))`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`,
  );
}

/**
 * What changed since a position. Transactions that were open at the position may have committed only now, before or after others, so what is visible from it on is
 * read again: a change that was seen already comes a second time, with the same `seq`, but none is missed.
 */
export async function readNameChanges(db: Queryable, position: string): Promise<NameChanges> {
  const { xmin, changes } = await db.one(sql.type(
    z.object({ xmin: z.string(), changes: z.array(z.tuple([z.number(), z.array(z.number())])).nullable() }),
  )`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
      (select json_agg(json_build_array(seq, entity_ids) order by seq) from entity_name_change where xid >= ${position}::xid8) as changes`);
  return { changes: (changes ?? []).map(([seq, entityIds]) => ({ seq, entityIds })), position: xmin };
}

/** Forgets changes that every reader has long seen. */
export async function purgeNameChanges(db: Queryable, keptHours: number): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from entity_name_change where changed_at < now() - make_interval(hours => ${keptHours})`);
}

const profileRow = z
  .object({
    named_id: count,
    id: count,
    name: z.string(),
    type: z.enum(entityTypes),
    owner_id: count.nullable(),
    mention_count: count,
    description: z.string().nullable(),
  })
  .transform((row): [number, EntityProfile] => [
    row.named_id,
    {
      entityId: row.id,
      name: row.name,
      type: row.type,
      ownerId: row.owner_id,
      mentionCount: row.mention_count,
      description: row.description,
    },
  ]);

/** What is known of entities, merges resolved, by the ids asked for. Read afresh for every transcript: merges count from their commit on. */
export async function readProfiles(db: Queryable, entityIds: readonly number[]): Promise<Map<number, EntityProfile>> {
  const rows = await db.any(sql.type(profileRow)`
    select supplied.id as named_id, entity.id, entity.name, entity.type, coalesce(owner.canonical_id, owner.id) as owner_id,
      entity.mention_count, left(entity.description, 1000) as description
    from entity as supplied join entity on entity.id = coalesce(supplied.canonical_id, supplied.id)
      left join entity as owner on owner.id = entity.owner_id
    where supplied.id = any(${sql.array([...entityIds], "int8")})`);
  return new Map(rows);
}

const topicRow = z
  .object({ entity_id: count, videos: count })
  .transform((row): [number, number] => [row.entity_id, row.videos]);

/** In how many of the channel's newest 50 videos each of the entities was mentioned, merges resolved; other entities are not counted. */
export async function readChannelTopics(
  db: Queryable,
  channelId: string,
  entityIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.any(sql.type(topicRow)`
    with recent as materialized (
      select id from video where channel_id = ${channelId} order by published_at desc nulls last limit 50
    )
    select coalesce(entity.canonical_id, entity.id) as entity_id, count(distinct mention.video_id) as videos
    from recent join mention on mention.video_id = recent.id join entity on entity.id = mention.entity_id
    where mention.entity_id = any(${sql.array([...entityIds], "int8")})
    group by 1`);
  return new Map(rows);
}

/** The entities that stand for a channel. */
export async function readChannelEntityIds(db: Queryable, channelId: string): Promise<number[]> {
  const ids = await db.anyFirst(sql.type(z.object({ id: count }))`
    select distinct coalesce(canonical_id, id) as id from entity where platform_id = ${channelId} and type = 'channel'`);
  return [...ids];
}
