import type { Queryable } from "../../database/pool.ts";
import {
  type Lesson,
  listLessons,
  listNamesakes,
  listTaughtNames,
  readTaughtName,
  type TaughtName,
} from "../../database/taughtNames.ts";
import { countPlaces, listCandidateTexts } from "../../database/taughtPlaces.ts";
import type { EntityType } from "../../domain/entities.ts";
import { ApiError } from "../../domain/errors.ts";
import { foldName } from "../../domain/names.ts";
import { areCommonWords } from "../../domain/teaching/learn.ts";
import { findWrong } from "../../domain/teaching/sameWords.ts";
import type { PlaceCounts, TaughtNameStatus } from "../../domain/teaching/states.ts";
import type { ServiceContext } from "../context.ts";

/** Of more segments only so many are looked at to say how many say the words. */
const mostCounted = 10_000;
const lessonsShown = 20;

/** What a reviewer may want to know before it is accepted. */
interface Risks {
  areCommonWords: boolean;
  /** Other entities with that name. */
  namesakes: readonly { numericId: number; name: string; type: EntityType }[];
}

export interface OfferedName {
  name: TaughtName;
  risks: Risks;
  /** All 0 before it is accepted. */
  counts: PlaceCounts;
}

/** How many segments of a video say the words now. */
interface StandingVideo {
  videoId: string;
  segments: number;
}

export interface TaughtNameDetails extends OfferedName {
  lessons: readonly Lesson[];
  /** In which videos and how many segments the words stand now. `isWhole`: no more segments hold them than were looked at. */
  standing: { videos: readonly StandingVideo[]; segments: number; isWhole: boolean };
}

/** A page of the queue, the oldest first. */
export async function listOffers(
  { pool }: ServiceContext,
  statuses: readonly TaughtNameStatus[],
  { limit, after }: { limit: number; after: number | null },
): Promise<{ names: OfferedName[]; hasMore: boolean }> {
  const found = await listTaughtNames(pool, statuses, { limit: limit + 1, after });
  return { names: await withRisks(pool, found.slice(0, limit)), hasMore: found.length > limit };
}

/** A taught name with what taught it and how far the words stand. Throws `taught_name_not_found`. */
export async function readOffer({ pool }: ServiceContext, id: number): Promise<TaughtNameDetails> {
  const name = await requireName(pool, id);
  const [offer] = await withRisks(pool, [name]);
  if (offer === undefined) throw new ApiError("taught_name_not_found");
  return { ...offer, lessons: await listLessons(pool, id, lessonsShown), standing: await countStanding(pool, name) };
}

/** Throws `taught_name_not_found`. */
export async function requireName(db: Queryable, id: number): Promise<TaughtName> {
  const name = await readTaughtName(db, id);
  if (name === null) throw new ApiError("taught_name_not_found");
  return name;
}

/** The name with its risks and counts, as its decisions answer with. */
export async function offerOf(db: Queryable, id: number): Promise<OfferedName> {
  const [offer] = await withRisks(db, [await requireName(db, id)]);
  if (offer === undefined) throw new ApiError("taught_name_not_found");
  return offer;
}

async function withRisks(db: Queryable, names: readonly TaughtName[]): Promise<OfferedName[]> {
  const byKey = Map.groupBy(await listNamesakes(db, [...new Set(names.map(keyOf))]), ({ key }) => key);
  const offers: OfferedName[] = [];
  for (const name of names) {
    const namesakes = (byKey.get(keyOf(name)) ?? []).map(({ entity }) => entity);
    offers.push({
      name,
      risks: {
        areCommonWords: areCommonWords(name.wrongWords),
        namesakes: namesakes.filter(({ numericId }) => numericId !== name.entity.numericId),
      },
      counts: await countPlaces(db, name.id),
    });
  }
  return offers;
}

function keyOf({ wrongWords }: TaughtName): string {
  return foldName(wrongWords);
}

async function countStanding(db: Queryable, name: TaughtName): Promise<TaughtNameDetails["standing"]> {
  const texts = await listCandidateTexts(db, { words: name.wrongWords, videoIds: null }, mostCounted + 1);
  const saying = texts.slice(0, mostCounted).filter(({ text }) => findWrong(text, name).length > 0);
  const byVideo = Map.groupBy(saying, ({ videoId }) => videoId);
  return {
    videos: [...byVideo].map(([videoId, texts]) => ({ videoId, segments: texts.length })),
    segments: saying.length,
    isWhole: texts.length <= mostCounted,
  };
}
