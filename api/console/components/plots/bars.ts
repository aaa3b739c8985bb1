import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { html } from "../../html.ts";

/** In units of the drawing, which the page scales to its width. */
const size = { width: 480, row: 40, label: 15, bar: 12, side: 4 };

export interface BarPlot {
  /** Unique in the page. */
  id: string;
  title: string;
  description: string;
  /** `text` says how much it is. */
  bars: readonly { name: string; text: string; value: number; className: "first" | "second" }[];
}

/** Bars below each other, each under its name: what names are long for. */
export function barPlot({ id, title, description, bars }: BarPlot): VNode {
  const x = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ value }) => value))])
    .range([0, size.width - 2 * size.side]);
  return html`
    <svg
      class="plot"
      viewBox=${`0 0 ${size.width} ${Math.max(1, bars.length) * size.row}`}
      role="img"
      aria-labelledby=${`${id}-title ${id}-desc`}
    >
      <title id=${`${id}-title`}>${title}</title>
      <desc id=${`${id}-desc`}>${description}</desc>
      ${bars.map(({ name, text, value, className }, index) => {
        const top = index * size.row;
        return html`
          <text class="name" x=${size.side} y=${top + size.label}>${name}</text>
          <text class="value" x=${size.width - size.side} y=${top + size.label}>${text}</text>
          <rect
            class=${`bar ${className}`}
            x=${size.side}
            y=${top + size.label + 6}
            width=${x(value)}
            height=${size.bar}
          />
        `;
      })}
    </svg>
  `;
}
