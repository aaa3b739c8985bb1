import type { VNode } from "preact";
import type { Correction, Fields } from "../../../database/feedback.ts";
import type { Excerpt } from "../../../domain/review/excerpt.ts";
import type { Evidence } from "../../../services/feedback/readEvidence.ts";
import { facts } from "../components/facts.ts";
import { monitorPath } from "../components/links.ts";
import { inWords } from "../components/status.ts";
import { table } from "../components/table.ts";
import { videoLink } from "../components/videoLink.ts";
import { html } from "../html.ts";
import { currentFields } from "./currentFields.ts";
import { reviewStatus } from "./tones.ts";
import { type EntityNames, shownValue } from "./values.ts";

export interface ShownCorrection {
  correction: Correction;
  evidence: Evidence;
  names: EntityNames;
  /** Address of a moment of a video, with `{video_id}` and `{seconds}`. */
  videoMomentUrl: string;
  /** What can be done with this one alone; null: nothing. */
  form: VNode | null;
}

/** A correction: the claim at one side, what the index says and what was said at the other. */
export function correctionCard({ correction, evidence, names, videoMomentUrl, form }: ShownCorrection): VNode {
  const { correctionId, status, issueType, itemKind, itemId, reason, notes, observedRank, resolutionNote } = correction;
  const now = evidence.current === null ? null : currentFields(evidence.current);
  const title = `correction-${correctionId}`;
  return html`
    <article class="card" aria-labelledby=${title}>
      <header>
        <h2 id=${title}>${inWords(issueType)}: ${itemKind} <span class="id">${itemId}</span></h2>
        ${reviewStatus(status)} <span class="faint">Correction ${correctionId}</span>
      </header>
      <div class="beside">
        <div>
          <h3>Claim</h3>
          ${comparison(correction, now, names)}
          ${facts([
            ["Reason", written(reason)],
            ["Notes", written(notes)],
            ["Observed rank", observedRank],
            ["Reviewer’s note", written(resolutionNote)],
          ])}
        </div>
        <div>
          <h3>Evidence</h3>
          ${spoken(evidence, videoMomentUrl)}
          ${
            now === null
              ? html`<p class="faint">The index does not have ${itemId} any more.</p>`
              : facts(Object.entries(now).map(([field, value]) => [inWords(field), shownField(field, value, names)]))
          }
        </div>
      </div>
      ${form}
    </article>
  `;
}

/** What is said now, what was suggested, and, where it differs, how a reviewer resolves it. */
function comparison({ suggestedChange, resolution, issueType }: Correction, now: Fields | null, names: EntityNames) {
  const isOther = resolution !== null && resolution.issueType !== issueType;
  const other = isOther ? html`<p>Resolved as <strong>${inWords(resolution.issueType)}</strong>.</p>` : null;
  const fields = [...new Set([...Object.keys(suggestedChange ?? {}), ...Object.keys(resolution?.change ?? {})])];
  if (fields.length === 0) return other ?? html`<p class="faint">The claim says it all: no change comes with it.</p>`;
  const shown = (change: Fields | null | undefined, field: string) =>
    change != null && field in change ? shownValue(field, change[field], names) : "–";
  const columns = [
    { title: "Field", cell: (field: string) => html`<span class="short">${inWords(field)}</span>` },
    { title: "Now", cell: (field: string) => shown(now, field) },
    { title: "Suggested", cell: (field: string) => html`<strong>${shown(suggestedChange, field)}</strong>` },
  ];
  if (resolution !== null)
    columns.push({ title: "Resolved", cell: (field) => html`<strong>${shown(resolution.change, field)}</strong>` });
  return html`${other}${table("Now and suggested", columns, fields, "")}`;
}

function spoken({ moment, excerpt }: Evidence, videoMomentUrl: string): VNode {
  const quote = excerpt === null ? html`<p class="faint">No talk is kept of it.</p>` : marked(excerpt);
  if (moment === null) return quote;
  const { media, startSeconds } = moment;
  return html`
    <p>${videoLink(videoMomentUrl, media, startSeconds)}</p>
    ${quote}
  `;
}

function marked({ text, markStart, markEnd }: Excerpt): VNode {
  return html`<blockquote class="long">
    ${text.slice(0, markStart)}${
      markEnd > markStart ? html`<mark>${text.slice(markStart, markEnd)}</mark>` : null
    }${text.slice(markEnd)}
  </blockquote>`;
}

function shownField(field: string, value: unknown, names: EntityNames): VNode {
  return field === "monitor_id" && typeof value === "string"
    ? html`<a class="id" href=${monitorPath(value)}>${value}</a>`
    : shownValue(field, value, names);
}

function written(text: string | null): VNode | null {
  return text === null ? null : html`<span class="long">${text}</span>`;
}
