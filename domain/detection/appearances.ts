import type { AppearanceRole } from "../evidence.ts";
import { appearanceCues, inTitle, otherTime, roleWords } from "./appearanceCues.ts";
import { findCues, plainOf } from "./cues.ts";
import type { NamedEntity } from "./disambiguate.ts";
import { placeOf, sentenceAt, type Speech, stopsBetween, textOf, type WordRange } from "./speech.ts";
import type { DetectedAppearance, DetectionInput } from "./types.ts";

/** A person that something says is there; `speakerId` where it says who of those who speak. */
interface Introduction {
  entityId: number;
  role: AppearanceRole;
  confidence: number;
  speakerId: string | null;
  /** In the speech; null where the title or a label tells. */
  words: WordRange | null;
  isOwnWord: boolean;
}

const andAnother = /^(?:, )?(?:and |also |plus |as well as )*(?:(?:the|from|our|with) (?:\w+ ){1,4})?$/;

/**
 * The people who speak in the video, each once: those whom labels of speakers name, who say who they are, whom a host presents, and whom the title names as a
 * guest. `titleNames` are what is named in `title`, `labels` the persons that labels name by speaker.
 */
export function appearances(
  speech: Speech,
  names: readonly NamedEntity[],
  title: { speech: Speech; names: readonly NamedEntity[] } | null,
  labels: ReadonlyMap<string, number>,
): DetectedAppearance[] {
  const introductions = [
    ...labelled(speech, labels),
    ...introduced(speech, names),
    ...(title === null ? [] : inTitleOf(title)),
  ];
  const byPerson = new Map<number, Introduction[]>();
  for (const introduction of introductions) {
    const known = byPerson.get(introduction.entityId) ?? [];
    known.push(introduction);
    byPerson.set(introduction.entityId, known);
  }
  return [...byPerson.values()].map((told) => appearanceOf(speech, told, names)).filter((found) => found !== null);
}

function labelled(speech: Speech, labels: ReadonlyMap<string, number>): Introduction[] {
  return [...labels].map(([speakerId, entityId], index) => ({
    entityId,
    // Who speaks first usually leads.
    role: index === 0 ? "host" : "guest",
    confidence: 0.9,
    speakerId,
    words: firstWordsOf(speech, speakerId),
    isOwnWord: false,
  }));
}

function firstWordsOf(speech: Speech, speakerId: string): WordRange | null {
  const first = speech.words.findIndex((word) => speech.segments[word.segment]?.speaker?.id === speakerId);
  return first < 0 ? null : sentenceAt(speech, first);
}

function introduced(speech: Speech, names: readonly NamedEntity[]): Introduction[] {
  const people = names.filter(({ profile }) => profile.type === "person");
  const found: Introduction[] = [];
  let hosts = 0;
  const otherTimes = new Set(findCues(speech, otherTime).map(({ first }) => speech.words[first]?.sentence));
  for (const { pattern, role, slot, reach, confidence } of appearanceCues) {
    for (const hit of findCues(speech, pattern)) {
      const isOwnWord = slot === "after" && reach === 0 && role === "host";
      if (!isOwnWord && otherTimes.has(speech.words[hit.first]?.sentence)) continue;
      const present =
        slot === "after" ? peopleAfter(speech, hit, reach, people) : peopleBefore(speech, hit, reach, people);
      for (const person of present) {
        const between = plainOf(speech, {
          first: Math.min(hit.first, person.first),
          end: Math.max(hit.end, person.first),
        });
        const exact = isOwnWord
          ? ownRole(speech, person, hosts)
          : (roleWords.find(({ pattern }) => [...between.trim().matchAll(pattern)].length > 0)?.role ?? role);
        if (isOwnWord) hosts += 1;
        found.push({
          entityId: person.profile.entityId,
          role: exact,
          confidence: confidence * Math.min(1, person.confidence + 0.1),
          speakerId: isOwnWord ? speakerAt(speech, hit.first) : null,
          words: { first: Math.min(hit.first, person.first), end: Math.max(hit.end, person.end) },
          isOwnWord,
        });
      }
    }
  }
  return found;
}

/** Of those who say who they are, the first leads; one who reports says so. */
function ownRole(speech: Speech, person: NamedEntity, hosts: number): AppearanceRole {
  const after = plainOf(speech, { first: person.end, end: Math.min(person.end + 4, speech.words.length) });
  if (/^(?:, )?report(?:ing|s)\b/.test(after)) return "correspondent";
  return hosts === 0 ? "host" : "co_host";
}

function peopleAfter(speech: Speech, hit: WordRange, reach: number, people: readonly NamedEntity[]): NamedEntity[] {
  const present: NamedEntity[] = [];
  let from = hit.end;
  for (const person of people) {
    // "Grace Hopper's biographer" is not Grace Hopper.
    if (person.first < from || speech.words[person.end - 1]?.possessive === true) continue;
    if (stopsBetween(speech, hit.end - 1, person.first) > 0) break;
    const isNext = present.length > 0 && andAnother.test(plainOf(speech, { first: from, end: person.first }));
    const isFirst = present.length === 0 && person.first - from <= reach;
    if (!isNext && !isFirst) break;
    present.push(person);
    from = person.end;
  }
  return present;
}

function peopleBefore(speech: Speech, hit: WordRange, reach: number, people: readonly NamedEntity[]): NamedEntity[] {
  const nearest = people.findLast(({ end }) => end <= hit.first && end >= hit.first - reach);
  return nearest === undefined || stopsBetween(speech, nearest.end - 1, hit.first) > 0 ? [] : [nearest];
}

function inTitleOf({ speech, names }: { speech: Speech; names: readonly NamedEntity[] }): Introduction[] {
  const people = names.filter(({ profile, first, end }) => profile.type === "person" && end - first > 1);
  return findCues(speech, inTitle).flatMap((hit) =>
    peopleAfter(speech, hit, 3, people).map(({ profile }) => ({
      entityId: profile.entityId,
      role: "guest" as const,
      confidence: 0.75,
      speakerId: null,
      words: null,
      isOwnWord: false,
    })),
  );
}

function speakerAt(speech: Speech, word: number): string | null {
  return speech.segments[speech.words[word]?.segment ?? -1]?.speaker?.id ?? null;
}

/** All that is told of one person, put together: the surest part, and with several tellings more confidence. */
function appearanceOf(
  speech: Speech,
  told: readonly Introduction[],
  names: readonly NamedEntity[],
): DetectedAppearance | null {
  const bySureness = [...told].sort((a, b) => Number(b.isOwnWord) - Number(a.isOwnWord) || b.confidence - a.confidence);
  // A cue in the speech knows the part better than the order of labels does.
  const best = bySureness.find(({ speakerId, isOwnWord }) => isOwnWord || speakerId === null) ?? bySureness[0];
  if (best === undefined) return null;
  const speakerId = told.find((one) => one.speakerId !== null)?.speakerId ?? null;
  const shown =
    told.find(({ words }) => words !== null)?.words ??
    names.find(({ profile }) => profile.entityId === best.entityId) ??
    sentenceAt(speech, 0);
  if (speech.words.length === 0) return null;
  const sentence = sentenceAt(speech, shown.first);
  const spoken = spans(speech.segments, speakerId);
  const confidence = 1 - told.reduce((doubt, one) => doubt * (1 - one.confidence * 0.98), 1);
  return {
    ...placeOf(speech, shown),
    ...(spoken.length === 0
      ? {}
      : { startSeconds: spoken[0]?.startSeconds ?? 0, endSeconds: spoken.at(-1)?.endSeconds ?? 0 }),
    entityId: best.entityId,
    role: best.role,
    quote: textOf(speech, sentence),
    speakerId,
    speakingSeconds:
      spoken.length === 0
        ? null
        : Math.round(spoken.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0) * 1000) / 1000,
    confidence: Math.round(Math.min(0.99, confidence) * 1000) / 1000,
  };
}

function spans(segments: DetectionInput["segments"], speakerId: string | null): DetectionInput["segments"] {
  return speakerId === null ? [] : segments.filter(({ speaker }) => speaker?.id === speakerId);
}
