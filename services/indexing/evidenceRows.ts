import type { Speaker } from "../../domain/corrections/types.ts";
import type { DetectedAppearance, DetectedCommercial, DetectedMention } from "../../domain/detection/types.ts";
import type { NewCommercial, NewMention } from "./replaceEvidence.ts";

interface NamedSpeaker {
  speakerId: string | null;
  speakerName: string | null;
  speakerEntityId: number | null;
}
/** How a speaker is called, and which person it is, as far as that is known. */
export type SpeakerOf = (speakerId: string | null) => NamedSpeaker;

/** Looks speakers up among those who are told apart, and among the persons who were found to speak. */
export function speakersBy(
  speakers: readonly Pick<Speaker, "id" | "label" | "entityId">[],
  appearances: readonly { speakerId: string | null; entityId: number }[],
): SpeakerOf {
  const known = new Map(speakers.map((speaker) => [speaker.id, speaker]));
  const people = new Map(
    appearances.flatMap(({ speakerId, entityId }) => (speakerId === null ? [] : [[speakerId, entityId] as const])),
  );
  return (speakerId) => {
    if (speakerId === null) return { speakerId, speakerName: null, speakerEntityId: null };
    const speaker = known.get(speakerId);
    return {
      speakerId,
      speakerName: speaker?.label ?? null,
      speakerEntityId: speaker?.entityId ?? people.get(speakerId) ?? null,
    };
  };
}

export function mentionRow({ speakerId, ...mention }: DetectedMention, speakerOf: SpeakerOf): NewMention {
  return { ...mention, ...speakerOf(speakerId), isAppearance: false, appearanceRole: null, speakingSeconds: null };
}

export function appearanceRow(
  { speakerId, role, ...appearance }: DetectedAppearance,
  speakerOf: SpeakerOf,
): NewMention {
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
export function commercialRow(commercial: DetectedCommercial): NewCommercial {
  return {
    ...commercial,
    startSeconds: Math.floor(commercial.startSeconds),
    endSeconds: Math.ceil(commercial.endSeconds),
  };
}
