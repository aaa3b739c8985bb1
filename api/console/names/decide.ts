import type { VNode } from "preact";
import { statusAfter } from "../../../domain/teaching/states.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import type { TaughtNameDetails } from "../../../services/teaching/read.ts";
import type { NameVideo } from "../../../services/teaching/reviewed.ts";
import { amount, counted } from "../components/amounts.ts";
import { postForm } from "../components/postForm.ts";
import { html } from "../html.ts";
import { namesPath, shownEntity } from "./words.ts";

/** Where a name is to be carried out. */
export const scopes = ["all", "chosen", "none"] as const;
type Scope = (typeof scopes)[number];

/** What is filled in for accepting a name. */
export interface Choice {
  withAlias: boolean;
  scope: Scope;
  videoIds: readonly string[];
}

export const nothingChosen: Choice = { withAlias: true, scope: "all", videoIds: [] };

/** Of more videos the boxes are folded away. */
const mostUnfolded = 8;

/** What can be done with a name now. */
export function decide(
  session: ConsoleSession,
  details: TaughtNameDetails,
  videos: readonly NameVideo[],
  choice: Choice,
): VNode {
  const { id, status } = details.name;
  const path = `${namesPath}/${id}`;
  const canAccept = statusAfter(status, "accept") === "carrying" && status !== "carrying";
  const canDismiss = status === "offered";
  const canUndo = statusAfter(status, "undo") === "undoing" && status !== "undoing";
  return html`
    <section class="card" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      ${canAccept ? postForm(session, `${path}/accept`, acceptFields(details, videos, choice)) : null}
      ${
        canDismiss
          ? postForm(
              session,
              `${path}/dismiss`,
              html`<p class="actions"><button type="submit" class="danger" data-key="d">Dismiss</button></p>`,
            )
          : null
      }
      ${
        status === "dismissed"
          ? postForm(
              session,
              `${path}/undo`,
              html`<p class="actions"><button type="submit" data-key="u">Offer it again</button></p>`,
            )
          : null
      }
      <p class="actions">
        ${canUndo ? html`<a class="button danger" href=${`${path}/undo`} data-key="u">Undo…</a>` : null}
        <a class="button" href=${namesPath} data-key="b">Back to the list</a>
      </p>
    </section>
  `;
}

function acceptFields({ name, standing }: TaughtNameDetails, videos: readonly NameVideo[], choice: Choice): VNode {
  const scope = (value: Scope, label: string) => html`
    <p>
      <label>
        <input type="radio" name="scope" value=${value} checked=${choice.scope === value} />
        ${" "}${label}
      </label>
    </p>
  `;
  const act = name.rightWords === null ? "Tag" : "Correct";
  const alias = html`<span>“<bdi>${name.wrongWords}</bdi>” is an alias of ${shownEntity(name.entity)}</span>`;
  const isAlias = name.status === "carried" && name.withAlias === true;
  return html`
    ${name.status === "carried" ? html`<p class="hint">It is carried already. Accepted for more, what is done stays.</p>` : null}
    <p>
      ${
        // Only an undo takes it away.
        isAlias
          ? html`<input type="hidden" name="alias" value="yes" />${alias}`
          : html`<label><input type="checkbox" name="alias" value="yes" checked=${choice.withAlias} /> ${alias}</label>`
      }
    </p>
    <fieldset>
      <legend>${act} the words</legend>
      ${scope("all", `in all videos where they stand (${standing.isWhole ? "" : "more than "}${amount(standing.videos.length)})`)}
      ${videos.length === 0 ? null : scope("chosen", "only in the videos that are ticked here")}
      ${videos.length === 0 ? null : boxes(videos, standing.videos.length, choice)}
      ${isAlias ? null : scope("none", "nowhere: the alias is enough")}
    </fieldset>
    <p class="actions"><button type="submit" class="primary" data-key="a">Accept</button></p>
  `;
}

function boxes(videos: readonly NameVideo[], standing: number, { scope, videoIds }: Choice): VNode {
  return html`
    <details open=${videos.length <= mostUnfolded || scope === "chosen"}>
      <summary>${counted(videos.length, "video")}</summary>
      ${
        videos.length < standing
          ? html`<p class="hint">The first ${amount(videos.length)} of ${amount(standing)}, by their ids.</p>`
          : null
      }
      <ul class="plain">
        ${videos.map(
          ({ videoId, title, segments }) => html`
            <li>
              <label>
                <input type="checkbox" name="video" value=${videoId} checked=${videoIds.includes(videoId)} />
                ${" "}<span
                  ><bdi>${title ?? videoId}</bdi> <span class="faint">(${counted(segments, "segment")})</span></span
                >
              </label>
            </li>
          `,
        )}
      </ul>
    </details>
  `;
}
