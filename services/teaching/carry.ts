import { lockTranscript } from "../../database/corrections.ts";
import type { Transaction } from "../../database/pool.ts";
import { holdStatus, lockTaughtName, moveName, readTaughtName, type TaughtName } from "../../database/taughtNames.ts";
import {
  countPlaces,
  forgetUntouched,
  listPlanned,
  lockPlace,
  type PlaceKey,
  planPlaces,
  settleCandidates,
  settlePlace,
} from "../../database/taughtPlaces.ts";
import { readPresent } from "../../database/transcriptParts.ts";
import { AnchorMismatch } from "../../domain/bareRefusals.ts";
import { findWrong } from "../../domain/teaching/sameWords.ts";
import type { TaughtNameStatus, TeachingProgress } from "../../domain/teaching/states.ts";
import type { ServiceContext } from "../context.ts";
import { undoCorrection } from "../corrections/withdraw.ts";
import { requireName } from "./read.ts";
import { correctPlace } from "./correctPlace.ts";

const candidatesPerBatch = 1000;
const placesPerBatch = 25;

/** Ends the transaction of a place: another decision was made meanwhile. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/**
 * Does the next part of what was decided on a name: corrects or takes back some of its places, each in a transaction of its own, or finds them
 * first. Run twice, or killed at any moment, nothing is done twice. `hasMore`: whether anything is left to do.
 */
export async function carryName(context: ServiceContext, id: number): Promise<TeachingProgress> {
  const { pool } = context;
  const name = await requireName(pool, id);
  if (name.status === "carrying") await carryOn(context, name);
  else if (name.status === "undoing") await takeBackSome(context, name);
  const { status } = await requireName(pool, id);
  return { status, counts: await countPlaces(pool, id), hasMore: status === "carrying" || status === "undoing" };
}

async function carryOn({ pool }: ServiceContext, name: TaughtName): Promise<void> {
  const { id } = name;
  if (!name.isPlanned) return pool.transaction((transaction) => plan(transaction, id));
  const candidates = await listPlanned(pool, id, "candidate", candidatesPerBatch);
  if (candidates.length > 0) {
    const { pending = [], forgotten = [] } = Object.groupBy(candidates, ({ text }) =>
      text !== null && findWrong(text, name).length > 0 ? "pending" : "forgotten",
    );
    return settleCandidates(pool, id, { pending, forgotten });
  }
  const places = await listPlanned(pool, id, "pending", placesPerBatch);
  if (places.length === 0) return moveName(pool, name, "carried");
  for (const place of places)
    if (!(await unlessOvertaken(pool.transaction((tx) => correctOne(tx, name, place))))) return;
}

async function plan(transaction: Transaction, id: number): Promise<void> {
  await lockTaughtName(transaction, id);
  const name = await readTaughtName(transaction, id);
  if (name?.status !== "carrying" || name.isPlanned) return;
  await planPlaces(transaction, id, { words: name.wrongWords, videoIds: name.videoIds });
}

async function correctOne(transaction: Transaction, name: TaughtName, key: PlaceKey): Promise<void> {
  await lockTranscript(transaction, key.videoId, null);
  const place = await lockPlace(transaction, name.id, key);
  if (place?.state !== "pending") return;
  const [segment] = await readPresent(transaction, key.videoId, [place.segmentId]);
  const outcome =
    segment?.madeSeq === place.madeSeq
      ? await correctPlace(transaction, name, key.videoId, segment)
      : ({ isCorrected: false, reason: "edited_meanwhile" } as const);
  await requireStatus(transaction, name.id, "carrying");
  await settlePlace(
    transaction,
    name.id,
    key,
    outcome.isCorrected
      ? { state: "corrected", reason: null, correctionIds: outcome.correctionIds }
      : { state: "skipped", reason: outcome.reason, correctionIds: [] },
  );
}

async function takeBackSome({ pool }: ServiceContext, name: TaughtName): Promise<void> {
  const { id } = name;
  await forgetUntouched(pool, id);
  const places = await listPlanned(pool, id, "corrected", placesPerBatch);
  if (places.length === 0) return moveName(pool, name, "undone");
  for (const place of places)
    if (!(await unlessOvertaken(pool.transaction((tx) => takeBackOne(tx, id, place))))) return;
}

async function takeBackOne(transaction: Transaction, id: number, key: PlaceKey): Promise<void> {
  await lockTranscript(transaction, key.videoId, null);
  const place = await lockPlace(transaction, id, key);
  if (place?.state !== "corrected") return;
  const isTakenBack = await takeBackAll(transaction, place.correctionIds, `Taught name ${id} was taken back.`);
  await requireStatus(transaction, id, "undoing");
  await settlePlace(transaction, id, key, {
    state: isTakenBack ? "withdrawn" : "kept",
    reason: isTakenBack ? null : "later_edit",
    correctionIds: place.correctionIds,
  });
}

/** The last one first. False where a later edit sits on one: it stays, and those before it. */
async function takeBackAll(transaction: Transaction, correctionIds: readonly string[], note: string): Promise<boolean> {
  try {
    for (const correctionId of correctionIds.toReversed()) await undoCorrection(transaction, correctionId, note);
    return true;
  } catch (error) {
    if (error instanceof AnchorMismatch) return false;
    throw error;
  }
}

/** After the evidence, as decisions lock entities before names too. */
async function requireStatus(transaction: Transaction, id: number, wanted: TaughtNameStatus): Promise<void> {
  if ((await holdStatus(transaction, id)) !== wanted) throw new Overtaken();
}

async function unlessOvertaken(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}
