import { DomUtils, parseDocument } from "htmlparser2";
import type { Edge } from "./edge.ts";

type Nodes = Parameters<typeof DomUtils.getElementsByTagName>[1];

type Filled = Record<string, string | readonly string[]>;

/** A page as a browser without scripts has it. */
export interface VisitedPage {
  status: number;
  headers: Headers;
  text: string;
  /** Of the page that redirects led to. */
  path: string;
  /** Its `h1`. */
  title: string;
  /** The text of the page. */
  says: string;
  /** The texts of all elements of a name, such as `h2`, or of a class, such as `.flash`. */
  texts(of: string): string[];
  /** Addresses of links, by their texts. */
  links: ReadonlyMap<string, string>;
  /** What pressing a button sends, with its form as it is on the page. */
  pressed(button: string): { action: string; fields: URLSearchParams };
}

/** Somebody with a browser: keeps the cookie, follows redirects, fills in forms and presses their buttons. */
export function createVisitor(edge: Edge, sent: Record<string, string> = { "sec-fetch-site": "same-origin" }) {
  let cookie = "";

  async function ask(method: string, path: string, form?: URLSearchParams): Promise<VisitedPage> {
    const answer = await edge.call(method, path, {
      headers: {
        ...sent,
        ...(cookie !== "" && { cookie }),
        ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form !== undefined && { body: form.toString() }),
    });
    for (const each of answer.headers.getSetCookie()) [cookie = ""] = each.split(";");
    const location = answer.headers.get("location");
    return location === null ? pageOf(answer, path) : ask("GET", location);
  }

  const visitor = {
    get: (path: string) => ask("GET", path),
    post: (path: string, fields: Record<string, string> = {}) => ask("POST", path, new URLSearchParams(fields)),
    press(page: VisitedPage, button: string, filled: Filled = {}): Promise<VisitedPage> {
      const { action, fields } = page.pressed(button);
      for (const [name, values] of Object.entries(filled)) {
        fields.delete(name);
        for (const value of [values].flat()) fields.append(name, value);
      }
      return ask("POST", action, fields);
    },
    async signIn(key = edge.internalKey): Promise<VisitedPage> {
      return visitor.press(await visitor.get("/console/sign-in"), "Sign in", { key });
    },
    cookie: () => cookie,
    takeCookie: (taken: string) => void (cookie = taken),
  };
  return visitor;
}

export type Visitor = ReturnType<typeof createVisitor>;

function pageOf(answer: { status: number; headers: Headers; text: string }, path: string): VisitedPage {
  const { children } = parseDocument(answer.text);
  return {
    ...answer,
    path,
    title: elements("h1", children).map(textOf).join("|"),
    says: elements("body", children).map(textOf).join(" "),
    texts: (of) =>
      (of.startsWith(".") ? DomUtils.getElementsByClassName(of.slice(1), children) : elements(of, children)).map(
        textOf,
      ),
    links: new Map(elements("a", children).map((each) => [textOf(each), each.attribs["href"] ?? ""])),
    pressed(name) {
      for (const form of elements("form", children)) {
        const button = elements("button", form.children).find((each) => textOf(each) === name);
        if (button === undefined) continue;
        const fields = fieldsOf(form.children);
        if (button.attribs["name"] !== undefined) fields.append(button.attribs["name"], button.attribs["value"] ?? "");
        return { action: button.attribs["formaction"] ?? form.attribs["action"] ?? path, fields };
      }
      throw new Error(`${path} has no button “${name}”:\n${answer.text}`);
    },
  };
}

function elements(name: string, nodes: Nodes) {
  return DomUtils.getElementsByTagName(name, nodes);
}

function textOf(node: Parameters<typeof DomUtils.textContent>[0]): string {
  return DomUtils.textContent(node).replaceAll(/\s+/g, " ").trim();
}

/** What a browser would send of a form that nobody touched, without its buttons. */
function fieldsOf(nodes: Nodes): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { attribs } of elements("input", nodes)) {
    const isBox = attribs["type"] === "checkbox" || attribs["type"] === "radio";
    if (attribs["name"] !== undefined && (!isBox || "checked" in attribs))
      fields.append(attribs["name"], attribs["value"] ?? "");
  }
  for (const area of elements("textarea", nodes)) fields.append(area.attribs["name"] ?? "", DomUtils.textContent(area));
  for (const select of elements("select", nodes)) {
    const options = elements("option", select.children);
    const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
    fields.append(select.attribs["name"] ?? "", chosen?.attribs["value"] ?? "");
  }
  return fields;
}
