import type { ServiceContext } from "../services/context.ts";
import { endRotation } from "../services/monitors/endRotation.ts";

export type RotationActivities = ReturnType<typeof createRotationActivities>;

/** Steps of a rotation of a webhook's secrets. */
export function createRotationActivities({ context }: { context: ServiceContext }) {
  return {
    endRotation: (monitorId: string): Promise<number | null> => endRotation(context, monitorId),
  };
}
