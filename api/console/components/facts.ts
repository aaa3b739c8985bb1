import type { VNode } from "preact";
import { html } from "../html.ts";

export type Shown = VNode | string | number | null;

/** Names with what belongs to each; those without anything are left out. */
export function facts(rows: readonly (readonly [name: string, value: Shown])[]): VNode {
  return html`
    <dl class="facts">
      ${rows.map(([name, value]) =>
        value === null
          ? null
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
  `;
}
