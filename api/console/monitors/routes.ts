import { html } from "../html.ts";
import type { ConsoleRoute } from "../route.ts";

export const monitorRoutes: readonly ConsoleRoute[] = [
  {
    id: "consoleMonitors",
    method: "get",
    path: "/monitors",
    answer: async () => ({ page: { title: "Monitors", section: "monitors", content: html`<p>Nothing here.</p>` } }),
  },
];
