import type { VNode } from "preact";
import { z } from "zod";
import { monitorPath } from "../components/links.ts";
import { cursorField } from "../cursorField.ts";
import { html } from "../html.ts";

/** What the pages of a monitor's lists are asked with. */
export const pageFields = z.strictObject({ cursor: cursorField });

export function backToMonitor(monitorId: string): VNode {
  return html`<p><a href=${monitorPath(monitorId)} data-key="b">The monitor</a></p>`;
}
