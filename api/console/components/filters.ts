import type { VNode } from "preact";
import { html } from "../html.ts";

/** A field of a filter form. */
export type Filter =
  | { kind: "choice"; name: string; label: string; options: readonly { value: string; label: string }[]; value: string }
  | { kind: "text"; name: string; label: string; hint: string; value: string };

/** The form above a list: it asks for the list anew, from its first page. */
export function filters(path: string, fields: readonly Filter[]): VNode {
  return html`
    <form method="get" action=${path} class="filters" role="search">
      ${fields.map(
        (field, index) => html`
          <p class="field">
            <label for=${`filter-${field.name}`}>${field.label}</label>
            ${control(field, index === 0 ? "/" : undefined)}
          </p>
        `,
      )}
      <button type="submit">Show</button>
    </form>
  `;
}

function control(field: Filter, key: string | undefined): VNode {
  const id = `filter-${field.name}`;
  switch (field.kind) {
    case "choice":
      return html`
        <select id=${id} name=${field.name} data-key=${key}>
          ${field.options.map(
            ({ value, label }) => html`<option value=${value} selected=${value === field.value}>${label}</option>`,
          )}
        </select>
      `;
    case "text":
      return html`<input
        id=${id}
        name=${field.name}
        value=${field.value}
        placeholder=${field.hint}
        data-key=${key}
        autocomplete="off"
        spellcheck="false"
      />`;
  }
}
