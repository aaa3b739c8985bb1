import type { VNode } from "preact";
import { framedPage } from "../frame.ts";
import { html } from "../html.ts";

/** Asks for an internal key. `problem` says why the last one did not do. */
export function signInPage(to: string, problem: string | null): string {
  const content: VNode = html`
    <form method="post" action="/console/sign-in" class="sign-in">
      ${problem === null ? null : html`<p class="problem" role="alert" id="problem">${problem}</p>`}
      <input type="hidden" name="to" value=${to} />
      <p class="field">
        <label for="key">Internal key</label>
        <input
          id="key"
          name="key"
          type="password"
          required
          autofocus
          autocomplete="current-password"
          spellcheck="false"
          aria-describedby=${problem === null ? "key-hint" : "problem key-hint"}
        />
      </p>
      <p class="hint" id="key-hint">
        It begins with svc_int_. The cookie that follows holds another secret, and ends after 12 hours at the latest.
      </p>
      <button type="submit" class="primary">Sign in</button>
    </form>
  `;
  return framedPage({ title: "Sign in", content, section: null, session: null, sections: [] });
}

/** Where the sign-in asks for a key, and leads on who is signed in. */
export function signInAddress(to: string): string {
  return `/console/sign-in?${new URLSearchParams({ to })}`;
}

/**
 * For who comes from another site: browsers keep the session's cookie to themselves until a page of ours asks for the next
 * (RFC 6265bis, "SameSite" cookies, "Strict").
 */
export function arrivalPage(to: string): string {
  const goesTo = signInAddress(to);
  const content = html`<p><a href=${goesTo}>Go on to the console</a></p>`;
  return framedPage({ title: "One moment", content, section: null, session: null, sections: [], goesTo });
}

/** Where to go after signing in: a page of the console, whatever was asked for. */
export function safeTarget(asked: string | null): string {
  const home = "/console/reviews";
  const url = URL.parse(asked ?? home, "http://console.invalid");
  const isOurs = url?.host === "console.invalid" && url.pathname.startsWith("/console/");
  return isOurs ? `${url.pathname}${url.search}` : home;
}
