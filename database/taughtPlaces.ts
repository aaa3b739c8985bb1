import { z } from "zod";
import {
  type PlaceCounts,
  type PlaceReason,
  placeReasons,
  type PlaceState,
  placeStates,
} from "../domain/teaching/states.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { count, type Queryable, sql, type SqlFragment, type Transaction } from "./pool.ts";

/** Where a segment stands: in the order of videos and of their texts. */
export interface PlaceKey {
  videoId: string;
  position: string;
}

/** Words, and in which videos they are looked for; null: in all. */
export interface SoughtWords {
  words: string;
  videoIds: readonly string[] | null;
}

function pluralOf(said: SqlFragment): SqlFragment {
  return sql.fragment`trim_array(${said}, 1) || ((${said})[cardinality(${said})] || 's')`;
}

/** Segments that hold all the words, the last one perhaps with an "s": more than say them, which is for `findWrong` to tell. */
function candidatesOf({ words, videoIds }: SoughtWords): SqlFragment {
  const said = sql.fragment`said_words(${words})`;
  const signs = sql.fragment`said_signs(${words})`;
  const within =
    videoIds === null ? sql.fragment`` : sql.fragment`and video_id = any(${sql.array([...videoIds], "text")})`;
  return sql.fragment`
    select video_id, position from transcript_segment
    where (said_words(text) @> ${said} or said_words(text) @> (${pluralOf(said)})
      or has_signs(text) and said_signs(text) @> ${signs} or has_signs(text) and said_signs(text) @> (${pluralOf(signs)})) ${within}`;
}

const candidateRow = z
  .object({
    segment_id: z.string(),
    position: z.string(),
    start_seconds: z.number(),
    text: z.string(),
    made_seq: z.number(),
    ...mediaFields,
  })
  .transform((row) => ({
    videoId: row.video_id,
    position: row.position,
    segmentId: row.segment_id,
    startSeconds: row.start_seconds,
    text: row.text,
    madeSeq: row.made_seq,
    media: shapeMedia(row),
  }));
/** A segment that may say the words. */
export type CandidatePlace = z.output<typeof candidateRow>;

const placeColumns = sql.fragment`segment.id as segment_id, segment.position, segment.start_seconds, segment.text, segment.made_seq, ${mediaColumns}`;

/** A page of the segments that may say the words, after a place. */
export async function listCandidates(
  db: Queryable,
  sought: SoughtWords,
  page: { limit: number; after: PlaceKey | null },
): Promise<readonly CandidatePlace[]> {
  return db.any(sql.type(candidateRow)`${candidatesStatement(sought, page)}`);
}

/** The statement of `listCandidates`, so that its plan can be looked at. */
export function candidatesStatement(
  sought: SoughtWords,
  { limit, after }: { limit: number; after: PlaceKey | null },
): SqlFragment {
  return sql.fragment`
    with found as materialized (${candidatesOf(sought)}), page as materialized (
      select * from found where (video_id, position) > (${after?.videoId ?? ""}, ${after?.position ?? ""}) order by video_id, position limit ${limit}
    )
    select ${placeColumns} from page join transcript_segment as segment using (video_id, position)
      join video on video.id = page.video_id join channel on channel.id = video.channel_id
    order by page.video_id, page.position`;
}

/** The texts of the segments that may say the words, at most so many. */
export async function listCandidateTexts(
  db: Queryable,
  sought: SoughtWords,
  limit: number,
): Promise<readonly { videoId: string; text: string }[]> {
  const rows = await db.any(sql.type(z.object({ video_id: z.string(), text: z.string() }))`
    with found as materialized (${candidatesOf(sought)} limit ${limit})
    select video_id, text from found join transcript_segment using (video_id, position)`);
  return rows.map(({ video_id, text }) => ({ videoId: video_id, text }));
}

/**
 * Lists the segments that may say the words as those to be looked at for an accepted name. Once for each time that it is accepted: what was
 * skipped before is looked at again, and what was corrected before stays as it is.
 */
export async function planPlaces(transaction: Transaction, taughtNameId: number, sought: SoughtWords): Promise<void> {
  const within =
    sought.videoIds === null
      ? sql.fragment``
      : sql.fragment`and video_id = any(${sql.array([...sought.videoIds], "text")})`;
  await transaction.query(sql.typeAlias("void")`
    delete from taught_name_place where taught_name_id = ${taughtNameId} and state = 'skipped' ${within}`);
  await transaction.query(sql.typeAlias("void")`
    insert into taught_name_place (taught_name_id, video_id, position, segment_id, made_seq)
    select ${taughtNameId}::int8, video_id, position, id, made_seq
    from (${candidatesOf(sought)}) as found join transcript_segment using (video_id, position)
    on conflict do nothing`);
  await transaction.query(sql.typeAlias("void")`update taught_name set planned_at = now() where id = ${taughtNameId}`);
}

const plannedRow = z
  .object({ video_id: z.string(), position: z.string(), segment_id: z.string(), text: z.string().nullable() })
  .transform((row) => ({
    videoId: row.video_id,
    position: row.position,
    segmentId: row.segment_id,
    /** Of the segment as it is now; null where it is gone. */
    text: row.text,
  }));
export type PlannedPlace = z.output<typeof plannedRow>;

/** The first places in a state, with what is said there now. */
export async function listPlanned(
  db: Queryable,
  taughtNameId: number,
  state: PlaceState,
  limit: number,
): Promise<readonly PlannedPlace[]> {
  return db.any(sql.type(plannedRow)`
    select place.video_id, place.position, place.segment_id, segment.text
    from (
      select * from taught_name_place where taught_name_id = ${taughtNameId} and state = ${state} order by video_id, position limit ${limit}
    ) as place
    left join transcript_segment as segment on segment.video_id = place.video_id and segment.id = place.segment_id
    order by place.video_id, place.position`);
}

/** Of candidates, those that say the words are to be corrected, and the others are forgotten. */
export async function settleCandidates(
  db: Queryable,
  taughtNameId: number,
  { pending, forgotten }: { pending: readonly PlaceKey[]; forgotten: readonly PlaceKey[] },
): Promise<void> {
  const keys = (places: readonly PlaceKey[]) =>
    sql.unnest(
      places.map(({ videoId, position }) => [videoId, position]),
      ["text", "text"],
    );
  await db.query(sql.typeAlias("void")`
    update taught_name_place as place set state = 'pending' from ${keys(pending)} as found (video_id, position)
    where place.taught_name_id = ${taughtNameId} and place.video_id = found.video_id and place.position = found.position and state = 'candidate'`);
  await db.query(sql.typeAlias("void")`
    delete from taught_name_place as place using ${keys(forgotten)} as found (video_id, position)
    where place.taught_name_id = ${taughtNameId} and place.video_id = found.video_id and place.position = found.position and state = 'candidate'`);
}

/** Forgets the places of an acceptance that was taken back, but for those whose corrections stand, as they were kept: they are corrected. */
export async function forgetTakenBack(transaction: Transaction, taughtNameId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    delete from taught_name_place where taught_name_id = ${taughtNameId} and state not in ('corrected', 'kept')`);
  await transaction.query(sql.typeAlias("void")`
    update taught_name_place set state = 'corrected', reason = null where taught_name_id = ${taughtNameId} and state = 'kept'`);
}

/** Says of places whose corrections are all taken back, the last one by this withdrawal, that they were taken back alone. */
export async function settleTakenBack(transaction: Transaction, correctionId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update taught_name_place set state = 'withdrawn', reason = 'taken_back'
    where correction_ids @> array[${correctionId}]::text[] and state in ('corrected', 'kept') and not exists (
      select from unnest(correction_ids) as made (id)
      where not exists (select from transcript_correction as undone where undone.withdraws_id = made.id)
    )`);
}

/** Of places, those that were corrected before, by what is left of it. A name that is accepted for more leaves them alone. */
export async function listDone(
  db: Queryable,
  taughtNameId: number,
  places: readonly PlaceKey[],
): Promise<readonly (PlaceKey & { isTakenBack: boolean })[]> {
  const keys = sql.unnest(
    places.map(({ videoId, position }) => [videoId, position]),
    ["text", "text"],
  );
  const rows = await db.any(
    sql.type(z.object({ video_id: z.string(), position: z.string(), is_taken_back: z.boolean() }))`
      select video_id, position, place.state = 'withdrawn' as is_taken_back
      from ${keys} as asked (video_id, position) join taught_name_place as place using (video_id, position)
      where taught_name_id = ${taughtNameId} and state in ('corrected', 'kept', 'withdrawn')`,
  );
  return rows.map((row) => ({ videoId: row.video_id, position: row.position, isTakenBack: row.is_taken_back }));
}

/** Forgets the places that nothing was done at yet. */
export async function forgetUntouched(db: Queryable, taughtNameId: number): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from taught_name_place where taught_name_id = ${taughtNameId} and state in ('candidate', 'pending')`);
}

const lockedRow = z
  .object({
    segment_id: z.string(),
    made_seq: z.number(),
    state: z.enum(placeStates),
    correction_ids: z.array(z.string()),
  })
  .transform((row) => ({
    segmentId: row.segment_id,
    madeSeq: row.made_seq,
    state: row.state,
    correctionIds: row.correction_ids,
  }));

/** A place, held to the end of the transaction; null where it is forgotten. */
export async function lockPlace(
  transaction: Transaction,
  taughtNameId: number,
  { videoId, position }: PlaceKey,
): Promise<z.output<typeof lockedRow> | null> {
  return transaction.maybeOne(sql.type(lockedRow)`
    select segment_id, made_seq, state, correction_ids from taught_name_place
    where taught_name_id = ${taughtNameId} and video_id = ${videoId} and position = ${position} for no key update`);
}

export async function settlePlace(
  transaction: Transaction,
  taughtNameId: number,
  { videoId, position }: PlaceKey,
  done: { state: PlaceState; reason: PlaceReason | null; correctionIds: readonly string[] },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update taught_name_place set state = ${done.state}, reason = ${done.reason}, correction_ids = ${sql.array([...done.correctionIds], "text")}
    where taught_name_id = ${taughtNameId} and video_id = ${videoId} and position = ${position}`);
}

/** How many places are in each state. */
export async function countPlaces(db: Queryable, taughtNameId: number): Promise<PlaceCounts> {
  const rows = await db.any(sql.type(z.object({ state: z.enum(placeStates), places: count }))`
    select state, count(*) as places from taught_name_place where taught_name_id = ${taughtNameId} group by state`);
  const counts: PlaceCounts = { candidate: 0, pending: 0, corrected: 0, skipped: 0, withdrawn: 0, kept: 0 };
  for (const { state, places } of rows) counts[state] = places;
  return counts;
}

const carriedRow = z
  .object({
    segment_id: z.string(),
    position: z.string(),
    state: z.enum(placeStates),
    reason: z.enum(placeReasons).nullable(),
    correction_ids: z.array(z.string()),
    start_seconds: z.number().nullable(),
    text: z.string().nullable(),
    ...mediaFields,
  })
  .transform((row) => ({
    videoId: row.video_id,
    position: row.position,
    segmentId: row.segment_id,
    startSeconds: row.start_seconds,
    text: row.text,
    media: shapeMedia(row),
    state: row.state,
    reason: row.reason,
    correctionIds: row.correction_ids,
  }));
/** A place of an accepted name, what became of it, and what is said there now: null where the segment is gone. */
export type CarriedPlace = z.output<typeof carriedRow>;

/** A page of the places of an accepted name, after a place. */
export async function listPlaces(
  db: Queryable,
  taughtNameId: number,
  { limit, after }: { limit: number; after: PlaceKey | null },
): Promise<readonly CarriedPlace[]> {
  return db.any(sql.type(carriedRow)`
    select place.segment_id, place.position, place.state, place.reason, place.correction_ids, segment.start_seconds, segment.text, ${mediaColumns}
    from taught_name_place as place join video on video.id = place.video_id join channel on channel.id = video.channel_id
      left join transcript_segment as segment on segment.video_id = place.video_id and segment.id = place.segment_id
    where taught_name_id = ${taughtNameId} and (place.video_id, place.position) > (${after?.videoId ?? ""}, ${after?.position ?? ""})
    order by place.video_id, place.position limit ${limit}`);
}

/** The titles of videos, by id, of those that have one. */
export async function readTitles(db: Queryable, videoIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.any(sql.type(z.object({ id: z.string(), title: z.string() }))`
    select id, title from video where id = any(${sql.array([...videoIds], "text")}) and title is not null`);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

const overlaidRow = z
  .object({ correction_id: z.string(), video_id: z.string(), segment_id: z.string() })
  .transform((row) => ({ correctionId: row.correction_id, videoId: row.video_id, segmentId: row.segment_id }));
/** A correction that cannot be taken back, and where it was made. */
export type Overlaid = z.output<typeof overlaidRow>;

/** Of the corrections that carried a name, and that stand, those that a later edit sits on, or sat on when an undo kept them; at most so many. */
export async function listOverlaid(db: Queryable, taughtNameId: number, limit: number): Promise<readonly Overlaid[]> {
  return db.any(sql.type(overlaidRow)`
    select latest.id as correction_id, place.video_id, place.segment_id
    from taught_name_place as place cross join lateral (
      select correction.id, correction.seq from transcript_correction as correction
      where correction.id = any(place.correction_ids)
        and not exists (select from transcript_correction as undone where undone.withdraws_id = correction.id)
      order by correction.seq desc limit 1
    ) as latest
    where place.taught_name_id = ${taughtNameId} and (place.state = 'kept' or place.state = 'corrected' and not exists (
      select from transcript_segment as segment
      where segment.video_id = place.video_id and segment.id = place.segment_id and segment.made_seq = latest.seq
    ))
    order by place.video_id, place.position limit ${limit}`);
}
