import { html as build } from "htm/preact";
import { Fragment, h, type VNode } from "preact";

/**
 * Elements from a template: what is put in is escaped when they are written out, wherever it stands. As in JSX, white space around line ends
 * is dropped; there are no entities, and several roots are one fragment.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): VNode {
  const built = build(strings, ...values);
  return Array.isArray(built) ? h(Fragment, null, ...built) : built;
}
