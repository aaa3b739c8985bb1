import { z } from "zod";
import { taughtNameStatuses } from "../../../domain/teaching/states.ts";
import { listOffers, type OfferedName } from "../../../services/teaching/read.ts";
import { filters } from "../components/filters.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { inWords } from "../components/status.ts";
import { type Column, table } from "../components/table.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleRoute } from "../route.ts";
import { flags, namesPath, nameStatus, progress, shownEntity, wording } from "./words.ts";

const pageRows = 50;
const asked = z.strictObject({
  status: z.enum(["any", ...taughtNameStatuses]).default("offered"),
  cursor: cursorField,
});
const position = z.tuple([z.int()]).transform(([after]) => after);

/** Names that corrections taught: what waits for a decision, oldest first, unless it is asked otherwise. */
export const queueRoute: ConsoleRoute = {
  id: "consoleNames",
  method: "get",
  path: "/names",
  async answer({ context, cursors, query }) {
    const { status, cursor } = readFields(asked, query);
    const binding = { operation: "consoleNames", status };
    const after = cursors.open(binding, cursor, position);
    const statuses = status === "any" ? taughtNameStatuses : [status];
    const { names, hasMore } = await listOffers(context, statuses, { limit: pageRows, after });
    const last = names.at(-1);
    const nextCursor = hasMore && last !== undefined ? cursors.seal(binding, [last.name.id]) : null;
    const content = html`
      ${filters(namesPath, [
        {
          kind: "choice",
          name: "status",
          label: "Status",
          value: status,
          options: [
            { value: "any", label: "any" },
            ...taughtNameStatuses.map((value) => ({ value, label: inWords(value) })),
          ],
        },
      ])}
      ${table("Names that corrections taught", columns(context.clock()), names, "No name is like this.")}
      ${nextPage(namesPath, query, nextCursor)}
    `;
    return { page: { title: "Names", section: "names", content } };
  },
};

function columns(now: Date): readonly Column<OfferedName>[] {
  return [
    { title: "Name", cell: ({ name: { id } }) => html`<a href=${`${namesPath}/${id}`} data-row>#${id}</a>` },
    { title: "Words", cell: ({ name }) => wording(name) },
    { title: "Entity", cell: ({ name }) => shownEntity(name.entity) },
    { title: "Status", cell: (offer) => html`${nameStatus(offer.name.status)} ${progress(offer)}` },
    { title: "Flags", cell: (offer) => flags(offer) ?? html`<span class="faint">none</span>` },
    { title: "Corrections", align: "end", cell: ({ name }) => name.lessonCount },
    { title: "Offered", cell: ({ name }) => ago(name.offeredAt, now) },
  ];
}
