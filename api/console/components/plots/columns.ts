import { scaleBand, scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { html } from "../../html.ts";
import { amount, shortAmount } from "../amounts.ts";

/** In units of the drawing, which the page scales to its width. */
const size = { width: 480, height: 200, left: 44, right: 8, top: 12, bottom: 24 };
const wantedTicks = 4;
const mostLabels = 8;

/** A part of a column, or its way below the line where it is negative. */
interface Part {
  /** What it is, which its colour says too: `taken`. */
  name: string;
  value: number;
  className: "first" | "second";
}

export interface ColumnPlot {
  /** Unique in the page. */
  id: string;
  title: string;
  /** What is to be seen in it, in a sentence. */
  description: string;
  columns: readonly { name: string; label: string; parts: readonly Part[] }[];
  /** A line across, where it is not far beyond the columns. */
  limit: { name: string; value: number } | null;
}

/** Columns over time: parts above zero are stacked, those below hang. Without script and style attributes, so that a strict policy shows it. */
export function columnPlot({ id, title, description, columns, limit }: ColumnPlot): VNode {
  const tops = columns.map(({ parts }) => sumOf(parts, (value) => Math.max(0, value)));
  const bottoms = columns.map(({ parts }) => sumOf(parts, (value) => Math.min(0, value)));
  const highest = Math.max(1, ...tops);
  const shownLimit = limit !== null && limit.value <= highest * 2 ? limit : null;
  const y = scaleLinear()
    .domain([Math.min(0, ...bottoms), Math.max(highest, shownLimit?.value ?? 0)])
    .nice(wantedTicks)
    .range([size.height - size.bottom, size.top]);
  const x = scaleBand(
    columns.map(({ name }) => name),
    [size.left, size.width - size.right],
  ).padding(0.2);
  const labelEvery = Math.ceil(columns.length / mostLabels);
  return html`
    <svg
      class="plot"
      viewBox=${`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-labelledby=${`${id}-title ${id}-desc`}
    >
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${description}</desc>
      ${y
        .ticks(wantedTicks)
        .filter(Number.isInteger)
        .map(
          (tick) => html`
            <line
              class=${tick === 0 ? "zero" : "grid"}
              x1=${size.left}
              x2=${size.width - size.right}
              y1=${y(tick)}
              y2=${y(tick)}
            />
            <text class="tick value" x=${size.left - 6} y=${y(tick)} dy="0.35em">${shortAmount(tick)}</text>
          `,
        )}
      ${columns.map(({ name, label, parts }, index) => {
        const left = x(name) ?? 0;
        return html`
          ${stack(parts).map(
            ({ part, from, to }) => html`
              <rect
                class=${`bar ${part.className}`}
                x=${left}
                width=${x.bandwidth()}
                y=${y(to)}
                height=${y(from) - y(to)}
              >
                <title>${`${name}: ${amount(Math.abs(part.value))} ${part.name}`}</title>
              </rect>
            `,
          )}
          ${
            index % labelEvery === 0
              ? html`<text class="tick" x=${left + x.bandwidth() / 2} y=${size.height - 6}>${label}</text>`
              : null
          }
        `;
      })}
      ${
        shownLimit === null
          ? null
          : html`
              <line
                class="limit"
                x1=${size.left}
                x2=${size.width - size.right}
                y1=${y(shownLimit.value)}
                y2=${y(shownLimit.value)}
              />
              <text class="limit" x=${size.width - size.right} y=${y(shownLimit.value) - 4}>${shownLimit.name}</text>
            `
      }
    </svg>
  `;
}

function sumOf(parts: readonly Part[], taken: (value: number) => number): number {
  return parts.reduce((sum, { value }) => sum + taken(value), 0);
}

/** Where each part begins and ends, the smaller first; parts of nothing are left out. */
function stack(parts: readonly Part[]): { part: Part; from: number; to: number }[] {
  let [above, below] = [0, 0];
  return parts
    .filter(({ value }) => value !== 0)
    .map((part) => {
      if (part.value > 0) {
        above += part.value;
        return { part, from: above - part.value, to: above };
      }
      below += part.value;
      return { part, from: below, to: below - part.value };
    });
}
