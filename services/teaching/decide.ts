import { lockIdentities } from "../../database/imports/entities.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { decideOnName, forgetAlias, lockTaughtName, moveName, type TaughtName } from "../../database/taughtNames.ts";
import { listOverlaid } from "../../database/taughtPlaces.ts";
import { ApiError } from "../../domain/errors.ts";
import { statusAfter, type TeachingStep } from "../../domain/teaching/states.ts";
import { addAlias, removeAlias } from "./alias.ts";
import { offerOf, type OfferedName, requireName } from "./read.ts";

export interface Acceptance {
  withAlias: boolean;
  /** Null: all videos where the words stand. */
  videoIds: readonly string[] | null;
}

const overlaidShown = 10;

/**
 * Accepts a taught name, in the caller's transaction: its wrong words are an alias of its entity from then on, and a workflow corrects the places
 * where they stand. Repeated, it answers the same. Throws `taught_name_not_found`, and `illegal_transition` where it was decided otherwise.
 */
export async function acceptName(
  transaction: Transaction,
  id: number,
  acceptance: Acceptance,
  actor: string,
): Promise<OfferedName> {
  const { withAlias } = acceptance;
  const videoIds = acceptance.videoIds === null ? null : [...new Set(acceptance.videoIds)].sort();
  // Identities and the entity before the name: in the order in which other writers hold them.
  await lockIdentities(transaction);
  const seen = await requireName(transaction, id);
  const isNew = statusAfter(seen.status, "accept") === "carrying" && seen.status !== "carrying";
  const aliasOf =
    isNew && withAlias && (await addAlias(transaction, seen.entity.numericId, seen.wrongWords))
      ? seen.entity.numericId
      : null;
  const name = await takeStep(transaction, id, "accept");
  if (name.status !== "offered" && name.status !== "undone") {
    requireSame(name, { withAlias, videoIds });
    if (name.status === "carrying") await tellWorkflow(transaction, id);
    return offerOf(transaction, id);
  }
  await decideOnName(transaction, id, { status: "carrying", decidedBy: actor, withAlias, videoIds, aliasOf });
  await tellWorkflow(transaction, id);
  return offerOf(transaction, id);
}

/** Leaves a taught name, in the caller's transaction. Repeated, it answers the same. Throws as `acceptName`. */
export async function dismissName(transaction: Transaction, id: number, actor: string): Promise<OfferedName> {
  const { status } = await takeStep(transaction, id, "dismiss");
  if (status === "offered")
    await decideOnName(transaction, id, {
      status: "dismissed",
      decidedBy: actor,
      withAlias: null,
      videoIds: null,
      aliasOf: null,
    });
  return offerOf(transaction, id);
}

/**
 * Takes a decision back, in the caller's transaction: what was dismissed is offered again; of what was accepted the alias is gone, no more places
 * are corrected, and a workflow takes back each correction that was made. Throws `taught_name_not_found`, and `illegal_transition` where a later
 * edit sits on one of them, or the entity's names were changed since; then nothing is changed.
 */
export async function undoName(transaction: Transaction, id: number): Promise<OfferedName> {
  await lockIdentities(transaction);
  const seen = await requireName(transaction, id);
  if (seen.aliasOf !== null && statusAfter(seen.status, "undo") === "undoing")
    await removeAlias(transaction, seen.aliasOf, seen.wrongWords);
  const name = await takeStep(transaction, id, "undo");
  if (name.status === "dismissed") await moveName(transaction, id, { from: "dismissed", to: "offered" });
  if (name.status === "undoing") await tellWorkflow(transaction, id);
  if (name.status !== "carrying" && name.status !== "carried") return offerOf(transaction, id);
  const overlaid = await listOverlaid(transaction, id, overlaidShown);
  if (overlaid.length > 0)
    throw new ApiError(
      "illegal_transition",
      `Later edits sit on what it corrected; take them back first: ${overlaid
        .map(({ correctionId, videoId, segmentId }) => `${correctionId} (video ${videoId}, segment ${segmentId})`)
        .join(", ")}${overlaid.length === overlaidShown ? ", …" : "."}`,
    );
  await forgetAlias(transaction, id);
  await moveName(transaction, id, { from: name.status, to: "undoing" });
  await tellWorkflow(transaction, id);
  return offerOf(transaction, id);
}

/** Also one that was terminated meanwhile: it starts anew. */
function tellWorkflow(transaction: Transaction, id: number): Promise<void> {
  return insertOutbox(transaction, "teaching.start", String(id));
}

/** The name as it was before the step, held to the end of the transaction. */
async function takeStep(transaction: Transaction, id: number, step: TeachingStep): Promise<TaughtName> {
  await lockTaughtName(transaction, id);
  const name = await requireName(transaction, id);
  if (statusAfter(name.status, step) === null)
    throw new ApiError("illegal_transition", `The name is ${name.status}: it cannot be ${pastOf[step]}.`);
  return name;
}

const pastOf = { accept: "accepted", dismiss: "dismissed", undo: "taken back" } as const;

function requireSame(name: TaughtName, asked: { withAlias: boolean; videoIds: readonly string[] | null }): void {
  const isSame = name.withAlias === asked.withAlias && JSON.stringify(name.videoIds) === JSON.stringify(asked.videoIds);
  if (!isSame) throw new ApiError("illegal_transition", "The name was accepted with another choice already.");
}
