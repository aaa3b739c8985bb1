import { z } from "zod";
import type { TextPlace } from "../domain/textPlace.ts";
import type { SettledKind } from "../domain/review/settled.ts";
import { keepJudgedWords } from "./judgedWords.ts";
import { count, type Queryable, sql, type Transaction } from "./pool.ts";

const settledRow = z
  .object({
    video_id: z.string(),
    kind: z.enum(["mention", "appearance", "commercial"]),
    row_id: count.nullable(),
    of_mention_id: count.nullable(),
    canonical_id: count.nullable(),
    member_ids: z.array(z.number()),
    start_seconds: z.number().nullable(),
    end_seconds: z.number().nullable(),
    words: z
      .tuple([z.string(), z.number(), z.number(), z.boolean()])
      .transform(([segmentId, charStart, charEnd, isGone]): TextPlace & { isGone: boolean } => ({
        segmentId,
        charStart,
        charEnd,
        isGone,
      }))
      .nullable(),
  })
  .transform((row) => ({
    videoId: row.video_id,
    kind: row.kind,
    rowId: row.row_id,
    ofMentionId: row.of_mention_id,
    /** Null where the row is gone. */
    canonicalId: row.canonical_id,
    /** All entities that read as that one, itself included. */
    memberIds: row.member_ids,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    words: row.words,
  }));
/**
 * What reviewers settled in videos: a row that stands (where it stands now), or a place without the entity (`rowId` null), where the mention
 * `ofMentionId` stood. `words`: where their words are in the transcript; null where that is not known.
 */
export type SettledEvidence = z.output<typeof settledRow>;

export async function listSettled(db: Queryable, videoIds: readonly string[]): Promise<readonly SettledEvidence[]> {
  return db.any(sql.type(settledRow)`
    select settled.video_id, kind, row_id, of_mention_id, coalesce(entity.canonical_id, entity.id) as canonical_id, place.start_seconds, place.end_seconds,
      case when words.mention_id is not null
        then json_build_array(words.segment_id, words.char_start, words.char_end, words.is_gone) end as words,
      to_json(array(
        select member.id from entity as member
        where member.id = coalesce(entity.canonical_id, entity.id) or member.canonical_id = coalesce(entity.canonical_id, entity.id)
      )) as member_ids
    from reviewed_evidence as settled
      left join mention on mention.id = settled.row_id and settled.kind <> 'commercial'
      left join judged_words as words on words.mention_id = coalesce(settled.row_id, settled.of_mention_id) and settled.kind = 'mention'
      left join recommendation on recommendation.id = settled.row_id and settled.kind = 'commercial'
      cross join lateral (
        select coalesce(settled.entity_id, mention.entity_id, recommendation.entity_id) as entity_id,
          coalesce(settled.start_seconds, mention.start_seconds, recommendation.start_seconds::float8) as start_seconds,
          coalesce(settled.end_seconds, mention.end_seconds, recommendation.end_seconds::float8) as end_seconds
      ) as place
      left join entity on entity.id = place.entity_id
    where settled.video_id = any(${sql.array([...videoIds], "text")})`);
}

/** Lets a row stand as it is, whatever detection finds and imports say. */
export async function settleRow(
  transaction: Transaction,
  correctionId: number,
  row: { videoId: string; kind: SettledKind; rowId: number },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into reviewed_evidence (correction_id, video_id, kind, row_id) values (${correctionId}, ${row.videoId}, ${row.kind}, ${row.rowId})`);
  if (row.kind === "mention") await keepJudgedWords(transaction, row.rowId);
}

/** Lets detection find nothing of an entity at the place of the row `rowId`, which is there until then, and imports bring nothing there. */
export async function settlePlace(
  transaction: Transaction,
  correctionId: number,
  place: {
    videoId: string;
    kind: SettledKind;
    entityId: number;
    startSeconds: number | null;
    endSeconds: number | null;
    rowId: number;
  },
): Promise<void> {
  const ofMentionId = place.kind === "mention" ? place.rowId : null;
  await transaction.query(sql.typeAlias("void")`
    insert into reviewed_evidence (correction_id, video_id, kind, entity_id, start_seconds, end_seconds, of_mention_id)
    values (${correctionId}, ${place.videoId}, ${place.kind}, ${place.entityId}, ${place.startSeconds}, ${place.endSeconds}, ${ofMentionId})`);
  if (ofMentionId !== null) await keepJudgedWords(transaction, ofMentionId);
}

/** Hands back to detection and imports what the correction settled. */
export async function unsettle(transaction: Transaction, correctionId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`delete from reviewed_evidence where correction_id = ${correctionId}`);
}
