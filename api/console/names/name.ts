import type { VNode } from "preact";
import { z } from "zod";
import type { Lesson } from "../../../database/taughtNames.ts";
import { ApiError } from "../../../domain/errors.ts";
import { nameTeachingWorkflowId } from "../../../domain/teaching/states.ts";
import { readOffer, type TaughtNameDetails } from "../../../services/teaching/read.ts";
import { listNameVideos } from "../../../services/teaching/reviewed.ts";
import { amount, counted } from "../components/amounts.ts";
import { facts } from "../components/facts.ts";
import { code } from "../components/links.ts";
import { ago, at } from "../components/moment.ts";
import { inWords } from "../components/status.ts";
import { table } from "../components/table.ts";
import { cursorField } from "../cursorField.ts";
import { readFields, readNumber } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { type Choice, decide, nothingChosen } from "./decide.ts";
import { carriedPlaces, previewedPlaces } from "./places.ts";
import { flags, namesPath, nameStatus, progress, shownEntity, wording } from "./words.ts";

const fields = z.strictObject({ show: z.enum(["preview", "places"]).optional(), cursor: cursorField });

export const nameRoute: ConsoleRoute = {
  id: "consoleName",
  method: "get",
  path: "/names/:nameId",
  answer: async (asked) => ({ page: await namePage(asked, null) }),
};

/** A taught name with all that decides on it: what taught it, what can be done, and each place with what becomes of it. */
export async function namePage(
  asked: ConsoleAsked,
  failed: { problem: string; choice: Choice } | null,
): Promise<ConsolePage> {
  const { context, session, query } = asked;
  const id = nameOf(asked);
  const { show, cursor } = readFields(fields, query);
  const details = await readOffer(context, id);
  const { status } = details.name;
  const isCarried = status === "carrying" || status === "carried" || status === "undoing";
  const list = (show ?? (isCarried ? "places" : "preview")) === "places" ? carriedPlaces : previewedPlaces;
  const videos = await listNameVideos(context, details);
  const content = html`
    ${failed === null ? null : html`<p class="problem" role="alert">${failed.problem}</p>`}
    ${summary(details, context.clock())} ${evidence(details.lessons)}
    ${decide(session, details, videos, failed?.choice ?? { ...nothingChosen, withAlias: details.name.withAlias ?? true })}
    ${await list(asked, id, cursor)}
    ${
      details.name.withAlias === null
        ? null
        : html`<p class="actions">
            <a href=${`${namesPath}/${id}?show=places`}>What became of each place</a>
            <a href=${`${namesPath}/${id}?show=preview`}>Where the words stand now</a>
          </p>`
    }
  `;
  return { title: `Name #${id}`, section: "names", content };
}

/** The taught name that a path names. Throws `taught_name_not_found` for what is no number. */
export function nameOf({ params }: ConsoleAsked): number {
  const id = readNumber(params["nameId"]);
  if (id === null) throw new ApiError("taught_name_not_found");
  return id;
}

function summary(details: TaughtNameDetails, now: Date): VNode {
  const { name, standing } = details;
  const isUnderWay = name.status === "carrying" || name.status === "undoing";
  const far = progress(details);
  const path = `${namesPath}/${name.id}`;
  return facts([
    ["Words", wording(name)],
    ["Entity", shownEntity(name.entity)],
    ["Status", nameStatus(name.status)],
    [
      "Progress",
      far === null && !isUnderWay
        ? null
        : html`<span>${far} ${isUnderWay ? html`· <a href=${path}>Reload to see how far it is</a>` : null}</span>`,
    ],
    ["Flags", flags(details)],
    [
      "Stands now",
      html`<span
        >in ${standing.isWhole ? "" : "more than "}${counted(standing.segments, "segment")} of
        ${" "}${counted(standing.videos.length, "video")}</span
      >`,
    ],
    ["Offered", ago(name.offeredAt, now)],
    [
      "Decided",
      name.decidedAt === null || name.decidedBy === null
        ? null
        : html`<span>${at(name.decidedAt)} by <span class="id">${name.decidedBy}</span></span>`,
    ],
    ["Alias", name.withAlias === null ? null : name.withAlias ? "yes" : "no"],
    ["Videos", name.withAlias === null ? null : scope(name.videoIds)],
    ["Workflow", code(nameTeachingWorkflowId(name.id))],
  ]);
}

function scope(videoIds: readonly string[] | null): VNode | string {
  if (videoIds === null) return "all";
  if (videoIds.length === 0) return "none: only the alias";
  return html`
    <details>
      <summary>${amount(videoIds.length)} chosen</summary>
      ${videoIds.map((videoId) => html`<span class="id">${videoId}</span>${" "}`)}
    </details>
  `;
}

function evidence(lessons: readonly Lesson[]): VNode {
  return html`
    <h2>Corrections that taught it</h2>
    ${table(
      "Corrections that taught it, newest first",
      [
        { title: "Correction", cell: ({ correctionId }) => html`<span class="id">${correctionId}</span>` },
        { title: "Kind", cell: ({ kind }) => inWords(kind) },
        { title: "Video", cell: ({ videoId }) => html`<span class="id">${videoId}</span>` },
        { title: "Number", align: "end", cell: ({ seq }) => seq },
        { title: "Stands", cell: ({ isWithdrawn }) => (isWithdrawn ? "no, it was taken back" : "yes") },
        { title: "Made", cell: ({ createdAt }) => at(createdAt) },
      ],
      lessons,
      "None is left.",
    )}
  `;
}
