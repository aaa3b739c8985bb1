import { z } from "zod";
import type { SpokenText } from "../domain/review/excerpt.ts";
import { type Queryable, sql } from "./pool.ts";

/** Part of a video's talk, from a second to a second. */
export interface SpokenSpan {
  videoId: string;
  fromSeconds: number;
  toSeconds: number;
}

const wordRow = z.tuple([z.string(), z.number(), z.number()]).rest(z.unknown());
const segmentRow = z
  .object({
    span: z.number(),
    id: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    text: z.string(),
    words: z.array(wordRow).nullable(),
  })
  .transform((row) => ({
    span: row.span,
    spoken: {
      id: row.id,
      startSeconds: row.start_seconds,
      endSeconds: row.end_seconds,
      text: row.text,
      words: (row.words ?? []).map(([text, startSeconds, endSeconds]) => ({ text, startSeconds, endSeconds })),
    },
  }));

/**
 * What is said in each of the spans, in order, as the video's transcript or, where that has nothing there, its captions have it. Two statements
 * at most.
 */
export async function listSpoken(
  db: Queryable,
  spans: readonly SpokenSpan[],
): Promise<readonly (readonly SpokenText[])[]> {
  const spoken = spans.map((): SpokenText[] => []);
  const asked = spans.map(({ videoId, fromSeconds, toSeconds }, span) => ({ span, videoId, fromSeconds, toSeconds }));
  for (const list of [listTranscribed, listCaptioned]) {
    const silent = asked.filter(({ span }) => spoken[span]?.length === 0);
    if (silent.length > 0) for (const found of await list(db, silent)) spoken[found.span]?.push(found.spoken);
  }
  return spoken;
}

type AskedSpan = SpokenSpan & { span: number };

async function listTranscribed(db: Queryable, asked: readonly AskedSpan[]) {
  return db.any(sql.type(segmentRow)`
    select span, id, start_seconds, end_seconds, text, words
    from ${askedSpans(asked)} join transcript_segment as said on said.video_id = asked.video_id
      and said.end_seconds > asked.from_seconds and said.start_seconds < asked.to_seconds
    order by span, position`);
}

/** Each track is taken apart once, however many spans are of it. */
async function listCaptioned(db: Queryable, asked: readonly AskedSpan[]) {
  const videoIds = [...new Set(asked.map(({ videoId }) => videoId))];
  return db.any(sql.type(segmentRow)`
    with said as materialized (
      select video_id, n, (segment ->> 'start')::float8 as start_seconds, (segment ->> 'end')::float8 as end_seconds, segment
      from caption_track, jsonb_array_elements(segments) with ordinality as told (segment, n)
      where video_id = any(${sql.array(videoIds, "text")})
    )
    select span, 'cue_' || (n - 1) as id, start_seconds, end_seconds, segment ->> 'text' as text, segment -> 'words' as words
    from ${askedSpans(asked)} join said on said.video_id = asked.video_id
      and said.end_seconds > asked.from_seconds and said.start_seconds < asked.to_seconds
    order by span, n`);
}

function askedSpans(asked: readonly AskedSpan[]) {
  const rows = asked.map(({ span, videoId, fromSeconds, toSeconds }) => [span, videoId, fromSeconds, toSeconds]);
  return sql.fragment`${sql.unnest(rows, ["int4", "text", "float8", "float8"])}
    as asked (span, video_id, from_seconds, to_seconds)`;
}
