import { lockTranscript } from "../../database/corrections.ts";
import { readProfiles } from "../../database/nameIndex.ts";
import type { Queryable, Transaction } from "../../database/pool.ts";
import { listNamedIn, type NamedPlace } from "../../database/segmentEvidence.ts";
import type { TaughtName } from "../../database/taughtNames.ts";
import { type CandidatePlace, listCandidates, listDone, type PlaceKey } from "../../database/taughtPlaces.ts";
import { readPresent } from "../../database/transcriptParts.ts";
import type { EntityType } from "../../domain/entities.ts";
import { findWrong, type WordsHit } from "../../domain/teaching/sameWords.ts";
import type { PlaceReason } from "../../domain/teaching/states.ts";
import type { ServiceContext } from "../context.ts";
import { correctPlace } from "./correctPlace.ts";
import { requireName } from "./read.ts";

const candidatesPerRead = 200;
/** Tried while a transcript is held: whoever wants to correct it meanwhile waits. */
const placesPerHold = 20;

/** Words that name an entity, or did. */
interface NamedEntity {
  entity: { numericId: number; name: string; type: EntityType };
  words: string;
}

/** A segment that says the wrong words, and what accepting the name would do there. */
export interface PreviewedPlace extends CandidatePlace {
  /** Where it says them. */
  hits: readonly WordsHit[];
  /** Why nothing would be done; null: it would be corrected. */
  reason: PlaceReason | null;
  /** As it would be. */
  becomes: string;
  added: readonly NamedEntity[];
  removed: readonly NamedEntity[];
}

interface Tried {
  reason: PlaceReason | null;
  becomes: string;
  before: readonly NamedPlace[];
  after: readonly NamedPlace[];
}

/** Carries what would be done out of the transaction that it rolls back. */
class Previewed extends Error {
  override readonly name = "Previewed";
  readonly tried: readonly Tried[];
  constructor(tried: readonly Tried[]) {
    super("previewed");
    this.tried = tried;
  }
}

/**
 * A page of the segments that say the wrong words now, after a place, with exactly what would become of them: it is done and rolled back. Throws
 * `taught_name_not_found`.
 */
export async function previewName(
  context: ServiceContext,
  id: number,
  { limit, after }: { limit: number; after: PlaceKey | null },
): Promise<{ places: PreviewedPlace[]; hasMore: boolean }> {
  const name = await requireName(context.pool, id);
  const standing = await listStanding(context, name, { limit: limit + 1, after });
  const page = standing.slice(0, limit);
  const tried = await tryPlaces(context, name, page);
  const named = tried.flatMap(({ before, after: now }) => [...before, ...now].map(({ entityId }) => entityId));
  const profiles = await readProfiles(context.pool, [...new Set(named)]);
  const show = (text: string, places: readonly NamedPlace[]) =>
    places.flatMap(({ entityId, charStart, charEnd }) => {
      const profile = profiles.get(entityId);
      if (profile === undefined) return [];
      const { name: called, type } = profile;
      return [{ entity: { numericId: entityId, name: called, type }, words: text.slice(charStart, charEnd) }];
    });
  const places = page.flatMap((place, n) => {
    const { reason, becomes, before, after: now } = tried[n] ?? { reason: null, becomes: "", before: [], after: [] };
    const added = show(becomes, beyond(now, before));
    const removed = show(place.text, beyond(before, now));
    return [{ ...place, hits: findWrong(place.text, name), reason, becomes, added, removed }];
  });
  return { places, hasMore: standing.length > limit };
}

async function listStanding(
  { pool }: ServiceContext,
  name: TaughtName,
  { limit, after }: { limit: number; after: PlaceKey | null },
): Promise<CandidatePlace[]> {
  const standing: CandidatePlace[] = [];
  for (let from = after; standing.length < limit;) {
    const sought = { words: name.wrongWords, videoIds: null };
    const candidates = await listCandidates(pool, sought, { limit: candidatesPerRead, after: from });
    standing.push(...candidates.filter(({ text }) => findWrong(text, name).length > 0));
    const last = candidates.at(-1);
    if (last === undefined || candidates.length < candidatesPerRead) break;
    from = last;
  }
  return standing.slice(0, limit);
}

/** Of one video after the other, so that none is held for long. */
async function tryPlaces(
  { pool }: ServiceContext,
  name: TaughtName,
  places: readonly CandidatePlace[],
): Promise<readonly Tried[]> {
  const left = await readLeft(pool, name, places);
  const tried: Tried[] = [];
  for (const [videoId, all] of Map.groupBy(places, (place) => place.videoId))
    for (let from = 0; from < all.length; from += placesPerHold)
      tried.push(...(await tryOfVideo(pool, name, videoId, all.slice(from, from + placesPerHold), left)));
  return tried;
}

async function tryOfVideo(
  pool: ServiceContext["pool"],
  name: TaughtName,
  videoId: string,
  places: readonly CandidatePlace[],
  left: LeftPlaces,
): Promise<readonly Tried[]> {
  try {
    await pool.transaction(async (transaction) => {
      await lockTranscript(transaction, videoId, null);
      const tried: Tried[] = [];
      for (const place of places) tried.push(await tryPlace(transaction, name, place, left(place)));
      throw new Previewed(tried);
    });
  } catch (error) {
    if (error instanceof Previewed) return error.tried;
    throw error;
  }
  throw new Error("a preview must not commit");
}

/** Why a place that would be corrected is left alone all the same, as it was before; null: it is not. */
type LeftPlaces = (place: PlaceKey) => PlaceReason | null;

async function readLeft(db: Queryable, name: TaughtName, places: readonly PlaceKey[]): Promise<LeftPlaces> {
  const done = await listDone(db, name.id, places);
  return ({ videoId, position }) => {
    const found = done.find((one) => one.videoId === videoId && one.position === position);
    if (found === undefined) return null;
    if (!found.isTakenBack) return "later_edit";
    // Accepted once more after its undo, it begins anew.
    return name.status === "undone" ? null : "taken_back";
  };
}

async function tryPlace(
  transaction: Transaction,
  name: TaughtName,
  { videoId, segmentId, text }: CandidatePlace,
  left: PlaceReason | null,
): Promise<Tried> {
  const [segment] = await readPresent(transaction, videoId, [segmentId]);
  if (segment === undefined) return { reason: "edited_meanwhile", becomes: text, before: [], after: [] };
  const before = await listNamedIn(transaction, videoId, [segmentId]);
  const outcome = await correctPlace(transaction, name, videoId, segment);
  if (outcome.isCorrected && left !== null) return { reason: left, becomes: text, before, after: before };
  const [now] = await readPresent(transaction, videoId, [segmentId]);
  return {
    reason: outcome.isCorrected ? null : outcome.reason,
    becomes: now?.text ?? text,
    before,
    after: await listNamedIn(transaction, videoId, [segmentId]),
  };
}

/** Those whose entity is named there more often than in the others. */
function beyond(places: readonly NamedPlace[], others: readonly NamedPlace[]): NamedPlace[] {
  const left = new Map<number, number>();
  for (const { entityId } of others) left.set(entityId, (left.get(entityId) ?? 0) + 1);
  return places.filter(({ entityId }) => {
    const count = left.get(entityId) ?? 0;
    left.set(entityId, count - 1);
    return count <= 0;
  });
}
