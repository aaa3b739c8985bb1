import type { VNode } from "preact";
import type { EntityName } from "../../../database/reviewTargets.ts";
import { entityId } from "../../../domain/entities.ts";
import { clock } from "../components/videoLink.ts";
import { html } from "../html.ts";

/** What entities are called, by their numbers. */
export type EntityNames = ReadonlyMap<number, EntityName>;

/** A value of a field as reviewers read it: ids with what they name, seconds with minutes, and nothing as “none”. */
export function shownValue(field: string, value: unknown, names: EntityNames): VNode {
  if (value === null || value === undefined || value === "") return html`<span class="faint">none</span>`;
  if (typeof value === "boolean") return html`<span>${value ? "yes" : "no"}</span>`;
  if (typeof value === "number" && field.endsWith("_seconds"))
    return html`<span>${clock(value)} <span class="faint">(${value} s)</span></span>`;
  if (typeof value === "number") return html`<span>${value}</span>`;
  if (typeof value === "string") return named(value, names);
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return html`<span>${value.length === 0 ? "none" : value.join(", ")}</span>`;
  return html`<code class="long">${JSON.stringify(value)}</code>`;
}

/** An entity by its number, with its name where there is one. */
export function shownEntity(numericId: number, names: EntityNames): VNode {
  const known = names.get(numericId);
  const id = html`<span class="id">${entityId(numericId)}</span>`;
  if (known === undefined) return html`<span>${id} <span class="faint">(there is none)</span></span>`;
  const merged = known.canonicalId === null ? "" : `, merged into ${entityId(known.canonicalId)}`;
  return html`<span><bdi>${known.name}</bdi> <span class="faint">(${known.type}${merged})</span> ${id}</span>`;
}

function named(text: string, names: EntityNames): VNode {
  const number = /^ent_(\d{1,15})$/.exec(text)?.[1];
  return number === undefined ? html`<bdi class="long">${text}</bdi>` : shownEntity(Number(number), names);
}
