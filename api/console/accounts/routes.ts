import { html } from "../html.ts";
import type { ConsoleRoute } from "../route.ts";

export const accountRoutes: readonly ConsoleRoute[] = [
  {
    id: "consoleAccounts",
    method: "get",
    path: "/accounts",
    answer: async () => ({ page: { title: "Accounts", section: "accounts", content: html`<p>Nothing here.</p>` } }),
  },
];
