import type { VNode } from "preact";
import type { CarriedPlace, PlaceKey } from "../../../database/taughtPlaces.ts";
import type { WordsHit } from "../../../domain/teaching/sameWords.ts";
import type { PlaceReason, PlaceState } from "../../../domain/teaching/states.ts";
import { listCarried } from "../../../services/teaching/listPlaces.ts";
import { type PreviewedPlace, previewName } from "../../../services/teaching/preview.ts";
import { placePosition } from "../../internal/taughtNames/schema.ts";
import { nextPage } from "../components/nextPage.ts";
import { status, type Tone } from "../components/status.ts";
import { table } from "../components/table.ts";
import { videoLink } from "../components/videoLink.ts";
import { html } from "../html.ts";
import type { ConsoleAsked } from "../route.ts";
import { namesPath, shownEntity } from "./words.ts";

/** What a page shows is done and rolled back, with the transcripts held: few at a time. */
const pageRows = 20;

const reasons: Record<PlaceReason, string> = {
  edited_meanwhile: "it was edited meanwhile",
  told_otherwise: "people told otherwise",
  already_named: "it is named already",
  refused: "the correction is refused",
  later_edit: "a later edit sits on it",
  taken_back: "it was taken back alone",
};
const states: Record<PlaceState, readonly [words: string, tone: Tone]> = {
  candidate: ["to be looked at", "waiting"],
  pending: ["to go", "waiting"],
  corrected: ["corrected", "good"],
  skipped: ["left alone", "neutral"],
  withdrawn: ["taken back", "neutral"],
  kept: ["kept", "bad"],
};

type List = (asked: ConsoleAsked, id: number, cursor: string | undefined) => Promise<VNode>;

/** Where the words stand now, and what accepting the name would make of them. */
export const previewedPlaces: List = async (asked, id, cursor) => {
  const { context } = asked;
  const paged = pageOf(asked, { operation: "consoleNamePreview", id }, cursor);
  const { places, hasMore } = await previewName(context, id, { limit: pageRows, after: paged.after });
  return html`
    <h2>Where the words stand</h2>
    <p class="hint">Nothing is changed yet. What each row shows was done and taken back, so it is exact.</p>
    ${table(
      "Where the words stand, and what accepting would make of them",
      [
        {
          title: "Place",
          cell: ({ media, startSeconds }) => videoLink(context.settings.videoMomentUrl, media, startSeconds),
        },
        { title: "As it is", cell: ({ text, hits }) => html`<span class="long">${marked(text, hits)}</span>` },
        { title: "As it would be", cell: becomes },
        { title: "Mentions", cell: mentions },
      ],
      places,
      cursor === undefined ? "The words stand nowhere now." : "They stand nowhere further on.",
    )}
    ${nextPage(`${namesPath}/${id}`, withShow(asked.query, "preview"), hasMore ? paged.seal(places.at(-1)) : null)}
  `;
};

/** What became of each place since the name was accepted. */
export const carriedPlaces: List = async (asked, id, cursor) => {
  const { context } = asked;
  const paged = pageOf(asked, { operation: "consoleNamePlaces", id }, cursor);
  const { places, hasMore } = await listCarried(context, id, { limit: pageRows, after: paged.after });
  return html`
    <h2>What became of each place</h2>
    ${table(
      "What became of each place",
      [
        { title: "Place", cell: (place) => placeLink(place, context.settings.videoMomentUrl) },
        {
          title: "State",
          cell: ({ state, reason }) => html`${status(...states[state])} ${reason === null ? null : reasons[reason]}`,
        },
        {
          title: "As it is",
          cell: ({ text }) => (text === null ? html`<span class="faint">it is gone</span>` : spoken(text)),
        },
        { title: "Corrections", cell: ({ correctionIds }) => ids(correctionIds) },
      ],
      places,
      "No place is known yet.",
    )}
    ${nextPage(`${namesPath}/${id}`, withShow(asked.query, "places"), hasMore ? paged.seal(places.at(-1)) : null)}
  `;
};

function pageOf({ cursors }: ConsoleAsked, binding: { operation: string; id: number }, cursor: string | undefined) {
  return {
    after: cursors.open(binding, cursor, placePosition),
    seal: (last: PlaceKey | undefined) =>
      last === undefined ? null : cursors.seal(binding, [last.videoId, last.position]),
  };
}

/** A cursor is of one list: what is shown does not change with the status while somebody pages. */
function withShow(query: URLSearchParams, show: "preview" | "places"): URLSearchParams {
  const shown = new URLSearchParams(query);
  shown.set("show", show);
  return shown;
}

function marked(text: string, hits: readonly WordsHit[]): (VNode | string)[] {
  const starts = [0, ...hits.map(({ charEnd }) => charEnd)];
  return starts.flatMap((from, n) => {
    const hit = hits[n];
    if (hit === undefined) return [text.slice(from)];
    return [text.slice(from, hit.charStart), html`<mark>${text.slice(hit.charStart, hit.charEnd)}</mark>`];
  });
}

function becomes({ reason, text, becomes }: PreviewedPlace): VNode {
  if (reason !== null) return html`<span>${status("left alone", "neutral")} ${reasons[reason]}</span>`;
  return becomes === text ? html`<span class="faint">the same words, tagged</span>` : spoken(becomes);
}

function mentions({ added, removed }: PreviewedPlace): VNode {
  if (added.length + removed.length === 0) return html`<span class="faint">as they are</span>`;
  return html`
    <ul class="plain">
      ${added.map(({ entity }) => html`<li><ins>added</ins> ${shownEntity(entity)}</li>`)}
      ${removed.map(({ entity }) => html`<li><del>removed</del> ${shownEntity(entity)}</li>`)}
    </ul>
  `;
}

function placeLink({ media, segmentId, startSeconds }: CarriedPlace, videoMomentUrl: string): VNode {
  return startSeconds === null
    ? html`<span><bdi>${media.title ?? media.videoId}</bdi> <span class="id">${segmentId}</span></span>`
    : videoLink(videoMomentUrl, media, startSeconds);
}

function spoken(text: string): VNode {
  return html`<span class="long">${text}</span>`;
}

function ids(correctionIds: readonly string[]): VNode {
  if (correctionIds.length === 0) return html`<span class="faint">none</span>`;
  return html`<span class="id">${correctionIds.join(", ")}</span>`;
}
