import { z } from "zod";
import { isVideoId } from "../videoId.ts";
import type { Read } from "./readRow.ts";

/** A passage that is an ad, without a word of whose. */
export interface AdPassage {
  video_id: string;
  start_seconds: number;
  end_seconds: number;
}

const flag = z.string().optional();
const record = z.object({
  videoID: z.string().refine(isVideoId, "must be an 11-character video id"),
  startTime: z.coerce.number("must be seconds").min(0, "must be 0 or more"),
  endTime: z.coerce.number("must be seconds").min(0, "must be 0 or more"),
  votes: z.coerce.number("must be a whole number"),
  category: z.string("is required"),
  actionType: z.string().optional(),
  service: z.string().optional(),
  hidden: flag,
  shadowHidden: flag,
});

/** Columns that the file has to have. */
export const sponsorBlockColumns = ["videoID", "startTime", "endTime", "votes", "category"] as const;

/**
 * A record of SponsorBlock's public `sponsorTimes.csv` (github.com/ajayyy/SponsorBlock, database mirror) as a passage; null where it tells
 * of no ad that its voters stand by: other categories, labels of whole videos, votes of 0 or less, hidden, of another platform.
 */
export function readSponsorBlockRecord(value: unknown): Read<AdPassage> | null {
  const parsed = record.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { reason: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}` };
  }
  const { videoID, startTime, endTime, votes, category, actionType, service, hidden, shadowHidden } = parsed.data;
  if (category !== "sponsor" || votes <= 0 || isSet(hidden) || isSet(shadowHidden)) return null;
  if (actionType !== undefined && actionType !== "skip" && actionType !== "mute") return null;
  if (service !== undefined && service !== "YouTube") return null;
  if (endTime < startTime) return { reason: "endTime: must not be before startTime" };
  return { row: { video_id: videoID, start_seconds: startTime, end_seconds: endTime } };
}

function isSet(flag: string | undefined): boolean {
  return flag !== undefined && flag !== "" && flag !== "0" && flag !== "false";
}
