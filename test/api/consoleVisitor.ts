import { parseDocument, DomUtils } from "htmlparser2";
import type { Edge } from "./edge.ts";

type Nodes = Parameters<typeof DomUtils.getElementsByTagName>[1];

/** A page as a browser has it, without its scripts. */
export interface VisitedPage {
  status: number;
  headers: Headers;
  text: string;
  /** Of the page that redirects led to. */
  path: string;
  title: string;
  /** The text of all elements of a name, such as `h2`; of `.name` all of a class. */
  texts(of: string): string[];
  /** Addresses of links, by their text. */
  links: Map<string, string>;
  /** Fields of the form whose action or text of a button contains this. */
  form(containing: string): { action: string; fields: URLSearchParams };
}

/** Somebody with a browser: keeps the cookie, follows redirects, and sends forms as they are on the page. */
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
    for (const each of answer.headers.getSetCookie()) cookie = each.split(";")[0] ?? "";
    const location = answer.headers.get("location");
    return location === null ? pageOf(answer, path) : ask("GET", location);
  }

  const visitor = {
    get: (path: string) => ask("GET", path),
    post: (path: string, fields: Record<string, string> = {}) => ask("POST", path, new URLSearchParams(fields)),
    /** Sends a form of the page, with what was filled in. */
    send: (page: VisitedPage, containing: string, filled: Record<string, string> = {}) => {
      const { action, fields } = page.form(containing);
      for (const [name, value] of Object.entries(filled)) fields.set(name, value);
      return ask("POST", action, fields);
    },
    async signIn(key = edge.internalKey): Promise<VisitedPage> {
      return visitor.send(await visitor.get("/console/sign-in"), "Sign in", { key });
    },
    cookie: () => cookie,
  };
  return visitor;
}

export type Visitor = ReturnType<typeof createVisitor>;

function pageOf(answer: { status: number; headers: Headers; text: string }, path: string): VisitedPage {
  const { children } = parseDocument(answer.text);
  const all = (name: string) => DomUtils.getElementsByTagName(name, children);
  const textOf = (node: Parameters<typeof DomUtils.textContent>[0]) =>
    DomUtils.textContent(node).replace(/\s+/g, " ").trim();
  return {
    ...answer,
    path,
    title: all("h1").map(textOf).join("|"),
    texts: (of) =>
      (of.startsWith(".") ? DomUtils.getElementsByClassName(of.slice(1), children) : all(of)).map((each) =>
        textOf(each),
      ),
    links: new Map(all("a").map((each) => [textOf(each), each.attribs["href"] ?? ""])),
    form(containing) {
      const found = all("form").find(
        (each) =>
          each.attribs["action"]?.includes(containing) === true ||
          all2("button", each.children).some((button) => textOf(button).includes(containing)),
      );
      if (found === undefined) throw new Error(`${path} has no form with ${containing}:\n${answer.text}`);
      return { action: found.attribs["action"] ?? path, fields: fieldsOf(found.children) };
    },
  };
}

function all2(name: string, nodes: Nodes) {
  return DomUtils.getElementsByTagName(name, nodes);
}

/** What a browser would send of a form that nobody touched, without its buttons. */
function fieldsOf(nodes: Nodes): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { attribs } of all2("input", nodes)) {
    const isBox = attribs["type"] === "checkbox" || attribs["type"] === "radio";
    if (attribs["name"] !== undefined && (!isBox || "checked" in attribs))
      fields.append(attribs["name"], attribs["value"] ?? "");
  }
  for (const area of all2("textarea", nodes)) fields.append(area.attribs["name"] ?? "", DomUtils.textContent(area));
  for (const select of all2("select", nodes)) {
    const options = all2("option", select.children);
    const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
    fields.append(select.attribs["name"] ?? "", chosen?.attribs["value"] ?? "");
  }
  return fields;
}
