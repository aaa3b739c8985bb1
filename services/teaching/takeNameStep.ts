import { lockIdentities } from "../../database/imports/entities.ts";
import { lockTaughtName } from "../../database/taughtNames.ts";
import { statusAfter } from "../../domain/teaching/states.ts";
import type { ServiceContext } from "../context.ts";
import { type Acceptance, acceptName, dismissName, undoName } from "./decide.ts";
import { requireName } from "./read.ts";

export type NameStep = { kind: "accept"; acceptance: Acceptance } | { kind: "dismiss" } | { kind: "undo" };

/**
 * Takes a step of a taught name in a transaction of its own. `isRepeat`: it was taken before, and nothing changed. Throws as the steps do
 * (`services/teaching/decide.ts`).
 */
export function takeNameStep(
  { pool }: ServiceContext,
  id: number,
  step: NameStep,
  actor: string,
): Promise<{ isRepeat: boolean }> {
  return pool.transaction(async (transaction) => {
    // What the step itself holds first, so that of two presses at once the later one sees the other.
    await (step.kind === "dismiss" ? lockTaughtName(transaction, id) : lockIdentities(transaction));
    const { status } = await requireName(transaction, id);
    switch (step.kind) {
      case "accept":
        await acceptName(transaction, id, step.acceptance, actor);
        break;
      case "dismiss":
        await dismissName(transaction, id, actor);
        break;
      case "undo":
        await undoName(transaction, id);
    }
    return { isRepeat: statusAfter(status, step.kind) === status };
  });
}
