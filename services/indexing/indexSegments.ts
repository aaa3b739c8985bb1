import type { Transaction } from "../../database/pool.ts";
import {
  listAppearances,
  listCommercialIdsWithin,
  listNamedElsewhere,
  listNamedIn,
} from "../../database/segmentEvidence.ts";
import type { NamedPlace } from "../../database/segmentEvidence.ts";
import { readAround } from "../../database/transcriptParts.ts";
import { readVideo } from "../../database/videos.ts";
import type { Alignment } from "../../domain/corrections/alignment.ts";
import { carryPlace } from "../../domain/corrections/carryPlace.ts";
import type { Segment, Speaker } from "../../domain/corrections/types.ts";
import { type DetectedMention, detectorVersion, type SpokenSegment } from "../../domain/detection/types.ts";
import type { TextPlace } from "../../domain/textPlace.ts";
import { detectLookedUp } from "../detection/detect.ts";
import { commercialRow, mentionRow, speakersBy } from "./evidenceRows.ts";
import { replaceEvidence } from "./replaceEvidence.ts";
import { spokenSegments } from "./spokenSegments.ts";

/** Segments on each side of a change that are read with it: what is said there tells what is meant in it. */
const readSegmentsAround = 24;
/** Of these, those whose mentions may quote the change. */
const quotingSegments = 6;

/** A change of a transcript's text, which is written already. */
export interface TextChange {
  videoId: string;
  revision: number;
  /** How the words of what was there go on in the texts of `after`. */
  alignment: Alignment;
  after: readonly Segment[];
  speakers: readonly Speaker[];
}

/**
 * Detects anew in changed segments, in the caller's transaction. Only evidence that has to do with the changed words comes or goes; other
 * mentions beside them are told to the detector and take up what it says of the new surroundings (quotes, advertisements). The cost depends
 * on the change and not on the length of the transcript. Returns the persons whose appearances are to be looked at again.
 */
export async function indexSegments(transaction: Transaction, change: TextChange): Promise<ReadonlySet<number>> {
  const { videoId } = change;
  const video = await readVideo(transaction, videoId);
  if (video === null || video.channel === null) return new Set();
  const scene = await readScene(transaction, change);
  const evidence = await detectLookedUp(transaction, [scene.lookedUp], {
    title: null,
    description: null,
    channel: video.channel,
    segments: scene.spoken,
    readElsewhere: (entityIds) =>
      listNamedElsewhere(
        transaction,
        videoId,
        entityIds,
        scene.spoken.map(({ id }) => id),
      ),
  });
  const appearances = await listAppearances(transaction, videoId);
  const speakerOf = speakersBy(change.speakers, appearances);
  const commercials = evidence.commercials.map(commercialRow);
  await replaceEvidence(transaction, {
    videoId,
    origin: { source: "speech", transcriptRevision: change.revision, detectorVersion },
    replaces: {
      mentionIds: scene.replaced.map(({ mentionId }) => mentionId),
      commercialIds: await listCommercialIdsWithin(transaction, videoId, scene.stretch),
      words: wordsNow(change, scene.replaced),
    },
    mentions: evidence.mentions.filter(scene.isConcerned).map((mention) => mentionRow(mention, speakerOf)),
    commercials: commercials.filter(
      ({ startSeconds, endSeconds }) =>
        startSeconds < scene.stretch.endSeconds && endSeconds > scene.stretch.startSeconds,
    ),
  });
  const changedIds = new Set([...change.alignment.before, ...change.after].map(({ id }) => id));
  return new Set([
    ...appearances
      .filter(({ segmentId }) => segmentId !== null && changedIds.has(segmentId))
      .map((one) => one.entityId),
    ...evidence.appearances.filter(({ segmentId }) => changedIds.has(segmentId)).map(({ entityId }) => entityId),
  ]);
}

interface ChangedScene {
  /** The change and its surroundings. */
  spoken: readonly SpokenSegment[];
  /** The change with a segment on each side, as a name may go across their border. */
  lookedUp: readonly SpokenSegment[];
  /** When it is said. */
  stretch: { startSeconds: number; endSeconds: number };
  replaced: readonly NamedPlace[];
  isConcerned: (mention: DetectedMention) => boolean;
}

async function readScene(transaction: Transaction, change: TextChange): Promise<ChangedScene> {
  const { videoId, alignment, after } = change;
  const concerned = [...alignment.before, ...after];
  const positions = concerned.map(({ position }) => position).toSorted((a, b) => (a < b ? -1 : 1));
  const [from = ""] = positions;
  const to = positions.at(-1) ?? from;
  const around = await readAround(transaction, videoId, { from, to, count: readSegmentsAround });
  const first = around.filter(({ position }) => position < from).length;
  const end = around.filter(({ position }) => position <= to).length;
  const changedIds = new Set(concerned.map(({ id }) => id));
  const preceding = around[first - 1];
  const quotingIds = new Set(
    around.slice(Math.max(0, first - quotingSegments), end + quotingSegments).map(({ id }) => id),
  );
  const known = await listNamedIn(transaction, videoId, [...new Set([...around.map(({ id }) => id), ...changedIds])]);
  const endOf = new Map(around.map(({ id, endSeconds }) => [id, endSeconds]));
  const goesOn = ({ segmentId, endSeconds }: { segmentId: string; endSeconds: number }) =>
    endSeconds > (endOf.get(segmentId) ?? Infinity);
  const isTouched = (mention: { segmentId: string; endSeconds: number }) =>
    changedIds.has(mention.segmentId) || (mention.segmentId === preceding?.id && goesOn(mention));
  const kept = known.filter((mention) => !isTouched(mention));
  const refreshed = kept.filter((mention) => quotingIds.has(mention.segmentId) && !goesOn(mention));
  const spoken = spokenSegments(around, [], kept);
  const refreshedPlaces = new Set(refreshed.map(placeOf));
  return {
    spoken,
    lookedUp: spoken.slice(Math.max(0, first - 1), end + 1),
    stretch: {
      startSeconds: Math.min(...concerned.map(({ startSeconds }) => startSeconds)),
      endSeconds: Math.max(...concerned.map(({ endSeconds }) => endSeconds)),
    },
    replaced: [...known.filter(isTouched), ...refreshed],
    isConcerned: (mention) => isTouched(mention) || refreshedPlaces.has(placeOf(mention)),
  };
}

/** Where the words of mentions stand after the change, as far as they are still said. */
function wordsNow({ alignment, after }: TextChange, mentions: readonly NamedPlace[]): ReadonlyMap<number, TextPlace> {
  const replacedIds = new Set(alignment.before.map(({ id }) => id));
  const afterIds = after.map(({ id }) => id);
  return new Map(
    mentions.flatMap((mention) => {
      const place = replacedIds.has(mention.segmentId) ? carryPlace(alignment, afterIds, mention) : mention;
      return place === null ? [] : [[mention.mentionId, place] as const];
    }),
  );
}

function placeOf(mention: { segmentId: string; charStart: number; charEnd: number; entityId: number }): string {
  return `${mention.segmentId} ${mention.charStart} ${mention.charEnd} ${mention.entityId}`;
}
