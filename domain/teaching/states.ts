/** What becomes of a name that a correction taught. */
export const taughtNameStatuses = [
  /** Waits for a reviewer. */
  "offered",
  /** Every correction that taught it was taken back before anybody decided. */
  "withdrawn",
  "dismissed",
  /** Accepted: the places where the words stand are being corrected. */
  "carrying",
  "carried",
  /** The corrections that were made are being taken back. */
  "undoing",
  "undone",
] as const;
export type TaughtNameStatus = (typeof taughtNameStatuses)[number];

export type TeachingStep = "accept" | "dismiss" | "undo";

/** The status that a step leads to, or the same one where it was taken already; null where it cannot be taken. */
export function statusAfter(status: TaughtNameStatus, step: TeachingStep): TaughtNameStatus | null {
  switch (step) {
    case "accept":
      // Carried already, it is carried to what says the words by now.
      return status === "offered" || status === "undone" || status === "carrying" || status === "carried"
        ? "carrying"
        : null;
    case "dismiss":
      return status === "offered" || status === "dismissed" ? "dismissed" : null;
    case "undo":
      if (status === "dismissed" || status === "offered") return "offered";
      if (status === "carrying" || status === "carried") return "undoing";
      return status === "undoing" || status === "undone" ? status : null;
  }
}

/** What becomes of a place where the words stand. */
export const placeStates = ["candidate", "pending", "corrected", "skipped", "withdrawn", "kept"] as const;
/**
 * `candidate`: not looked at yet. `kept`: an undo left its correction, as a later edit sits on it. The others say what was done. What was
 * corrected once is not corrected again when the name is accepted for more, whatever people made of it since.
 */
export type PlaceState = (typeof placeStates)[number];

/** Why a place was skipped, its correction kept, or (`taken_back`) taken back alone. */
export const placeReasons = [
  "edited_meanwhile",
  "told_otherwise",
  "already_named",
  "refused",
  "later_edit",
  "taken_back",
] as const;
export type PlaceReason = (typeof placeReasons)[number];

/** How far a name is carried, in segments. */
export type PlaceCounts = Record<PlaceState, number>;

/** What a batch of its workflow did, and whether there is more to do. */
export interface TeachingProgress {
  status: TaughtNameStatus;
  counts: PlaceCounts;
  hasMore: boolean;
}

/** The workflow that carries a taught name. */
export function nameTeachingWorkflowId(taughtNameId: number): string {
  return `taught-name-${taughtNameId}`;
}
