import type { TeachingProgress } from "../domain/teaching/states.ts";
import type { ServiceContext } from "../services/context.ts";
import { carryName } from "../services/teaching/carry.ts";
import { withHeartbeats } from "./heartbeats.ts";

export type TeachingActivities = ReturnType<typeof createTeachingActivities>;

/** Parts of carrying a taught name. Each may run twice: what was done at a place is not done again. */
export function createTeachingActivities({ context }: { context: ServiceContext }) {
  return {
    carryTaughtName: (taughtNameId: number): Promise<TeachingProgress> =>
      withHeartbeats(() => carryName(context, taughtNameId)),
  };
}
