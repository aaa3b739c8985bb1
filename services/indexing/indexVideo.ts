import type { EvidenceOrigin } from "../../database/detectedEvidence.ts";
import type { Transaction } from "../../database/pool.ts";
import { readVideo } from "../../database/videos.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import {
  type DetectedAppearance,
  type DetectedCommercial,
  type DetectedEvidence,
  type DetectedMention,
  detectorVersion,
  type SpokenSegment,
} from "../../domain/detection/types.ts";
import { detect } from "../detection/detect.ts";
import { type NewCommercial, type NewMention, replaceEvidence } from "./replaceEvidence.ts";

/** The words of a video, and where they come from. */
export interface VideoText {
  videoId: string;
  source: EvidenceOrigin["source"];
  /** Null for a preliminary scan. */
  transcriptRevision: number | null;
  segments: readonly SpokenSegment[];
}

/**
 * Looks for who and what is spoken of in a video and makes that its evidence, in the caller's transaction. Run twice, the second run changes
 * nothing that can be read.
 */
export async function indexVideo(transaction: Transaction, names: Gazetteer, text: VideoText): Promise<void> {
  const evidence = await detectIn(transaction, names, text);
  const speakers = speakersOf(text.segments, evidence.appearances);
  await replaceEvidence(transaction, {
    videoId: text.videoId,
    origin: { source: text.source, transcriptRevision: text.transcriptRevision, detectorVersion },
    segmentIds: null,
    mentions: [
      ...evidence.mentions.map((mention) => mentionOf(mention, speakers)),
      ...evidence.appearances.map((appearance) => appearanceOf(appearance, speakers)),
    ],
    commercials: evidence.commercials.map((commercial) => commercialOf(commercial)),
  });
}

const nothing: DetectedEvidence = { mentions: [], appearances: [], commercials: [] };

/** Evidence is listed by channel, so of a video that nobody has described yet there is none. */
async function detectIn(transaction: Transaction, names: Gazetteer, text: VideoText): Promise<DetectedEvidence> {
  const video = await readVideo(transaction, text.videoId);
  if (video === null || video.channel === null) return nothing;
  const { title, channel } = video;
  return detect(transaction, names, { title, description: null, channel, segments: text.segments });
}

interface Speaker {
  speakerId: string | null;
  speakerName: string | null;
  speakerEntityId: number | null;
}
type SpeakerOf = (speakerId: string | null) => Speaker;

function speakersOf(segments: readonly SpokenSegment[], appearances: readonly DetectedAppearance[]): SpeakerOf {
  const labels = new Map(
    segments.flatMap(({ speaker }) => (speaker === null ? [] : [[speaker.id, speaker.label] as const])),
  );
  const people = new Map(
    appearances.flatMap(({ speakerId, entityId }) => (speakerId === null ? [] : [[speakerId, entityId] as const])),
  );
  return (speakerId) => ({
    speakerId,
    speakerName: speakerId === null ? null : (labels.get(speakerId) ?? null),
    speakerEntityId: speakerId === null ? null : (people.get(speakerId) ?? null),
  });
}

function mentionOf({ speakerId, ...mention }: DetectedMention, speakerOf: SpeakerOf): NewMention {
  return { ...mention, ...speakerOf(speakerId), isAppearance: false, appearanceRole: null, speakingSeconds: null };
}

function appearanceOf({ speakerId, role, ...appearance }: DetectedAppearance, speakerOf: SpeakerOf): NewMention {
  return {
    ...appearance,
    ...speakerOf(speakerId),
    contextBefore: null,
    contextAfter: null,
    surfaceForm: null,
    isAppearance: true,
    appearanceRole: role,
    inAd: false,
    sentimentScore: null,
  };
}

/** Whole seconds that hold the passage. */
function commercialOf(commercial: DetectedCommercial): NewCommercial {
  return {
    ...commercial,
    startSeconds: Math.floor(commercial.startSeconds),
    endSeconds: Math.ceil(commercial.endSeconds),
  };
}
