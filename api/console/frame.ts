import { render } from "preact-render-to-string";
import type { VNode } from "preact";
import type { ConsoleSession } from "../../services/console/sessions.ts";
import { assetAddress } from "./assets.ts";
import { postForm } from "./components/postForm.ts";
import { html } from "./html.ts";
import type { Section } from "./route.ts";
import { shortcutsDialog } from "./shortcuts.ts";

export interface FramedPage {
  title: string;
  content: VNode;
  /** Null: of none, such as a page that says that there is no such page. */
  section: Section | null;
  /** Null: nobody is signed in; then there is nowhere to go. */
  session: ConsoleSession | null;
  /** Those that this installation has. */
  sections: readonly Section[];
  /** Another page that the browser goes on to by itself. */
  goesTo?: string;
}

const sectionNames: Record<Section, { name: string; goKey: string }> = {
  reviews: { name: "Reviews", goKey: "q" },
  names: { name: "Names", goKey: "n" },
  jobs: { name: "Jobs", goKey: "j" },
  monitors: { name: "Monitors", goKey: "m" },
  accounts: { name: "Accounts", goKey: "a" },
  mail: { name: "Mail", goKey: "e" },
};

/** A whole page of the console as it is sent. */
export function framedPage({ title, content, section, session, sections, goesTo }: FramedPage): string {
  const flash = session?.flash ?? null;
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        ${goesTo === undefined ? null : html`<meta http-equiv="refresh" content=${`0; url=${goesTo}`} />`}
        <title>${flash === null ? "" : `${flash} `}${title} · Media Index console</title>
        <link rel="icon" href="/docs/assets/favicon-32x32.png" />
        <link rel="stylesheet" href=${assetAddress("console.css")} />
        <script src=${assetAddress("console.js")} defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${header(section, sections, session)}
        <main id="content" tabindex="-1">
          ${flash === null ? null : html`<p class="flash" role="status">${flash}</p>`}
          <h1>${title}</h1>
          ${content}
        </main>
        ${session === null ? null : shortcutsDialog()}
      </body>
    </html>
  `;
  return `<!doctype html>\n${render(page)}\n`;
}

function header(current: Section | null, sections: readonly Section[], session: ConsoleSession | null): VNode {
  if (session === null)
    return html`<header class="bar">
      <p class="product">Media Index <span>console</span></p>
    </header>`;
  return html`
    <header class="bar">
      <p class="product">
        <a href="/console/reviews">Media Index <span>console</span></a>
      </p>
      <nav aria-label="Sections">
        <ul>
          ${sections.map((section) => {
            const { name, goKey } = sectionNames[section];
            const isCurrent = section === current ? "page" : undefined;
            return html`<li>
              <a href=${`/console/${section}`} data-go=${goKey} aria-current=${isCurrent}>${name}</a>
            </li>`;
          })}
        </ul>
      </nav>
      <div class="who">
        <button type="button" class="quiet" data-shortcuts hidden>Shortcuts <kbd>?</kbd></button>
        <span class="key" title=${session.keyId}>${session.keyName}</span>
        ${postForm(session, "/console/sign-out", html`<button type="submit" class="quiet">Sign out</button>`)}
      </div>
    </header>
  `;
}
