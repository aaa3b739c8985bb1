import type { VNode } from "preact";
import { html } from "../../html.ts";
import { amount } from "../amounts.ts";
import { table } from "../table.ts";

/** What a figure shows, as numbers. */
export interface Figures {
  /** What a row is: `Day`. */
  rowTitle: string;
  /** What is counted, and in the plot's two looks: `Taken` is filled, `Given back` is an outline. */
  columnTitles: readonly [first: string, second: string];
  rows: readonly { name: string; values: readonly number[] }[];
}

/** A plot, what it is called, and its numbers as a table for those who would rather read them. */
export function figure(title: string, plot: VNode, { rowTitle, columnTitles, rows }: Figures): VNode {
  return html`
    <figure class="figure">
      <figcaption>${title}</figcaption>
      <p class="legend" aria-hidden="true">
        <span class="first">${columnTitles[0]}</span> <span class="second">${columnTitles[1]}</span>
      </p>
      ${plot}
      <details>
        <summary>The same in numbers</summary>
        ${table(
          title,
          [
            { title: rowTitle, cell: ({ name }) => name },
            ...columnTitles.map((columnTitle, index) => ({
              title: columnTitle,
              align: "end" as const,
              cell: ({ values }: Figures["rows"][number]) => amount(values[index] ?? 0),
            })),
          ],
          rows,
          "Nothing.",
        )}
      </details>
    </figure>
  `;
}
