import { z } from "zod";
import { sql, timestamp } from "./pool.ts";

/** Columns of the video that a row of evidence is from, for statements that join `video` and `channel`; read with `mediaFields`. */
export const mediaColumns = sql.fragment`video.id as video_id, video.title as video_title, video.published_at as video_published_at,
  channel.id as media_channel_id, channel.name as media_channel_name`;

export const mediaFields = {
  video_id: z.string(),
  video_title: z.string().nullable(),
  video_published_at: timestamp.nullable(),
  media_channel_id: z.string(),
  media_channel_name: z.string(),
};

const mediaRow = z.object(mediaFields);

export const shapeMedia = (row: z.output<typeof mediaRow>) => ({
  videoId: row.video_id,
  title: row.video_title,
  publishedAt: row.video_published_at,
  channel: { id: row.media_channel_id, name: row.media_channel_name },
});
/** The video that a row of evidence is from. */
export type Media = ReturnType<typeof shapeMedia>;
