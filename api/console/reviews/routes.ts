import type { ConsoleRoute } from "../route.ts";
import { queueRoute } from "./queue.ts";

export const reviewRoutes: readonly ConsoleRoute[] = [queueRoute];
