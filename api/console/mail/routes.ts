import type { ConsoleRoute } from "../route.ts";
import { mailsPage } from "./listPage.ts";
import { mailPage } from "./readPage.ts";

export const mailRoutes: readonly ConsoleRoute[] = [
  { id: "consoleMails", method: "get", path: "/mail", answer: mailsPage },
  { id: "consoleMail", method: "get", path: "/mail/:name", answer: mailPage },
];
