import type { VNode } from "preact";
import { html } from "../html.ts";

/** Where a list goes on, and where it begins. `query` is the one of this page; `nextCursor` is null on the last. */
export function nextPage(path: string, query: URLSearchParams, nextCursor: string | null): VNode | null {
  const first = new URLSearchParams(query);
  first.delete("cursor");
  const next = new URLSearchParams(first);
  if (nextCursor !== null) next.set("cursor", nextCursor);
  const isFirst = !query.has("cursor");
  if (isFirst && nextCursor === null) return null;
  return html`
    <nav class="pages" aria-label="Pages">
      ${isFirst ? null : html`<a href=${`${path}?${first}`}>First page</a>`}
      ${nextCursor === null ? null : html`<a href=${`${path}?${next}`} rel="next" data-key="]">Next page</a>`}
    </nav>
  `;
}
