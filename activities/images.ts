import type { ImageFinder } from "../domain/images.ts";
import type { ServiceContext } from "../services/context.ts";
import { resolveImages } from "../services/images/resolve.ts";
import { withHeartbeats } from "./heartbeats.ts";

export type ImageActivities = ReturnType<typeof createImageActivities>;

/** Steps that look at pages of the outside world. */
export function createImageActivities({ context, finder }: { context: ServiceContext; finder: ImageFinder }) {
  return {
    resolveImages: (): Promise<{ looked: number; found: number; more: boolean }> =>
      withHeartbeats((signal) => resolveImages(context, finder, signal)),
  };
}
