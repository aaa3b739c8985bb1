import type { ConsoleRoute } from "../route.ts";
import { jobsPage } from "./listPage.ts";
import { jobPage } from "./readPage.ts";

export const jobRoutes: readonly ConsoleRoute[] = [
  { id: "consoleJobs", method: "get", path: "/jobs", answer: jobsPage },
  { id: "consoleJob", method: "get", path: "/jobs/:job_id", answer: jobPage },
];
