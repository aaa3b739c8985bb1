import { z } from "zod";
import type { TextPlace } from "../domain/textPlace.ts";
import type { SettledKind } from "../domain/review/settled.ts";
import { keepJudgedWords } from "./judgedWords.ts";
import { count, type Queryable, sql, type Transaction } from "./pool.ts";

const settledRow = z
  .object({
    kind: z.enum(["mention", "appearance", "commercial"]),
    row_id: count.nullable(),
    of_mention_id: count.nullable(),
    canonical_id: count.nullable(),
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
    kind: row.kind,
    rowId: row.row_id,
    ofMentionId: row.of_mention_id,
    canonicalId: row.canonical_id,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    words: row.words,
  }));
/**
 * What reviewers settled in a video: a row that stands (where it stands now), or a place without the entity (`rowId` null), where the mention
 * `ofMentionId` stood. `words`: where their words are in the transcript; null where that is not known.
 */
export type SettledEvidence = z.output<typeof settledRow>;

export async function listSettled(db: Queryable, videoId: string): Promise<readonly SettledEvidence[]> {
  return db.any(sql.type(settledRow)`
    select kind, row_id, of_mention_id, coalesce(entity.canonical_id, entity.id) as canonical_id, place.start_seconds, place.end_seconds,
      case when words.mention_id is not null
        then json_build_array(words.segment_id, words.char_start, words.char_end, words.is_gone) end as words
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
    where settled.video_id = ${videoId}`);
}

/** Lets a row stand as it is, whatever detection finds. */
export async function settleRow(
  transaction: Transaction,
  correctionId: number,
  row: { videoId: string; kind: SettledKind; rowId: number },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into reviewed_evidence (correction_id, video_id, kind, row_id) values (${correctionId}, ${row.videoId}, ${row.kind}, ${row.rowId})`);
  if (row.kind === "mention") await keepJudgedWords(transaction, row.rowId);
}

/** Lets detection find nothing of an entity at the place of the row `rowId`, which is there until then. */
export async function settlePlace(
  transaction: Transaction,
  correctionId: number,
  place: {
    videoId: string;
    kind: SettledKind;
    entityId: number;
    startSeconds: number;
    endSeconds: number;
    rowId: number;
  },
): Promise<void> {
  const ofMentionId = place.kind === "mention" ? place.rowId : null;
  await transaction.query(sql.typeAlias("void")`
    insert into reviewed_evidence (correction_id, video_id, kind, entity_id, start_seconds, end_seconds, of_mention_id)
    values (${correctionId}, ${place.videoId}, ${place.kind}, ${place.entityId}, ${place.startSeconds}, ${place.endSeconds}, ${ofMentionId})`);
  if (ofMentionId !== null) await keepJudgedWords(transaction, ofMentionId);
}

/** Hands back to detection what the correction settled. */
export async function unsettle(transaction: Transaction, correctionId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`delete from reviewed_evidence where correction_id = ${correctionId}`);
}
