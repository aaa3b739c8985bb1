import { z } from "zod";
import type { TextPlace } from "../domain/review/placeAnew.ts";
import { count, sql, type Transaction } from "./pool.ts";

const placeRow = z
  .object({
    id: count,
    surface_form: z.string(),
    char_start: z.number(),
    char_end: z.number(),
    text: z.string().nullable(),
  })
  .transform((row) => ({
    mentionId: row.id,
    words: row.surface_form,
    place: { charStart: row.char_start, charEnd: row.char_end },
    /** Of the segment as it is now; null: it is not there any more. */
    text: row.text,
  }));

/** Those of the mentions that have a place in a transcript, with the text that it is in. */
export async function listTextPlaces(
  transaction: Transaction,
  mentionIds: readonly number[],
): Promise<readonly z.output<typeof placeRow>[]> {
  if (mentionIds.length === 0) return [];
  return transaction.any(sql.type(placeRow)`
    select mention.id, surface_form, char_start, char_end, segment.text
    from mention left join transcript_segment as segment on segment.video_id = mention.video_id and segment.id = mention.segment_id
    where mention.id = any(${sql.array([...mentionIds], "int8")}) and source = 'speech' and not is_appearance and segment_id is not null
      and surface_form is not null and char_start is not null and char_end is not null`);
}

/** Writes where a mention stands in its segment; null: it has no place in the transcript's text any more. */
export async function movePlace(transaction: Transaction, mentionId: number, place: TextPlace | null): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update mention set char_start = ${place?.charStart ?? null}, char_end = ${place?.charEnd ?? null},
      segment_id = case when ${place !== null} then segment_id end
    where id = ${mentionId}`);
}
