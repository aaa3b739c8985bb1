import { html } from "../html.ts";
import type { ConsoleRoute } from "../route.ts";

export const jobRoutes: readonly ConsoleRoute[] = [
  {
    id: "consoleJobs",
    method: "get",
    path: "/jobs",
    answer: async () => ({ page: { title: "Jobs", section: "jobs", content: html`<p>Nothing here.</p>` } }),
  },
];
