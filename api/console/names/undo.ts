import type { VNode } from "preact";
import type { Overlaid } from "../../../database/taughtPlaces.ts";
import { statusAfter } from "../../../domain/teaching/states.ts";
import { readOffer, type TaughtNameDetails } from "../../../services/teaching/read.ts";
import { listLaterEdited } from "../../../services/teaching/reviewed.ts";
import { counted } from "../components/amounts.ts";
import { facts } from "../components/facts.ts";
import { postForm } from "../components/postForm.ts";
import { table } from "../components/table.ts";
import { html } from "../html.ts";
import type { ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { nameOf } from "./name.ts";
import { namesPath, nameStatus, shownEntity, wording } from "./words.ts";

/** What undoing a name takes back, and the button that does it. */
export const undoPageRoute: ConsoleRoute = {
  id: "consoleNameUndoPage",
  method: "get",
  path: "/names/:nameId/undo",
  answer: async (asked) => ({ page: await undoPage(asked, null) }),
};

/** The same where it was refused, with the reason. */
export async function undoPage(asked: ConsoleAsked, problem: string | null): Promise<ConsolePage> {
  const { context, session } = asked;
  const id = nameOf(asked);
  const details = await readOffer(context, id);
  const { name } = details;
  const path = `${namesPath}/${id}`;
  const later = await listLaterEdited(context, id);
  const canUndo = statusAfter(name.status, "undo") === "undoing" && name.status !== "undoing";
  const content = html`
    <p><a href=${path} data-key="b">Back to name #${id}</a></p>
    ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
    ${facts([
      ["Words", wording(name)],
      ["Status", nameStatus(name.status)],
    ])}
    ${canUndo ? takenBack(details) : html`<p class="faint">There is nothing that undoing could take back.</p>`}
    ${later.length === 0 ? null : laterEdits(later)}
    ${
      canUndo
        ? postForm(
            session,
            `${path}/undo`,
            html`<p class="actions"><button type="submit" class="danger" data-key="u">Undo</button></p>`,
          )
        : null
    }
  `;
  return { title: `Undoing name #${id}`, section: "names", content };
}

function takenBack({ name, counts }: TaughtNameDetails): VNode {
  return html`
    <h2>What it takes back</h2>
    <ul>
      ${
        name.aliasOf === null
          ? html`<li>No alias: accepting it added none.</li>`
          : html`<li>“<bdi>${name.wrongWords}</bdi>” is no alias of ${shownEntity(name.entity)} any more, at once.</li>`
      }
      <li>
        The corrections of ${counted(counts.corrected, "segment")}, one by one, by its workflow, but for those that
        later edits sit on.
      </li>
      ${name.status === "carrying" ? html`<li>No more is corrected.</li>` : null}
    </ul>
  `;
}

function laterEdits(later: readonly Overlaid[]): VNode {
  return html`
    <h2>Corrections that later edits sit on</h2>
    <p class="hint">They stay. Each can be undone alone when nothing sits on it any more.</p>
    ${table(
      "Corrections that later edits sit on",
      [
        { title: "Correction", cell: ({ correctionId }) => html`<span class="id">${correctionId}</span>` },
        { title: "Video", cell: ({ videoId }) => html`<span class="id">${videoId}</span>` },
        { title: "Segment", cell: ({ segmentId }) => html`<span class="id">${segmentId}</span>` },
      ],
      later,
      "",
    )}
  `;
}
