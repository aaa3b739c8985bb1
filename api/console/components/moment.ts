import type { VNode } from "preact";
import { html } from "../html.ts";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });
const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long ago something was, or how far ahead it is; the moment itself is in the element and shown on pointing at it. */
export function ago(moment: Date, now: Date): VNode {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return html`<time datetime=${moment.toISOString()} title=${shown(moment)}
    >${relative.format(Math.trunc(seconds / size), unit)}</time
  >`;
}

/** A moment in UTC, to the second. */
export function at(moment: Date): VNode {
  return html`<time datetime=${moment.toISOString()}>${shown(moment)}</time>`;
}

function shown(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
