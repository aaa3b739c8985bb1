import { z } from "zod";
import { type Queryable, sql, timestamp } from "./pool.ts";
import { speakerRows } from "./transcriptSpeakers.ts";
import { stamp } from "./videoEvidence.ts";

const headRow = z
  .object({
    title: z.string().nullable(),
    channel_id: z.string().nullable(),
    channel_name: z.string().nullable(),
    published_at: timestamp.nullable(),
    video_language: z.string().nullable(),
    video_duration_seconds: z.number().nullable(),
    revision: z.number().nullable(),
    seq: z.number().nullable(),
    language: z.string().nullable(),
    source: z.string().nullable(),
    duration_seconds: z.number().nullable(),
    unlocked_at: timestamp.nullable(),
    evidence_stamp: stamp.nullable(),
    speakers: speakerRows.nullable(),
  })
  .transform((row) => ({
    title: row.title,
    channel: row.channel_id === null ? null : { id: row.channel_id, name: row.channel_name ?? row.channel_id },
    publishedAt: row.published_at,
    language: row.video_language,
    durationSeconds: row.video_duration_seconds,
    transcript:
      row.revision === null || row.seq === null || row.source === null || row.duration_seconds === null
        ? null
        : {
            revision: row.revision,
            seq: row.seq,
            language: row.language,
            source: row.source,
            durationSeconds: row.duration_seconds,
          },
    unlocked:
      row.unlocked_at === null || row.evidence_stamp === null
        ? null
        : { at: row.unlocked_at, evidenceStamp: row.evidence_stamp, speakers: row.speakers ?? [] },
  }));

/** What an account may know of a video's transcript without its text; all null for a video that nobody has named yet. */
export type ReadingHead = z.output<typeof headRow>;

/** For each video and account that ask, in one statement; in their order. */
export async function readReadingHeads(
  db: Queryable,
  asks: readonly { videoId: string; accountId: string }[],
): Promise<readonly ReadingHead[]> {
  const videoIds = sql.array(
    asks.map(({ videoId }) => videoId),
    "text",
  );
  const accountIds = sql.array(
    asks.map(({ accountId }) => accountId),
    "text",
  );
  return db.any(sql.type(headRow)`select * from reading_heads(${videoIds}, ${accountIds}) order by n`);
}
