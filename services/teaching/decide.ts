import { lockIdentities } from "../../database/imports/entities.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { decideOnName, forgetAlias, lockTaughtName, moveName, type TaughtName } from "../../database/taughtNames.ts";
import { forgetTakenBack, listOverlaid, type Overlaid } from "../../database/taughtPlaces.ts";
import { ApiError } from "../../domain/errors.ts";
import { statusAfter, type TeachingStep } from "../../domain/teaching/states.ts";
import { addAlias, removeAlias } from "./alias.ts";
import { offerOf, type OfferedName, requireName } from "./read.ts";

export interface Acceptance {
  withAlias: boolean;
  /** Null: all videos where the words stand. */
  videoIds: readonly string[] | null;
}

/** A name whose undo was decided. */
export interface UndoneName extends OfferedName {
  /** Of its corrections the first that stay, as later edits sit on them. `isWhole`: there are no more. */
  left: { corrections: readonly Overlaid[]; isWhole: boolean };
}

const leftShown = 20;

/**
 * Accepts a taught name, in the caller's transaction: its wrong words are an alias of its entity from then on, and a workflow corrects the places
 * where they stand. Repeated meanwhile, it answers the same; when it is carried, it can be accepted for more videos, or again: what says the words
 * by then is corrected, and what is done stays. Throws `taught_name_not_found`, and `illegal_transition` where it was decided otherwise.
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
  const aliasOf = isNew && withAlias ? await giveAlias(transaction, seen) : null;
  const name = await takeStep(transaction, id, "accept");
  if (seen.status === "carrying") {
    // It may be carried by now.
    requireSame(name, { withAlias, videoIds });
    if (name.status === "carrying") await tellWorkflow(transaction, id);
    return offerOf(transaction, id);
  }
  if (name.status === "carried") requireAlias(name, withAlias);
  else await forgetTakenBack(transaction, id);
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
 * are corrected, and a workflow takes back each correction that was made, but for those that a later edit sits on. Repeated, it answers the same.
 * Throws `taught_name_not_found`, and `illegal_transition` where the entity's names were changed since; then nothing is changed.
 */
export async function undoName(transaction: Transaction, id: number): Promise<UndoneName> {
  await lockIdentities(transaction);
  const seen = await requireName(transaction, id);
  if (seen.aliasOf !== null && statusAfter(seen.status, "undo") === "undoing")
    await removeAlias(transaction, seen.aliasOf, seen.wrongWords);
  const name = await takeStep(transaction, id, "undo");
  if (name.status === "dismissed") await moveName(transaction, name, "offered");
  if (name.status === "carrying" || name.status === "carried") {
    await forgetAlias(transaction, id);
    await moveName(transaction, name, "undoing");
  }
  const offer = await offerOf(transaction, id);
  if (offer.name.status === "undoing") await tellWorkflow(transaction, id);
  const overlaid = await listOverlaid(transaction, id, leftShown + 1);
  return { ...offer, left: { corrections: overlaid.slice(0, leftShown), isWhole: overlaid.length <= leftShown } };
}

/** The entity that has the alias by this name's acceptances: the one that it is given to now, or was before; null: it had it already. */
async function giveAlias(
  transaction: Transaction,
  { entity: { numericId }, wrongWords, aliasOf }: TaughtName,
): Promise<number | null> {
  // One that was merged since keeps it, and is found by it.
  if (aliasOf !== null && aliasOf !== numericId) return aliasOf;
  return (await addAlias(transaction, numericId, wrongWords)) ? numericId : aliasOf;
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
  if (!isSame)
    throw new ApiError(
      "illegal_transition",
      "The name is being carried as another choice has it: accept it for more once it is carried, or undo it first.",
    );
}

function requireAlias(name: TaughtName, withAlias: boolean): void {
  if (name.withAlias === true && !withAlias)
    throw new ApiError(
      "illegal_transition",
      "The name was accepted with its alias, which only an undo takes back: accept it with the alias, or undo it first.",
    );
}
