import type { VNode } from "preact";
import type { Fields } from "../../../database/feedback.ts";
import type { JournalEntry } from "../../../database/reviewRows.ts";
import { facts } from "../components/facts.ts";
import { inWords } from "../components/status.ts";
import type { Column } from "../components/table.ts";
import { html } from "../html.ts";
import { type EntityNames, shownEntity, shownValue } from "./values.ts";

const entityColumns = ["entity_id", "owner_id", "into_id", "speaker_entity_id"];

/** The entities that a row names, before or after. */
export function entitiesIn({ table, key, before, after }: JournalEntry): number[] {
  const images: readonly (Fields | null)[] = [key, before, after];
  const named = images.flatMap((image) => entityColumns.map((column) => image?.[column]));
  return [...named, ...(table === "entity" ? [key["id"]] : [])]
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
}

/** How a row changes, for a table of them. */
export function changedRowColumns(names: EntityNames): readonly Column<JournalEntry>[] {
  return [
    { title: "Row", cell: ({ table, key }) => html`${inWords(table)} ${Object.values(key).map(String).join(", ")}` },
    { title: "Change", cell: (entry) => changeOf(entry, names) },
  ];
}

function changeOf({ before, after }: JournalEntry, names: EntityNames): VNode {
  if (before === null) return whole("added", after ?? {}, names);
  if (after === null) return whole("removed", before, names);
  return html`<ul class="plain">
    ${Object.keys({ ...before, ...after }).map(
      (field) => html`
        <li>
          ${inWords(field)}: <del>${shown(field, before[field], names)}</del> → ${" "}<ins
            >${shown(field, after[field], names)}</ins
          >
        </li>
      `,
    )}
  </ul>`;
}

/** A row that comes or goes, with what is in it. */
function whole(what: "added" | "removed", image: Fields, names: EntityNames): VNode {
  const filled = Object.entries(image).filter(([, value]) => value !== null);
  return html`
    ${what === "added" ? html`<ins>added</ins>` : html`<del>removed</del>`}
    <details>
      <summary>Its ${filled.length} columns</summary>
      ${facts(filled.map(([field, value]) => [inWords(field), shown(field, value, names)]))}
    </details>
  `;
}

function shown(field: string, value: unknown, names: EntityNames): VNode {
  return entityColumns.includes(field) && typeof value === "number"
    ? shownEntity(value, names)
    : shownValue(field, value, names);
}
