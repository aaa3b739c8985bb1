import { z } from "zod";
import type { MediaDescription } from "../domain/media.ts";
import { type Queryable, sql, timestamp } from "./pool.ts";

const videoRow = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    channel_id: z.string().nullable(),
    channel_name: z.string().nullable(),
    published_at: timestamp.nullable(),
    duration_seconds: z.number().nullable(),
    language: z.string().nullable(),
  })
  .transform((row) => ({
    videoId: row.id,
    title: row.title,
    channel: row.channel_id === null ? null : { id: row.channel_id, name: row.channel_name ?? row.channel_id },
    publishedAt: row.published_at,
    durationSeconds: row.duration_seconds,
    language: row.language,
  }));
export type Video = z.infer<typeof videoRow>;

export async function readVideo(db: Queryable, videoId: string): Promise<Video | null> {
  return db.maybeOne(sql.type(videoRow)`
    select video.id, video.title, video.channel_id, channel.name as channel_name, video.published_at, video.duration_seconds, video.language
    from video left join channel on channel.id = video.channel_id where video.id = ${videoId}`);
}

/** Makes a place for a video of which nothing is known yet but its id. */
export async function insertVideoStub(db: Queryable, videoId: string): Promise<void> {
  await db.query(sql.typeAlias("void")`insert into video (id) values (${videoId}) on conflict do nothing`);
}

/** Records what a media source says of a video, its channel included. */
export async function upsertDescribedVideo(db: Queryable, video: MediaDescription, source: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    with channel_written as (
      insert into channel (id, name) values (${video.channel.id}, ${video.channel.name})
      on conflict (id) do update set name = excluded.name where channel.name <> excluded.name and not channel.name_settled
    )
    insert into video (id, title, channel_id, published_at, duration_seconds, language, source)
    values (${video.videoId}, ${video.title}, ${video.channel.id}, ${video.publishedAt?.toISOString() ?? null}, ${video.durationSeconds},
      ${video.language}, ${source})
    on conflict (id) do update set title = excluded.title, channel_id = excluded.channel_id, published_at = excluded.published_at,
      duration_seconds = coalesce(excluded.duration_seconds, video.duration_seconds), language = excluded.language, source = excluded.source`);
}

/** Sets the length of a job's video to what its decoded audio has. */
export async function updateDuration(db: Queryable, jobId: string, durationSeconds: number): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update video set duration_seconds = ${durationSeconds} from transcription_job job where job.id = ${jobId} and video.id = job.video_id`);
}

/** Whether there is a video of that channel. */
export async function channelHasMedia(db: Queryable, channelId: string): Promise<boolean> {
  return db.exists(sql.typeAlias("void")`select from video where channel_id = ${channelId}`);
}
