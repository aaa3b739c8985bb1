import { z } from "zod";
import { correctionKinds } from "../domain/corrections/types.ts";
import { entityTypes } from "../domain/entities.ts";
import { type TaughtNameStatus, taughtNameStatuses } from "../domain/teaching/states.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

export interface NewTaughtName {
  entityId: number;
  wrongKey: string;
  /** Empty where there are no right words. */
  rightKey: string;
  wrongWords: string;
  rightWords: string | null;
}

/** Offers a name that a correction taught; one that was taught before is taught once more, and stays as it was decided on. */
export async function offerName(transaction: Transaction, name: NewTaughtName, correctionId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    with taught as (
      insert into taught_name (entity_id, wrong_key, right_key, wrong_words, right_words, status)
      values (${name.entityId}, ${name.wrongKey}, ${name.rightKey}, ${name.wrongWords}, ${name.rightWords}, 'offered')
      on conflict (entity_id, wrong_key, right_key) do update
        set status = case when taught_name.status = 'withdrawn' then 'offered' else taught_name.status end
      returning id
    )
    insert into taught_name_lesson (taught_name_id, correction_id) select id, ${correctionId} from taught on conflict do nothing`);
}

/** Withdraws what is offered and was taught by this correction, which is taken back, and by none that stands. */
export async function withdrawUntaught(transaction: Transaction, correctionId: string): Promise<void> {
  // Locked first: of two withdrawals at once, the later one then sees the other.
  await transaction.query(sql.typeAlias("void")`
    select from taught_name where id in (select taught_name_id from taught_name_lesson where correction_id = ${correctionId})
    order by id for no key update`);
  await transaction.query(sql.typeAlias("void")`
    update taught_name set status = 'withdrawn'
    where id in (select taught_name_id from taught_name_lesson where correction_id = ${correctionId}) and status = 'offered'
      and not exists (
        select from taught_name_lesson as lesson where lesson.taught_name_id = taught_name.id
          and not exists (select from transcript_correction as undone where undone.withdraws_id = lesson.correction_id)
      )`);
}

const nameRow = z
  .object({
    id: count,
    entity_id: count,
    entity_name: z.string(),
    entity_type: z.enum(entityTypes),
    wrong_words: z.string(),
    right_words: z.string().nullable(),
    status: z.enum(taughtNameStatuses),
    offered_at: timestamp,
    decided_by: z.string().nullable(),
    decided_at: timestamp.nullable(),
    with_alias: z.boolean().nullable(),
    video_ids: z.array(z.string()).nullable(),
    alias_of: count.nullable(),
    is_planned: z.boolean(),
    lesson_count: count,
  })
  .transform((row) => ({
    id: row.id,
    entity: { numericId: row.entity_id, name: row.entity_name, type: row.entity_type },
    wrongWords: row.wrong_words,
    rightWords: row.right_words,
    status: row.status,
    offeredAt: row.offered_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    withAlias: row.with_alias,
    videoIds: row.video_ids,
    aliasOf: row.alias_of,
    isPlanned: row.is_planned,
    lessonCount: row.lesson_count,
  }));
/** A name that corrections taught, and what was decided on it; its entity is the canonical one. */
export type TaughtName = z.output<typeof nameRow>;

const select = sql.fragment`
  select taught_name.id, entity.id as entity_id, entity.name as entity_name, entity.type as entity_type, wrong_words, right_words, status,
    offered_at, decided_by, decided_at, with_alias, video_ids, alias_of, planned_at is not null as is_planned, (
      select count(*) from taught_name_lesson as lesson where lesson.taught_name_id = taught_name.id
        and not exists (select from transcript_correction as undone where undone.withdraws_id = lesson.correction_id)
    ) as lesson_count
  from taught_name join entity as told on told.id = taught_name.entity_id join entity on entity.id = coalesce(told.canonical_id, told.id)`;

export async function readTaughtName(db: Queryable, id: number): Promise<TaughtName | null> {
  return db.maybeOne(sql.type(nameRow)`${select} where taught_name.id = ${id}`);
}

/** Lets one decision on a name through at a time; false where there is no such name. */
export async function lockTaughtName(transaction: Transaction, id: number): Promise<boolean> {
  return transaction.exists(sql.typeAlias("void")`select from taught_name where id = ${id} for no key update`);
}

/** The status, which no decision changes before the transaction ends. */
export async function holdStatus(transaction: Transaction, id: number): Promise<TaughtNameStatus | null> {
  return transaction.maybeOneFirst(sql.type(z.object({ status: z.enum(taughtNameStatuses) }))`
    select status from taught_name where id = ${id} for share`);
}

/** A page of the names of some statuses, the oldest first, after the one with the number `after`. */
export async function listTaughtNames(
  db: Queryable,
  statuses: readonly TaughtNameStatus[],
  { limit, after }: { limit: number; after: number | null },
): Promise<readonly TaughtName[]> {
  return db.any(sql.type(nameRow)`
    ${select}
    where taught_name.id in (
      select listed.id from unnest(${sql.array([...statuses], "text")}) as wanted (status) cross join lateral (
        select id from taught_name where (status, id) > (wanted.status collate "C", ${after ?? -1}) and status <= wanted.status collate "C"
        order by status, id limit ${limit}
      ) as listed
      order by listed.id limit ${limit}
    )
    order by taught_name.id`);
}

export interface Decision {
  status: TaughtNameStatus;
  decidedBy: string;
  withAlias: boolean | null;
  videoIds: readonly string[] | null;
  aliasOf: number | null;
}

/** Keeps a decision, whose places are to be listed anew. The name is locked. */
export async function decideOnName(transaction: Transaction, id: number, decision: Decision): Promise<void> {
  const videoIds = decision.videoIds === null ? null : sql.array([...decision.videoIds], "text");
  await transaction.query(sql.typeAlias("void")`
    update taught_name set status = ${decision.status}, decided_by = ${decision.decidedBy}, decided_at = now(), with_alias = ${decision.withAlias},
      video_ids = ${videoIds}, alias_of = ${decision.aliasOf}, planned_at = null
    where id = ${id}`);
}

/** Takes a name on to the next status, unless it is not in the one that it is taken from any more, or was decided on anew. */
export async function moveName(
  db: Queryable,
  { id, status, decidedAt }: Pick<TaughtName, "id" | "status" | "decidedAt">,
  to: TaughtNameStatus,
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update taught_name set status = ${to}
    where id = ${id} and status = ${status} and decided_at is not distinct from ${decidedAt?.toISOString() ?? null}::timestamptz`);
}

/** Says that its alias is taken back. */
export async function forgetAlias(transaction: Transaction, id: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`update taught_name set alias_of = null where id = ${id}`);
}

const lessonRow = z
  .object({
    id: z.string(),
    video_id: z.string(),
    kind: z.enum(correctionKinds),
    seq: z.number(),
    created_at: timestamp,
    is_withdrawn: z.boolean(),
  })
  .transform((row) => ({
    correctionId: row.id,
    videoId: row.video_id,
    kind: row.kind,
    seq: row.seq,
    createdAt: row.created_at,
    isWithdrawn: row.is_withdrawn,
  }));
/** A correction that taught a name. */
export type Lesson = z.output<typeof lessonRow>;

/** The newest corrections that taught a name. */
export async function listLessons(db: Queryable, id: number, limit: number): Promise<readonly Lesson[]> {
  return db.any(sql.type(lessonRow)`
    select correction.id, video_id, kind, seq, created_at,
      exists (select from transcript_correction as undone where undone.withdraws_id = correction.id) as is_withdrawn
    from taught_name_lesson join transcript_correction as correction on correction.id = correction_id
    where taught_name_id = ${id} order by created_at desc, correction.id desc limit ${limit}`);
}

/** The names of canonical entities, and of all that was merged into them, by canonical id. */
export async function readAllNamesOf(
  db: Queryable,
  entityIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db.any(sql.type(z.object({ entity_id: count, name: z.string() }))`
    select asked.id as entity_id, entity_name.name
    from unnest(${sql.array([...entityIds], "int8")}) as asked (id)
      join entity as member on member.id = asked.id or member.canonical_id = asked.id
      join entity_name on entity_name.entity_id = member.id`);
  const byEntity = Map.groupBy(rows, ({ entity_id }) => entity_id);
  return new Map([...byEntity].map(([id, named]) => [id, named.map(({ name }) => name)]));
}

const namesakeRow = z
  .object({ key: z.string(), id: count, name: z.string(), type: z.enum(entityTypes) })
  .transform((row) => ({ key: row.key, entity: { numericId: row.id, name: row.name, type: row.type } }));

/** The canonical entities that have one of these folded names, the most-mentioned first. */
export async function listNamesakes(
  db: Queryable,
  keys: readonly string[],
): Promise<readonly z.output<typeof namesakeRow>[]> {
  return db.any(sql.type(namesakeRow)`
    select key, entity.id, entity.name, entity.type from (
      select distinct entity_name.key, coalesce(named.canonical_id, named.id) as id
      from entity_name join entity as named on named.id = entity_name.entity_id where key = any(${sql.array([...keys], "text")})
    ) as found join entity using (id)
    order by mention_count desc, entity.id`);
}
