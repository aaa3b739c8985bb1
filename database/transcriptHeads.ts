import { z } from "zod";
import { type Queryable, sql, timestamp } from "./pool.ts";
import { evidenceStampOf } from "./videoEvidence.ts";

const headRow = z
  .object({
    n: z.number(),
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
    evidence_stamp: z.string().nullable(),
  })
  .transform((row) => ({
    n: row.n,
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
        : { at: row.unlocked_at, evidenceStamp: row.evidence_stamp },
  }));

/** What an account may know of a video's transcript without its text; all null for a video that nobody has named yet. */
export type ReadingHead = Omit<z.output<typeof headRow>, "n">;

/** For each video and account that ask, in one statement; in their order. */
export async function readReadingHeads(
  db: Queryable,
  asks: readonly { videoId: string; accountId: string }[],
): Promise<ReadingHead[]> {
  const asked = asks.map(({ videoId, accountId }, n) => [n, videoId, accountId]);
  const rows = await db.any(sql.type(headRow)`
    with asked as (
      select * from ${sql.unnest(asked, ["int4", "text", "text"])} as asked (n, video_id, account_id)
    ), stamped as materialized (
      -- once a video, however many ask
      select video_id, ${evidenceStampOf(sql.fragment`opened.video_id`)} as evidence_stamp
      from (select distinct video_id from asked join transcript_unlock using (video_id, account_id)) as opened
    )
    select n, video.title, video.channel_id, channel.name as channel_name, video.published_at, video.language as video_language,
      video.duration_seconds as video_duration_seconds, transcript.revision, transcript.seq, transcript.language, transcript.source,
      transcript.duration_seconds, transcript_unlock.unlocked_at, stamped.evidence_stamp
    from asked
    left join video on video.id = asked.video_id
    left join channel on channel.id = video.channel_id
    left join transcript on transcript.video_id = asked.video_id
    left join transcript_unlock on transcript_unlock.video_id = asked.video_id and transcript_unlock.account_id = asked.account_id
    left join stamped on stamped.video_id = asked.video_id
    order by n`);
  return rows.map(({ n: _, ...head }) => head);
}
