import type { ConsoleRoute } from "../route.ts";
import { keysPage } from "./keysPage.ts";
import { ledgerPage } from "./ledgerPage.ts";
import { accountsPage } from "./listPage.ts";
import { accountPage } from "./readPage.ts";

export const accountRoutes: readonly ConsoleRoute[] = [
  { id: "consoleAccounts", method: "get", path: "/accounts", answer: accountsPage },
  { id: "consoleAccount", method: "get", path: "/accounts/:account_id", answer: accountPage },
  { id: "consoleKeys", method: "get", path: "/accounts/:account_id/keys", answer: keysPage },
  { id: "consoleLedger", method: "get", path: "/accounts/:account_id/ledger", answer: ledgerPage },
];
