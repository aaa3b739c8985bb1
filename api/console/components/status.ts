import type { VNode } from "preact";
import { html } from "../html.ts";

/** How a state looks; its words always say it too. */
export type Tone = "waiting" | "good" | "bad" | "neutral";

export function status(words: string, tone: Tone): VNode {
  return html`<span class=${`status ${tone}`}>${words}</span>`;
}

/** A name of the API in words: `needs_information` → “needs information”. */
export function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
