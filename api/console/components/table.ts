import type { ComponentChildren, VNode } from "preact";
import { html } from "../html.ts";

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand at the right, under each other. */
  align?: "start" | "end";
}

/** A table that becomes a list of cards on a phone. `caption` names it to who does not see it; `empty` stands where it has no rows. */
export function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[], empty: string): VNode {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`
    <table role="table">
      <caption class="unseen">
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(({ title, align }) => html`<th scope="col" role="columnheader" class=${classOf(align)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) => html`
            <tr role="row">
              ${columns.map(({ title, cell, align }) => html`<td role="cell" data-label=${title} class=${classOf(align)}>${cell(row)}</td>`)}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

function classOf(align: "start" | "end" | undefined): string | undefined {
  return align === "end" ? "end" : undefined;
}
