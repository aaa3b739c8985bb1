import { listOverlaid, type Overlaid, readTitles } from "../../database/taughtPlaces.ts";
import type { ServiceContext } from "../context.ts";
import type { TaughtNameDetails } from "./read.ts";

const videosShown = 200;
const overlaidShown = 20;

/** A video where the words stand, for choosing it. */
export interface NameVideo {
  videoId: string;
  /** Null: not known. */
  title: string | null;
  /** Segments of it that say the words. */
  segments: number;
}

/** The first videos where the words of a name stand, by id, with their titles. */
export async function listNameVideos(
  { pool }: ServiceContext,
  { standing }: TaughtNameDetails,
): Promise<readonly NameVideo[]> {
  const videos = standing.videos.toSorted((a, b) => (a.videoId < b.videoId ? -1 : 1)).slice(0, videosShown);
  const titles = await readTitles(
    pool,
    videos.map(({ videoId }) => videoId),
  );
  return videos.map(({ videoId, segments }) => ({ videoId, segments, title: titles.get(videoId) ?? null }));
}

/** The first corrections of a name that its undo leaves, as later edits sit on them. */
export function listLaterEdited({ pool }: ServiceContext, id: number): Promise<readonly Overlaid[]> {
  return listOverlaid(pool, id, overlaidShown);
}
