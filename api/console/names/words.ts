import type { VNode } from "preact";
import type { TaughtName } from "../../../database/taughtNames.ts";
import { entityId } from "../../../domain/entities.ts";
import type { PlaceCounts, TaughtNameStatus } from "../../../domain/teaching/states.ts";
import type { OfferedName } from "../../../services/teaching/read.ts";
import { amount } from "../components/amounts.ts";
import { inWords, status, type Tone } from "../components/status.ts";
import { html } from "../html.ts";

export const namesPath = "/console/names";

const tones: Record<TaughtNameStatus, Tone> = {
  offered: "waiting",
  withdrawn: "neutral",
  dismissed: "bad",
  carrying: "waiting",
  carried: "good",
  undoing: "waiting",
  undone: "bad",
};

export function nameStatus(of: TaughtNameStatus): VNode {
  return status(inWords(of), tones[of]);
}

/** The wrong words, and what stands for them. */
export function wording({ wrongWords, rightWords }: TaughtName): VNode {
  if (rightWords === null) return html`<bdi>${wrongWords}</bdi> <span class="faint">(right, and to be tagged)</span>`;
  return html`<del><bdi>${wrongWords}</bdi></del> → <ins><bdi>${rightWords}</bdi></ins>`;
}

export function shownEntity({ numericId, name, type }: TaughtName["entity"]): VNode {
  return html`<span
    ><bdi>${name}</bdi> <span class="faint">(${inWords(type)})</span> ${" "}<span class="id"
      >${entityId(numericId)}</span
    ></span
  >`;
}

/** What speaks against a name; null: nothing is known to. */
export function flags({ risks: { areCommonWords, namesakes } }: OfferedName): VNode | null {
  if (!areCommonWords && namesakes.length === 0) return null;
  return html`
    <ul class="plain">
      ${areCommonWords ? html`<li>${status("ordinary words", "bad")}</li>` : null}
      ${namesakes.map((entity) => html`<li>${status("another entity’s name", "bad")} ${shownEntity(entity)}</li>`)}
    </ul>
  `;
}

const done: Record<keyof PlaceCounts, string> = {
  corrected: "corrected",
  skipped: "left alone",
  pending: "to go",
  candidate: "to be looked at",
  withdrawn: "taken back",
  kept: "kept, as they were edited since",
};
const order = ["corrected", "skipped", "pending", "candidate", "withdrawn", "kept"] as const;

/** How far what was decided is carried out, in segments; null where nothing is to be. */
export function progress({ name, counts }: OfferedName): string | null {
  const parts = order.filter((state) => counts[state] > 0).map((state) => `${amount(counts[state])} ${done[state]}`);
  if (parts.length > 0) return parts.join(", ");
  switch (name.status) {
    case "carrying":
      return name.isPlanned ? "0 to go" : "looking for the places";
    case "carried":
    case "undone":
      return "no segment said the words";
    case "offered":
    case "withdrawn":
    case "dismissed":
    case "undoing":
      return null;
  }
}
