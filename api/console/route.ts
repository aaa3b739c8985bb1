import type { VNode } from "preact";
import type { Inbox } from "../../domain/delivery/inbox.ts";
import type { ReviewCarrier } from "../../domain/review/carrying.ts";
import type { ConsoleSession } from "../../services/console/sessions.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { Cursors } from "../http/paging.ts";

/** The parts of the console, in the order of its navigation. */
export const sections = ["reviews", "names", "jobs", "monitors", "accounts", "mail"] as const;
export type Section = (typeof sections)[number];

/** What a handler of the console is given: only who is signed in gets there, and only its own forms. */
export interface ConsoleAsked {
  context: ServiceContext;
  session: ConsoleSession;
  cursors: Cursors;
  /** Has steps of reviews carried by their workflows; null where there is none. */
  carrier: ReviewCarrier | null;
  /** Where mail is kept; null where it goes to a mail server. */
  inbox: Inbox | null;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Empty on GET. */
  form: URLSearchParams;
}

export interface ConsolePage {
  /** Of the window, and the page's one `h1`. */
  title: string;
  section: Section;
  content: VNode;
}

/** `redirect` is a path of the console; `flash` is what the page there says once. */
export type ConsoleAnswer = { page: ConsolePage; status?: number } | { redirect: string; flash?: string };

export interface ConsoleRoute {
  /** Name in logs and metrics. */
  id: string;
  method: "get" | "post";
  /** In Express's notation, under `/console`. */
  path: string;
  /** Throws an `ApiError` for what becomes a page that says what is wrong. */
  answer(asked: ConsoleAsked): Promise<ConsoleAnswer>;
}
