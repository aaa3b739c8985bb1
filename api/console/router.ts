import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { Inbox } from "../../domain/delivery/inbox.ts";
import type { ReviewCarrier } from "../../domain/review/carrying.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Admit } from "../../services/admission/admit.ts";
import type { KeyUses } from "../../services/admission/keyUses.ts";
import { type ConsoleSession, endSession, noteShown, openSession, sayNext } from "../../services/console/sessions.ts";
import { createSignIn } from "../../services/console/signIn.ts";
import type { ServiceContext } from "../../services/context.ts";
import { clientAddress } from "../http/clientAddress.ts";
import type { Cursors } from "../http/paging.ts";
import { createBodyReader } from "../http/requestBody.ts";
import { assetPattern, sendAsset } from "./assets.ts";
import { failedPage } from "./failedPage.ts";
import { framedPage } from "./frame.ts";
import { setPageHeaders } from "./headers.ts";
import { ConsoleRefusal } from "./refusal.ts";
import { type ConsoleRoute, sections } from "./route.ts";
import { consoleRoutes } from "./routes.ts";
import { sessionCookie } from "./session/cookie.ts";
import { requireFormToken, requireOwnOrigin } from "./session/ownForm.ts";
import { arrivalPage, safeTarget, signInAddress, signInPage } from "./session/signInPage.ts";

export interface ConsoleParts {
  context: ServiceContext;
  publicUrl: string;
  cursors: Cursors;
  admit: Admit;
  keyUses: KeyUses;
  carrier: ReviewCarrier | null;
  inbox: Inbox | null;
}

/** What a page or an action is handed besides the request. */
type Handler = (request: Request, response: Response, session: ConsoleSession | null) => Promise<void>;

/** The reviewers' and operators' console: pages for browsers, behind a session that an internal key opens. */
export function consolePages(parts: ConsoleParts): Router {
  const { context, publicUrl, cursors, admit, keyUses, carrier, inbox } = parts;
  const shown = sections.filter((section) => section !== "mail" || inbox !== null);
  const cookie = sessionCookie(publicUrl);
  const readBody = createBodyReader(context.settings, "form");
  const signIn = createSignIn(context, admit);
  const pages = Router({ strict: true, caseSensitive: true });

  for (const path of ["/console", "/console/"])
    pages.get(path, (_request, response) => response.redirect(302, "/console/reviews"));
  pages.get(assetPattern, sendAsset);
  pages.route("/console/sign-in").get(handle("consoleSignIn", showSignIn)).post(handle("consoleSignIn", takeSignIn));
  pages.post("/console/sign-out", handle("consoleSignOut", takeSignOut));
  for (const route of consoleRoutes) pages[route.method](`/console${route.path}`, handle(route.id, serve(route)));
  const nowhere = handle("consoleNowhere", behindSignIn(refuse));
  pages.all("/console/{*rest}", nowhere);
  // The router's own failure: the path is no valid percent-encoding.
  const onUndecodable: ErrorRequestHandler = (error: unknown, request, response, next) =>
    error instanceof URIError ? nowhere(request, response, next) : next(error);
  pages.use("/console", onUndecodable);
  return pages;

  /** Whoever is signed in, headers, and a page for every failure. */
  function handle(operationId: string, answer: Handler): RequestHandler {
    return async (request, response) => {
      const { exchange } = request;
      exchange.operationId = operationId;
      setPageHeaders(response);
      let session: ConsoleSession | null = null;
      try {
        const token = cookie.read(request);
        session = token === null ? null : await openSession(context, token);
        if (session !== null) {
          exchange.keyId = session.keyId;
          keyUses.note(session.keyId, clientAddress(request));
        }
        await answer(request, response, session);
      } catch (error) {
        const failed = failedPage(error, { session, sections: shown, requestId: exchange.requestId });
        exchange.code = failed.code;
        if (failed.status >= 500) exchange.error = error;
        response
          .set({ ...failed.headers })
          .status(failed.status)
          .type("html")
          .send(failed.page);
      }
    };
  }

  async function takeSignIn(request: Request, response: Response): Promise<void> {
    requireOwnOrigin(request, publicUrl);
    const form = await formOf(request, response);
    const to = safeTarget(form.get("to"));
    const outcome = await signIn(form.get("key")?.trim() ?? "", clientAddress(request) ?? "");
    switch (outcome.kind) {
      case "signed_in": {
        const before = cookie.read(request);
        if (before !== null) await endSession(context, before);
        request.exchange.keyId = outcome.keyId;
        cookie.set(response, outcome.token, context.settings.console.sessionSeconds);
        response.redirect(303, to);
        return;
      }
      case "refused":
        request.exchange.code = "invalid_api_key";
        response.status(401).type("html").send(signInPage(to, "This is no live internal key."));
        return;
      case "too_many":
        request.exchange.code = "rate_limit_exceeded";
        response.setHeader("Retry-After", outcome.retrySeconds);
        response
          .status(429)
          .type("html")
          .send(signInPage(to, `Too many failed tries. Try again in ${outcome.retrySeconds} seconds.`));
    }
  }

  async function takeSignOut(request: Request, response: Response, session: ConsoleSession | null): Promise<void> {
    if (session !== null) {
      requireOwnOrigin(request, publicUrl);
      requireFormToken(session, await formOf(request, response));
    }
    const token = cookie.read(request);
    if (token !== null) await endSession(context, token);
    cookie.clear(response);
    response.redirect(303, "/console/sign-in");
  }

  function serve(route: ConsoleRoute): Handler {
    return behindSignIn(async (request, response, session) => {
      const form = route.method === "post" ? await formOf(request, response) : new URLSearchParams();
      if (route.method === "post") {
        requireOwnOrigin(request, publicUrl);
        requireFormToken(session, form);
      }
      const params = paramsOf(request);
      const query = queryOf(request);
      const answer = await route.answer({ context, session, cursors, carrier, inbox, params, query, form });
      if ("redirect" in answer) {
        if (answer.flash !== undefined) await sayNext(context, session, answer.flash);
        response.redirect(303, answer.redirect);
        return;
      }
      const page = framedPage({ ...answer.page, session, sections: shown });
      await noteShown(context, session);
      response
        .status(answer.status ?? 200)
        .type("html")
        .send(page);
    });
  }

  async function formOf(request: Request, response: Response): Promise<URLSearchParams> {
    return new URLSearchParams((await readBody(request, response)).toString());
  }
}

async function showSignIn(request: Request, response: Response, session: ConsoleSession | null): Promise<void> {
  const to = safeTarget(queryOf(request).get("to"));
  if (session === null) response.type("html").send(signInPage(to, null));
  else response.redirect(303, to);
}

function behindSignIn(answer: (...asked: [Request, Response, ConsoleSession]) => Promise<void>): Handler {
  return async (request, response, session) => {
    if (session !== null) return answer(request, response, session);
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new ConsoleRefusal(
        401,
        "Your session is over, so nothing was done. Sign in, go back to the page, and try again.",
      );
    if (request.headers["sec-fetch-site"] === "cross-site")
      response.type("html").send(arrivalPage(request.originalUrl));
    else response.redirect(303, signInAddress(request.originalUrl));
  };
}

async function refuse(): Promise<never> {
  throw new ApiError("not_found", "There is no such page.");
}

function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

function paramsOf({ params }: Request): Record<string, string> {
  const named = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  // No id holds a NUL, and Postgres takes none.
  if (named.some(([, value]) => value.includes("\0"))) throw new ApiError("not_found", "There is no such page.");
  return Object.fromEntries(named);
}
