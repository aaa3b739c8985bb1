import { z } from "zod";
import type { CaptionSegment } from "../domain/captions/segments.ts";
import { type Queryable, sql } from "./pool.ts";

/** How segments of captions and scans are kept: short keys, and only what is there. */
export const storedCaptions = z.array(
  z.object({
    start: z.number(),
    end: z.number(),
    text: z.string(),
    speaker: z.string().optional(),
    turn: z.literal(true).optional(),
    words: z.array(z.tuple([z.string(), z.number(), z.number()])).optional(),
  }),
);

export function toStoredCaptions(segments: readonly CaptionSegment[]): z.infer<typeof storedCaptions> {
  return segments.map(({ startSeconds, endSeconds, text, speaker, startsTurn, words }) => ({
    start: startSeconds,
    end: endSeconds,
    text,
    ...(speaker !== null && { speaker }),
    ...(startsTurn && { turn: true as const }),
    ...(words !== null && { words: words.map((word) => [word.text, word.startSeconds, word.endSeconds]) }),
  }));
}

export function fromStoredCaptions(stored: z.infer<typeof storedCaptions>): CaptionSegment[] {
  return stored.map((segment) => ({
    startSeconds: segment.start,
    endSeconds: segment.end,
    text: segment.text,
    speaker: segment.speaker ?? null,
    startsTurn: segment.turn ?? false,
    words: segment.words?.map(([text, startSeconds, endSeconds]) => ({ text, startSeconds, endSeconds })) ?? null,
  }));
}

const captionSources = ["import", "manual", "automatic"] as const;
export type CaptionSource = (typeof captionSources)[number];

const captionTrackRow = z
  .object({ language: z.string().nullable(), source: z.enum(captionSources), segments: storedCaptions })
  .transform(({ segments, ...row }) => ({ ...row, segments: fromStoredCaptions(segments) }));
export type CaptionTrack = z.infer<typeof captionTrackRow>;

export async function readCaptionTrack(db: Queryable, videoId: string): Promise<CaptionTrack | null> {
  return db.maybeOne(sql.type(captionTrackRow)`
    select language, source, segments from caption_track where video_id = ${videoId}`);
}

/** Where a video's captions come from, without reading them; null where it has none. */
export async function readCaptionSource(db: Queryable, videoId: string): Promise<CaptionSource | null> {
  return db.maybeOneFirst(sql.type(z.object({ source: z.enum(captionSources) }))`
    select source from caption_track where video_id = ${videoId}`);
}

/**
 * Keeps a video's captions in place of earlier ones; imported ones are only replaced by imported ones. `kept`: nothing was changed, as what
 * is there is the same or goes before.
 */
export async function upsertCaptionTrack(
  db: Queryable,
  videoId: string,
  track: CaptionTrack,
): Promise<"inserted" | "replaced" | "kept"> {
  const inserted = await db.maybeOneFirst(sql.type(z.object({ inserted: z.boolean() }))`
    insert into caption_track (video_id, language, source, segments)
    values (${videoId}, ${track.language}, ${track.source}, ${sql.jsonb(toStoredCaptions(track.segments))})
    on conflict (video_id) do update set language = excluded.language, source = excluded.source, segments = excluded.segments, created_at = now()
      where (caption_track.source <> 'import' or excluded.source = 'import')
        and (caption_track.language, caption_track.source, caption_track.segments)
          is distinct from (excluded.language, excluded.source, excluded.segments)
    returning xmax = 0 as inserted`);
  if (inserted === null) return "kept";
  return inserted ? "inserted" : "replaced";
}
