import { accountRoutes } from "./accounts/routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { monitorRoutes } from "./monitors/routes.ts";
import { nameRoutes } from "./names/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import type { ConsoleRoute } from "./route.ts";

/** Every page and action of the console behind its sign-in. */
export const consoleRoutes: readonly ConsoleRoute[] = [
  ...reviewRoutes,
  ...nameRoutes,
  ...jobRoutes,
  ...monitorRoutes,
  ...accountRoutes,
  ...mailRoutes,
];
