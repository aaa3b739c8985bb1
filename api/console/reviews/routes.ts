import type { ConsoleRoute } from "../route.ts";
import { nextRoute } from "./next.ts";
import { previewChangesRoute, previewRoute } from "./preview.ts";
import { queueRoute } from "./queue.ts";
import { reviewRoute } from "./review.ts";
import { stepRoute } from "./steps.ts";

export const reviewRoutes: readonly ConsoleRoute[] = [
  queueRoute,
  nextRoute,
  reviewRoute,
  stepRoute,
  previewRoute,
  previewChangesRoute,
];
