import type { VNode } from "preact";
import type { Correction } from "../../../database/feedback.ts";
import type { IssueEffect } from "../../../domain/review/issues.ts";
import type { Impact, MeasuredStep } from "../../../services/feedback/impact.ts";
import { inWords } from "../components/status.ts";
import { type Column, table } from "../components/table.ts";
import { html } from "../html.ts";
import { changedRowColumns } from "./changedRow.ts";
import { type EntityNames, shownEntity } from "./values.ts";

const effects: Record<IssueEffect, string> = {
  reads: "It changes what reads answer.",
  record: "It changes only what is recorded for ranking and review: reads answer as before.",
};

/** What a step changes: rows, counts, alerts and what the API answers. */
export function impactReport(impact: Impact, corrections: readonly Correction[], names: EntityNames): VNode {
  const titles = new Map(
    corrections.map(({ correctionId, issueType, itemId }) => [correctionId, `${inWords(issueType)}: ${itemId}`]),
  );
  return html`
    ${impact.corrections.map((step) => rowsOf(step, titles.get(step.correctionId) ?? "", names))}
    <h2>Counts</h2>
    ${table("Counts that change", countColumns(names), impact.counts, "No count changes.")}
    <h2>Alerts that show it</h2>
    ${listOf(impact.alertIds, "No alert shows it, and none fires by it.")}
    <h2>What the API answers otherwise</h2>
    ${listOf(impact.pages, "Nothing.")}
  `;
}

function rowsOf({ correctionId, effect, refusal, entries }: MeasuredStep, title: string, names: EntityNames): VNode {
  const caption = `Rows that correction ${correctionId} changes`;
  return html`
    <h2>Correction ${correctionId}, ${title}</h2>
    <p class="faint">${effects[effect]}</p>
    ${
      refusal === null
        ? table(caption, changedRowColumns(names), entries, "It changes no row.")
        : html`<p class="problem">It cannot be done: ${refusal}</p>`
    }
  `;
}

type Count = "mentionCount" | "appearanceCount" | "commercialCount";

function countColumns(names: EntityNames): readonly Column<Impact["counts"][number]>[] {
  return [
    { title: "Entity", cell: ({ entityId }) => shownEntity(entityId, names) },
    counted("Mentions", "mentionCount"),
    counted("Appearances", "appearanceCount"),
    counted("Commercial rows", "commercialCount"),
  ];
}

function counted(title: string, count: Count): Column<Impact["counts"][number]> {
  return {
    title,
    align: "end",
    cell: ({ before, after }) =>
      before[count] === after[count] ? before[count] : html`<del>${before[count]}</del> → <ins>${after[count]}</ins>`,
  };
}

function listOf(texts: readonly string[], empty: string): VNode {
  if (texts.length === 0) return html`<p class="faint">${empty}</p>`;
  return html`<ul>
    ${texts.map((text) => html`<li><code class="long">${text}</code></li>`)}
  </ul>`;
}
