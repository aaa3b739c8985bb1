import type { ConsoleRoute } from "../route.ts";
import { nameRoute } from "./name.ts";
import { queueRoute } from "./queue.ts";
import { acceptRoute, dismissRoute, undoRoute } from "./steps.ts";
import { undoPageRoute } from "./undo.ts";

export const nameRoutes: readonly ConsoleRoute[] = [
  queueRoute,
  nameRoute,
  acceptRoute,
  dismissRoute,
  undoPageRoute,
  undoRoute,
];
