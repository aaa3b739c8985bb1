import type { Correction, Feedback } from "../../database/feedback.ts";
import type { Media } from "../../database/media.ts";
import type { Queryable } from "../../database/pool.ts";
import { listVideoTitles } from "../../database/reviewEvidence.ts";
import { listSpoken, type SpokenSpan } from "../../database/spokenText.ts";
import { type ClaimedPlace, contextSeconds, type Excerpt, markExcerpt } from "../../domain/review/excerpt.ts";
import { type Claim, type CurrentItem, readCurrentItems } from "./readCurrentItems.ts";

export interface Evidence {
  /** Null: it is not there any more. */
  current: CurrentItem | null;
  /** Where it was said; null for what is said nowhere. */
  moment: { media: Pick<Media, "videoId" | "title">; startSeconds: number } | null;
  excerpt: Excerpt | null;
}

/** A correction with that. */
export interface ReviewedClaim {
  correction: Correction;
  evidence: Evidence;
}

/**
 * What a reviewer needs to see beside the claim of each correction, in their order. How many statements that takes does not grow with the
 * corrections.
 */
export async function readEvidence(db: Queryable, feedback: Feedback): Promise<readonly ReviewedClaim[]> {
  const claims = await readCurrentItems(db, feedback);
  const places = await readPlaces(db, claims);
  const placed = places.filter((place) => place !== null);
  const talks = await listSpoken(db, placed.map(spanOf));
  const talkAt = new Map(placed.map((place, n) => [place, talks[n] ?? []]));
  return claims.map(({ correction, current }, n) => {
    const place = places[n] ?? null;
    if (place === null) return { correction, evidence: { current, moment: null, excerpt: null } };
    const { media, claim } = place;
    const excerpt = markExcerpt(talkAt.get(place) ?? [], claim) ?? quoted(current);
    return { correction, evidence: { current, moment: { media, startSeconds: claim.startSeconds }, excerpt } };
  });
}

interface Placed {
  media: Pick<Media, "videoId" | "title">;
  claim: ClaimedPlace;
}

function spanOf({ media, claim }: Placed): SpokenSpan {
  const { startSeconds, endSeconds } = claim;
  return {
    videoId: media.videoId,
    fromSeconds: startSeconds - contextSeconds,
    toSeconds: endSeconds + contextSeconds,
  };
}

const nowhere = { segmentId: null, charStart: null, charEnd: null };

async function readPlaces(db: Queryable, claims: readonly Claim[]): Promise<readonly (Placed | null)[]> {
  const suggested = claims.map((claim) => (isSuggestedOnly(claim) ? suggestedPlace(claim.correction) : null));
  const videoIds = suggested.flatMap((place) => (place === null ? [] : [place.videoId]));
  const videos = new Map((await listVideoTitles(db, videoIds)).map((video) => [video.videoId, video]));
  return claims.map(({ current }, n) => {
    const place = suggested[n] ?? null;
    if (place === null) return placeOf(current);
    const media = videos.get(place.videoId);
    return media === undefined ? null : { media, claim: place.claim };
  });
}

function placeOf(current: CurrentItem | null): Placed | null {
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
      return null;
  }
}

/** Whether a row is said to be missing that nothing in the index has a place for. */
function isSuggestedOnly({ correction, current }: Claim): boolean {
  return correction.issueType === "missing" && placeOf(current) === null;
}

/** Where a row that is said to be missing is said to be. */
function suggestedPlace({ suggestedChange: told }: Correction): { videoId: string; claim: ClaimedPlace } | null {
  const [videoId, start, end] = [told?.["video_id"], told?.["start_seconds"], told?.["end_seconds"]];
  if (typeof videoId !== "string" || typeof start !== "number" || typeof end !== "number") return null;
  const said = told?.["quote"] ?? told?.["verbatim_quote"];
  const quote = typeof said === "string" ? said : null;
  return { videoId, claim: { ...nowhere, startSeconds: start, endSeconds: end, quote } };
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
