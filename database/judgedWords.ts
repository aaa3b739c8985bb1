import { z } from "zod";
import type { JudgedWords } from "../domain/review/judgedWords.ts";
import type { TextPlace } from "../domain/textPlace.ts";
import { findAtPlace } from "./evidencePlaces.ts";
import { count, type Queryable, sql, type SqlFragment, type Transaction } from "./pool.ts";
import { alignCopies, deleteRow, insertRow, lockRow, type RowImage } from "./reviewRows.ts";

const placeColumns = sql.fragment`segment_id, char_start, char_end`;
const placeShape = { segment_id: z.string(), char_start: z.number(), char_end: z.number() };
const placeRow = z.object(placeShape);
const placeOf = (row: z.output<typeof placeRow>): TextPlace => ({
  segmentId: row.segment_id,
  charStart: row.char_start,
  charEnd: row.char_end,
});
const wordsRow = z
  .object({ mention_id: count, ...placeShape, has_mention: z.boolean() })
  .transform((row): JudgedWords => ({
    mentionId: row.mention_id,
    hasMention: row.has_mention,
    place: placeOf(row),
  }));

/** Notes where the words of a mention stand that a reviewer judges, if they are a transcript's. */
export async function keepJudgedWords(transaction: Transaction, mentionId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into judged_words (mention_id, video_id, ${placeColumns})
    select mention.id, mention.video_id, mention.segment_id, mention.char_start, mention.char_end
    from mention join transcript_segment as segment on segment.video_id = mention.video_id and segment.id = mention.segment_id
    where mention.id = ${mentionId} and source = 'speech' and not is_appearance and char_end > char_start
    on conflict (mention_id) do update set segment_id = excluded.segment_id, char_start = excluded.char_start, char_end = excluded.char_end,
      is_gone = false`);
}

/** The words in some segments that reviewers judged. */
export async function listJudgedWords(
  db: Queryable,
  videoId: string,
  segmentIds: readonly string[],
): Promise<readonly JudgedWords[]> {
  return db.any(sql.type(wordsRow)`
    select words.mention_id, ${placeColumns}, exists (select from mention where mention.id = words.mention_id) as has_mention
    from judged_words as words
    where video_id = ${videoId} and segment_id = any(${sql.array([...segmentIds], "text")}) and not is_gone and ${isJudged(sql.fragment`words.mention_id`)}
    order by words.mention_id`);
}

const verdictRow = z
  .object({ entity_id: count, char_start: z.number(), char_end: z.number(), is_named: z.boolean() })
  .transform((row) => ({
    entityId: row.entity_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    isNamed: row.is_named,
  }));

/** What reviewers say of the words of segments: canonical entities that are named there, and such that are not. */
export async function listVerdicts(
  db: Queryable,
  videoId: string,
  segmentIds: readonly string[],
): Promise<readonly z.output<typeof verdictRow>[]> {
  if (segmentIds.length === 0) return [];
  return db.any(sql.type(verdictRow)`
    select coalesce(entity.canonical_id, entity.id) as entity_id, words.char_start, words.char_end, settled.row_id is not null as is_named
    from judged_words as words
      join reviewed_evidence as settled on settled.kind = 'mention' and coalesce(settled.row_id, settled.of_mention_id) = words.mention_id
      left join mention on mention.id = settled.row_id
      join entity on entity.id = coalesce(settled.entity_id, mention.entity_id)
    where words.video_id = ${videoId} and words.segment_id = any(${sql.array([...segmentIds], "text")}) and not words.is_gone
    order by is_named desc, words.char_start, entity.id`);
}

/** Writes where judged words stand now, and their mention with them; `null`: they are gone, and their mention is put aside. */
export async function moveJudgedWords(
  transaction: Transaction,
  mentionId: number,
  place: TextPlace | null,
): Promise<void> {
  if (place === null) {
    await transaction.query(sql.typeAlias("void")`
      update judged_words set is_gone = true where mention_id = ${mentionId}`);
    await putAside(transaction, mentionId);
    return;
  }
  const { segmentId, charStart, charEnd } = place;
  const set = sql.fragment`set segment_id = ${segmentId}, char_start = ${charStart}, char_end = ${charEnd}`;
  await transaction.query(sql.typeAlias("void")`
    update judged_words ${set}, is_gone = false where mention_id = ${mentionId}`);
  await bringBack(transaction, mentionId);
  await transaction.query(sql.typeAlias("void")`
    update mention ${set} where id = ${mentionId}
      and (segment_id, char_start, char_end) is distinct from (${segmentId}, ${charStart}, ${charEnd})`);
}

const lastPlaceRow = z.object({ ...placeShape, is_gone: z.boolean() });

/** A mention that is there again stands where its words are; if they are gone, it is put aside. */
export async function placeAsJudged(transaction: Transaction, mentionId: number): Promise<void> {
  const words = await transaction.maybeOne(sql.type(lastPlaceRow)`
    select ${placeColumns}, is_gone from judged_words where mention_id = ${mentionId}`);
  if (words !== null) await moveJudgedWords(transaction, mentionId, words.is_gone ? null : placeOf(words));
}

/** Keeps where words stood before the entry `seq` of the log. */
export async function keepMove(
  transaction: Transaction,
  { videoId, seq }: { videoId: string; seq: number },
  { mentionId, place }: JudgedWords,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into judged_words_move (video_id, seq, mention_id, ${placeColumns})
    values (${videoId}, ${seq}, ${mentionId}, ${place.segmentId}, ${place.charStart}, ${place.charEnd})`);
}

const moveRow = z
  .object({ mention_id: count, ...placeShape })
  .transform((row) => ({ mentionId: row.mention_id, place: placeOf(row) }));

/** Where the entry `seq` of the log found the words that it moved. They are listed once. */
export async function takeMoves(
  transaction: Transaction,
  { videoId, seq }: { videoId: string; seq: number },
): Promise<readonly { mentionId: number; place: TextPlace }[]> {
  return transaction.any(sql.type(moveRow)`
    delete from judged_words_move where video_id = ${videoId} and seq = ${seq} returning mention_id, ${placeColumns}`);
}

/** Forgets words that no reviewer has a say in any more, but for those of mentions that are aside. */
export async function forgetUnjudged(transaction: Transaction, mentionIds: readonly number[]): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    delete from judged_words as words
    where mention_id = any(${sql.array([...mentionIds], "int8")}) and not ${isJudged(sql.fragment`words.mention_id`)}
      and not exists (select from mention_aside where mention_aside.mention_id = words.mention_id)`);
}

const imageRow = z.object({ image: z.record(z.string(), z.unknown()) });

/** A mention whose words are gone, as it was, held; null: it is not aside. */
export async function lockAside(transaction: Transaction, mentionId: number): Promise<RowImage | null> {
  return transaction.maybeOneFirst(sql.type(imageRow)`
    select image from mention_aside where mention_id = ${mentionId} for update`);
}

/** Changes columns of a mention that is aside. */
export async function changeAside(transaction: Transaction, mentionId: number, change: RowImage): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update mention_aside set image = image || ${JSON.stringify(change)}::jsonb where mention_id = ${mentionId}`);
}

async function putAside(transaction: Transaction, mentionId: number): Promise<void> {
  const image = await lockRow(transaction, "mention", { id: mentionId });
  if (image === null) return;
  await transaction.query(sql.typeAlias("void")`
    insert into mention_aside (mention_id, image) values (${mentionId}, ${JSON.stringify(image)}::jsonb)`);
  await deleteRow(transaction, "mention", { id: mentionId });
}

async function bringBack(transaction: Transaction, mentionId: number): Promise<void> {
  const image = await lockAside(transaction, mentionId);
  if (image === null) return;
  // What detection found meanwhile at its very place is that same mention; what others say stands there is left to them.
  await transaction.query(sql.typeAlias("void")`
    delete from mention using jsonb_populate_record(null::mention, ${JSON.stringify(image)}::jsonb) as told
    where mention.video_id = told.video_id and mention.entity_id = told.entity_id and mention.start_seconds = told.start_seconds
      and mention.end_seconds = told.end_seconds and mention.is_appearance = told.is_appearance
      and mention.source = 'speech' and not ${isJudged(sql.fragment`mention.id`)}`);
  if ((await findAtPlace(transaction, "mention", mentionId, image)) !== null) return;
  await transaction.query(sql.typeAlias("void")`delete from mention_aside where mention_id = ${mentionId}`);
  await insertRow(transaction, "mention", image);
  await alignCopies(transaction, "mention", mentionId);
}

function isJudged(mentionId: SqlFragment): SqlFragment {
  return sql.fragment`exists (
    select from reviewed_evidence as settled where settled.kind = 'mention' and coalesce(settled.row_id, settled.of_mention_id) = ${mentionId})`;
}
