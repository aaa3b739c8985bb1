import type { Transaction } from "../../database/pool.ts";
import { listAppearances, listFirstNamed, listNamedIn } from "../../database/segmentEvidence.ts";
import { readAround, readFirstSpoken, readPresent } from "../../database/transcriptParts.ts";
import { readSpokenTimes } from "../../database/transcriptSpeakers.ts";
import { readVideo } from "../../database/videos.ts";
import type { Segment, Speaker } from "../../domain/corrections/types.ts";
import { appearanceOf, type SpeechOverview, toldPeople } from "../../domain/detection/toldPeople.ts";
import { detectorVersion, type SpokenSegment } from "../../domain/detection/types.ts";
import { detectLookedUp } from "../detection/detect.ts";
import { appearanceRow, speakersBy } from "./evidenceRows.ts";
import { wordsOf } from "./indexVideo.ts";
import { replaceEvidence } from "./replaceEvidence.ts";
import { spokenSegments } from "./spokenSegments.ts";

/** Who speaks is told near where a person is first named: so many places are looked at, with so many segments on each side. */
const placesOfPerson = 8;
const segmentsAround = 3;

/** Persons and speakers of a transcript of whom something may have changed. */
export interface ConcernedPeople {
  videoId: string;
  revision: number;
  entityIds: ReadonlySet<number>;
  speakerIds: ReadonlySet<string>;
  /** All of the transcript. */
  speakers: readonly Speaker[];
}

/**
 * Says anew whether and how persons take part in a video, by what the transcript says where it names them and by what people say of its
 * speakers, in the caller's transaction. Appearances of others stay as they are.
 */
export async function indexPeople(transaction: Transaction, people: ConcernedPeople): Promise<void> {
  const { videoId, speakers } = people;
  if (people.entityIds.size === 0 && people.speakerIds.size === 0) return;
  const video = await readVideo(transaction, videoId);
  if (video === null || video.channel === null) return;
  const known = await listAppearances(transaction, videoId);
  const persons = new Set([
    ...people.entityIds,
    ...known
      .filter(({ speakerId }) => speakerId !== null && people.speakerIds.has(speakerId))
      .map((one) => one.entityId),
    ...speakers.flatMap(({ id, entityId }) => (entityId !== null && people.speakerIds.has(id) ? [entityId] : [])),
  ]);
  const concerned = speakers.filter(
    ({ id, entityId }) => people.speakerIds.has(id) || (entityId !== null && persons.has(entityId)),
  );
  const spoken = await readPlaces(transaction, { videoId, persons: [...persons], speakers: concerned });
  const labels: SpokenSegment[] = concerned.map(({ label }) => textOf(label));
  const lookedUp = [[textOf(video.title ?? "")], ...labels.map((label) => [label])];
  const { title, channel } = video;
  const found = await detectLookedUp(transaction, lookedUp, { title, description: null, channel, segments: spoken });
  const toldOf = toldPeople(speakers);
  const foundOf = new Map(found.appearances.map((appearance) => [appearance.entityId, appearance]));
  for (const { entityId, speakerId } of found.appearances)
    if (speakerId !== null && people.speakerIds.has(speakerId)) persons.add(entityId);
  const speech = await overview(transaction, people, spoken, video.durationSeconds ?? 0);
  const appearances = [...persons].flatMap(
    (entityId) => appearanceOf(foundOf.get(entityId) ?? null, toldOf.get(entityId) ?? null, speech) ?? [],
  );
  const speakerOf = speakersBy(speakers, appearances);
  await replaceEvidence(transaction, {
    videoId,
    origin: { source: "speech", transcriptRevision: people.revision, detectorVersion },
    replaces: {
      mentionIds: known.filter(({ entityId }) => persons.has(entityId)).map(({ mentionId }) => mentionId),
      commercialIds: [],
      words: new Map(),
    },
    mentions: appearances.map((appearance) => appearanceRow(appearance, speakerOf)),
    commercials: [],
  });
}

/** What is said around the places that name the persons, and what the speakers say first. */
async function readPlaces(
  transaction: Transaction,
  { videoId, persons, speakers }: { videoId: string; persons: readonly number[]; speakers: readonly Speaker[] },
): Promise<SpokenSegment[]> {
  const named = await listFirstNamed(transaction, videoId, persons, placesOfPerson);
  const anchors = await readPresent(transaction, videoId, [...new Set(named.map(({ segmentId }) => segmentId))]);
  const segments = new Map<string, Segment>();
  for (const { position } of anchors) {
    if (segments.has(position)) continue;
    const around = await readAround(transaction, videoId, { from: position, to: position, count: segmentsAround });
    for (const segment of around) segments.set(segment.position, segment);
  }
  for (const { id } of speakers) {
    const first = await readFirstSpoken(transaction, videoId, id);
    if (first !== null) segments.set(first.position, first);
  }
  const inOrder = [...segments.values()].toSorted((a, b) => (a.position < b.position ? -1 : 1));
  const places = await listNamedIn(
    transaction,
    videoId,
    inOrder.map(({ id }) => id),
  );
  return spokenSegments(inOrder, speakers, places);
}

async function overview(
  transaction: Transaction,
  { videoId, speakers }: ConcernedPeople,
  spoken: readonly SpokenSegment[],
  durationSeconds: number,
): Promise<SpeechOverview> {
  const times = await readSpokenTimes(
    transaction,
    videoId,
    speakers.map(({ id }) => id),
  );
  const lead = times.toSorted((a, b) => a.startSeconds - b.startSeconds)[0];
  return {
    times,
    leadSpeakerId: lead?.speakerId ?? null,
    firstWordsOf: (speakerId) => {
      const first = spoken.find(({ speaker }) => speaker?.id === speakerId);
      return first === undefined ? null : wordsOf(first);
    },
    durationSeconds,
  };
}

function textOf(text: string): SpokenSegment {
  return { id: "", startSeconds: 0, endSeconds: 0, text, speaker: null };
}
