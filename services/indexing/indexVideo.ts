import type { EvidenceOrigin } from "../../database/detectedEvidence.ts";
import type { Transaction } from "../../database/pool.ts";
import { readVideo, type Video } from "../../database/videos.ts";
import type { Speaker } from "../../domain/corrections/types.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { appearanceOf, type SpeechOverview, toldPeople } from "../../domain/detection/toldPeople.ts";
import {
  type DetectedAppearance,
  type DetectedEvidence,
  detectorVersion,
  type SpokenSegment,
} from "../../domain/detection/types.ts";
import { detect } from "../detection/detect.ts";
import { appearanceRow, commercialRow, mentionRow, speakersBy } from "./evidenceRows.ts";
import { replaceEvidence } from "./replaceEvidence.ts";

/** The words of a video, and where they come from. */
export interface VideoText {
  videoId: string;
  source: EvidenceOrigin["source"];
  /** Null for a preliminary scan. */
  transcriptRevision: number | null;
  segments: readonly SpokenSegment[];
  /** Those of a transcript, as people say who they are. */
  speakers?: readonly Speaker[];
}

/**
 * Looks for who and what is spoken of in a video and makes that its evidence, in the caller's transaction; what people say of a transcript
 * goes before what is found. Run twice, the second run changes nothing that can be read.
 */
export async function indexVideo(transaction: Transaction, names: Gazetteer, text: VideoText): Promise<void> {
  const video = await readVideo(transaction, text.videoId);
  const evidence = await detectIn(transaction, names, text, video);
  const appearances = appearancesIn(text, evidence.appearances, video?.durationSeconds ?? 0);
  const labelled = text.segments.flatMap(({ speaker }) =>
    speaker?.label == null ? [] : [{ id: speaker.id, label: speaker.label, entityId: null }],
  );
  const speakerOf = speakersBy([...labelled, ...(text.speakers ?? [])], appearances);
  await replaceEvidence(transaction, {
    videoId: text.videoId,
    origin: { source: text.source, transcriptRevision: text.transcriptRevision, detectorVersion },
    replaces: null,
    mentions: [
      ...evidence.mentions.map((mention) => mentionRow(mention, speakerOf)),
      ...appearances.map((appearance) => appearanceRow(appearance, speakerOf)),
    ],
    commercials: evidence.commercials.map(commercialRow),
  });
}

const nothing: DetectedEvidence = { mentions: [], appearances: [], commercials: [] };

/** Evidence is listed by channel, so of a video that nobody has described yet there is none. */
async function detectIn(
  transaction: Transaction,
  names: Gazetteer,
  text: VideoText,
  video: Video | null,
): Promise<DetectedEvidence> {
  if (video === null || video.channel === null) return nothing;
  const { title, channel } = video;
  return detect(transaction, names, { title, description: null, channel, segments: text.segments });
}

function appearancesIn(
  { segments, speakers = [] }: VideoText,
  found: readonly DetectedAppearance[],
  durationSeconds: number,
): readonly DetectedAppearance[] {
  const told = toldPeople(speakers);
  if (told.size === 0) return found;
  const speech = overviewOf(segments, durationSeconds);
  const foundOf = new Map(found.map((appearance) => [appearance.entityId, appearance]));
  const people = new Set([...foundOf.keys(), ...told.keys()]);
  return [...people].flatMap(
    (entityId) => appearanceOf(foundOf.get(entityId) ?? null, told.get(entityId) ?? null, speech) ?? [],
  );
}

function overviewOf(segments: readonly SpokenSegment[], durationSeconds: number): SpeechOverview {
  const bySpeaker = Map.groupBy(segments, ({ speaker }) => speaker?.id ?? null);
  const times = [...bySpeaker].flatMap(([speakerId, own]) =>
    speakerId === null
      ? []
      : [
          {
            speakerId,
            startSeconds: Math.min(...own.map((one) => one.startSeconds)),
            endSeconds: Math.max(...own.map((one) => one.endSeconds)),
            speakingSeconds: own.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0),
          },
        ],
  );
  return {
    times,
    leadSpeakerId: segments.find(({ speaker }) => speaker !== null)?.speaker?.id ?? null,
    firstWordsOf: (speakerId) => {
      const first = bySpeaker.get(speakerId)?.[0];
      return first === undefined ? null : wordsOf(first);
    },
    durationSeconds,
  };
}

/** All words of a segment, as what shows that somebody is there. */
export function wordsOf({ id, text, startSeconds, endSeconds }: SpokenSegment) {
  return { segmentId: id, charStart: 0, charEnd: text.length, startSeconds, endSeconds, quote: text };
}
