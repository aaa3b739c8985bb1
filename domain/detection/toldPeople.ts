import type { Speaker } from "../corrections/types.ts";
import type { AppearanceRole } from "../evidence.ts";
import type { DetectedAppearance, Place } from "./types.ts";

/** A person who takes part because somebody says so, as which of the speakers, if any. */
export interface ToldPerson {
  entityId: number;
  speakerIds: readonly string[];
  role: AppearanceRole | null;
}

/** The persons whom the speakers of a transcript are said to be, each once. */
export function toldPeople(speakers: readonly Speaker[]): Map<number, ToldPerson> {
  const people = new Map<number, ToldPerson>();
  for (const { id, entityId, role } of speakers) {
    if (entityId === null) continue;
    const known = people.get(entityId);
    people.set(entityId, {
      entityId,
      speakerIds: [...(known?.speakerIds ?? []), id],
      role: known?.role ?? role,
    });
  }
  return people;
}

/** From when to when speakers speak in a video, and how long in all. */
interface SpeakingTime {
  speakerId: string;
  startSeconds: number;
  endSeconds: number;
  speakingSeconds: number;
}

/** What is known of a video's speech apart from what tells of a person. */
export interface SpeechOverview {
  times: readonly SpeakingTime[];
  /** Who speaks first. */
  leadSpeakerId: string | null;
  /** What shows a person whom no words show: the first that a speaker says. */
  firstWordsOf: (speakerId: string) => (Place & { quote: string }) | null;
  durationSeconds: number;
}

/** Of a person whom nothing shows: in the whole video. */
const nowhere = { segmentId: "", charStart: 0, charEnd: 0, quote: "" };

/**
 * A person's appearance by what was found in the text and by what people say; null where neither tells of one. What people say of the role
 * goes before what was found, and is certain.
 */
export function appearanceOf(
  found: DetectedAppearance | null,
  told: ToldPerson | null,
  speech: SpeechOverview,
): DetectedAppearance | null {
  const speakerIds = new Set([...(told?.speakerIds ?? []), ...(found?.speakerId == null ? [] : [found.speakerId])]);
  const times = speech.times.filter(({ speakerId }) => speakerIds.has(speakerId));
  const spoken =
    times.length === 0
      ? null
      : {
          startSeconds: Math.min(...times.map(({ startSeconds }) => startSeconds)),
          endSeconds: Math.max(...times.map(({ endSeconds }) => endSeconds)),
          speakingSeconds: Math.round(times.reduce((sum, one) => sum + one.speakingSeconds, 0) * 1000) / 1000,
        };
  if (told === null) return found === null ? null : { ...found, ...spoken };
  const speakerId = times[0]?.speakerId ?? null;
  const shown = found ?? (speakerId === null ? null : speech.firstWordsOf(speakerId));
  return {
    ...(shown ?? { ...nowhere, startSeconds: 0, endSeconds: speech.durationSeconds }),
    speakingSeconds: null,
    ...spoken,
    entityId: told.entityId,
    // Who speaks first usually leads.
    role: told.role ?? found?.role ?? (speakerId !== null && speakerId === speech.leadSpeakerId ? "host" : "guest"),
    speakerId,
    confidence: 1,
  };
}
