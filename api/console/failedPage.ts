import { ApiError, type ErrorCode, errorCatalog } from "../../domain/errors.ts";
import type { ConsoleSession } from "../../services/console/sessions.ts";
import { framedPage } from "./frame.ts";
import { html } from "./html.ts";
import { ConsoleRefusal } from "./refusal.ts";
import type { Section } from "./route.ts";

interface FailedPage {
  status: number;
  /** For the log. */
  code: string;
  headers: Readonly<Record<string, string>>;
  page: string;
}

/** The page for whatever was thrown: what is refused says why, and all else only by which id it is found in the log. */
export function failedPage(
  error: unknown,
  { session, sections, requestId }: { session: ConsoleSession | null; sections: readonly Section[]; requestId: string },
): FailedPage {
  const { status, code, message, headers } = read(error, requestId);
  const way =
    session === null
      ? html`<p><a href="/console/sign-in">Sign in</a></p>`
      : html`<p><a href="/console/reviews">To the reviews</a></p>`;
  const content = html`<p class="problem" role="alert">${message}</p>
    ${way}`;
  return {
    status,
    code,
    headers,
    // What the session has to say is for the page that was meant.
    page: framedPage({
      title: titleOf(status),
      content,
      section: null,
      session: session === null ? null : { ...session, flash: null },
      sections,
    }),
  };
}

function read(error: unknown, requestId: string) {
  if (error instanceof ConsoleRefusal)
    return { status: error.status, code: codeOf(error), message: error.message, headers: {} };
  if (error instanceof ApiError && error.code !== "internal_error")
    return {
      status: errorCatalog[error.code].status,
      code: error.code,
      message: error.message,
      headers: error.headers,
    };
  const message = `Something went wrong here. The log knows it as ${requestId}.`;
  return { status: 500, code: "internal_error", message, headers: {} };
}

function codeOf({ status }: ConsoleRefusal): ErrorCode | "foreign_form" {
  return status === 403 ? "foreign_form" : "invalid_api_key";
}

function titleOf(status: number): string {
  switch (status) {
    case 400:
      return "That does not fit";
    case 401:
      return "Signed out";
    case 403:
      return "Not taken";
    case 404:
      return "Not found";
    case 409:
      return "Not possible now";
    default:
      return status < 500 ? "Not taken" : "Something went wrong";
  }
}
