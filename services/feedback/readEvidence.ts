import type { Correction, Feedback } from "../../database/feedback.ts";
import { type Entity, readEntity } from "../../database/entities.ts";
import type { Media } from "../../database/media.ts";
import type { Queryable } from "../../database/pool.ts";
import {
  listSpoken,
  readReviewedAlert,
  readReviewedMention,
  readReviewedRecommendation,
  readReviewedSponsor,
  type ReviewedAlert,
  type ReviewedMention,
  type ReviewedRecommendation,
  type ReviewedSponsor,
} from "../../database/reviewEvidence.ts";
import { readVideo } from "../../database/videos.ts";
import { type ClaimedPlace, contextSeconds, type Excerpt, markExcerpt } from "../../domain/review/excerpt.ts";
import { numberOf } from "./effects/effect.ts";

/** What the index says now of the item that a correction is about. */
export type CurrentItem =
  | { kind: "mention"; mention: ReviewedMention }
  | { kind: "recommendation"; recommendation: ReviewedRecommendation }
  | { kind: "entity"; entity: Entity }
  | { kind: "sponsor"; entity: Entity; channelId: string | null; sponsor: ReviewedSponsor | null }
  | { kind: "alert"; alert: ReviewedAlert };

export interface Evidence {
  /** Null: it is not there any more. */
  current: CurrentItem | null;
  /** Where it was said; null for what is said nowhere. */
  moment: { media: Pick<Media, "videoId" | "title">; startSeconds: number } | null;
  excerpt: Excerpt | null;
}

/** What a reviewer needs to see beside a correction's claim. */
export async function readEvidence(db: Queryable, feedback: Feedback, correction: Correction): Promise<Evidence> {
  const current = await readCurrent(db, feedback, correction);
  const place = await placeOf(db, correction, current);
  if (place === null) return { current, moment: null, excerpt: null };
  const { media, claim } = place;
  const time = { fromSeconds: claim.startSeconds - contextSeconds, toSeconds: claim.endSeconds + contextSeconds };
  const excerpt = markExcerpt(await listSpoken(db, media.videoId, time), claim) ?? quoted(current);
  return { current, moment: { media, startSeconds: claim.startSeconds }, excerpt };
}

async function readCurrent(db: Queryable, feedback: Feedback, correction: Correction): Promise<CurrentItem | null> {
  const { itemId, itemKind } = correction;
  if (itemKind === "alert") {
    const alert = await readReviewedAlert(db, itemId);
    return alert === null ? null : { kind: "alert", alert };
  }
  const id = numberOf(itemId);
  if (itemId.startsWith("men_")) {
    const mention = await readReviewedMention(db, id);
    return mention === null ? null : { kind: "mention", mention };
  }
  if (itemId.startsWith("com_")) {
    const recommendation = await readReviewedRecommendation(db, id);
    return recommendation === null ? null : { kind: "recommendation", recommendation };
  }
  const entity = await readEntity(db, id);
  if (entity === null) return null;
  if (itemKind !== "sponsor") return { kind: "entity", entity };
  const asked = correction.suggestedChange?.["channel_id"] ?? feedback.query["channel_id"];
  const channelId = typeof asked === "string" ? asked : null;
  const sponsor = channelId === null ? null : await readReviewedSponsor(db, channelId, entity.numericId);
  return { kind: "sponsor", entity, channelId, sponsor };
}

interface Placed {
  media: Pick<Media, "videoId" | "title">;
  claim: ClaimedPlace;
}

const nowhere = { segmentId: null, charStart: null, charEnd: null };

async function placeOf(db: Queryable, correction: Correction, current: CurrentItem | null): Promise<Placed | null> {
  switch (current?.kind) {
    case "mention": {
      const { media, place, startSeconds, endSeconds, quote } = current.mention;
      return { media, claim: { ...place, startSeconds, endSeconds, quote } };
    }
    case "recommendation": {
      const { media, place, startSeconds, endSeconds, verbatimQuote: quote } = current.recommendation;
      return { media, claim: { ...place, startSeconds: startSeconds ?? 0, endSeconds: endSeconds ?? 0, quote } };
    }
    case "alert": {
      const { media, startSeconds, endSeconds, quote } = current.alert;
      return { media, claim: { ...nowhere, startSeconds, endSeconds, quote } };
    }
    case "entity":
    case "sponsor":
    case undefined:
      return correction.issueType === "missing" ? suggestedPlace(db, correction) : null;
  }
}

/** Of a row that is said to be missing: where it is said to be. */
async function suggestedPlace(db: Queryable, { suggestedChange: told }: Correction): Promise<Placed | null> {
  const [videoId, start, end] = [told?.["video_id"], told?.["start_seconds"], told?.["end_seconds"]];
  if (typeof videoId !== "string" || typeof start !== "number" || typeof end !== "number") return null;
  const video = await readVideo(db, videoId);
  if (video === null) return null;
  const said = told?.["quote"] ?? told?.["verbatim_quote"];
  const quote = typeof said === "string" ? said : null;
  return { media: video, claim: { ...nowhere, startSeconds: start, endSeconds: end, quote } };
}

/** Where nobody kept the talk, what the row itself holds of it. */
function quoted(current: CurrentItem | null): Excerpt | null {
  if (current?.kind === "mention") {
    const { contextBefore, quote, contextAfter } = current.mention;
    const before = contextBefore === null ? "" : `${contextBefore} `;
    const text = `${before}${quote}${contextAfter === null ? "" : ` ${contextAfter}`}`;
    return { text, markStart: before.length, markEnd: before.length + quote.length };
  }
  const quote =
    current?.kind === "recommendation"
      ? current.recommendation.verbatimQuote
      : current?.kind === "alert"
        ? current.alert.quote
        : null;
  return quote === null ? null : { text: quote, markStart: 0, markEnd: quote.length };
}
