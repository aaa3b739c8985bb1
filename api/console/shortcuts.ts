import type { VNode } from "preact";
import { html } from "./html.ts";

/** Every shortcut. None does more than to move: what changes something is brought under the finger, and pressed with Enter. */
const shortcuts: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["?", "This help"],
      ["g q", "Reviews"],
      ["g n", "Names"],
      ["g j", "Jobs"],
      ["g m", "Monitors"],
      ["g a", "Accounts"],
      ["g e", "Mail, where there is no mail server"],
    ],
  },
  {
    title: "Lists",
    keys: [
      ["j", "Next row"],
      ["k", "Row before"],
      ["o", "Open the row"],
      ["/", "To the filters"],
      ["]", "Next page"],
    ],
  },
  {
    title: "A review",
    keys: [
      ["a", "To “Accept”"],
      ["r", "To “Reject”"],
      ["i", "To “Request information”"],
      ["p", "Preview applying"],
      ["y", "To “Apply”, by its preview"],
      ["u", "To “Revert”, by its preview"],
      ["n", "Next open review"],
      ["b", "Back to the list"],
    ],
  },
  {
    title: "A name",
    keys: [
      ["a", "To “Accept”"],
      ["d", "To “Dismiss”"],
      ["u", "To “Undo”, by what it takes back"],
      ["b", "Back to the list"],
    ],
  },
];

/** The help that `?` opens (api/console/static/console.js). */
export function shortcutsDialog(): VNode {
  return html`
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      <p>
        <label><input type="checkbox" data-shortcuts-on checked /> Single keys are shortcuts</label>
      </p>
      ${shortcuts.map(
        ({ title, keys }) => html`
          <h3>${title}</h3>
          <dl>
            ${keys.map(
              ([key, meaning]) => html`
                <div>
                  <dt>${key.split(" ").map((part) => html`<kbd>${part}</kbd> `)}</dt>
                  <dd>${meaning}</dd>
                </div>
              `,
            )}
          </dl>
        `,
      )}
      <form method="dialog"><button type="submit">Close</button></form>
    </dialog>
  `;
}
