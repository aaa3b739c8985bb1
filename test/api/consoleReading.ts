import { DomUtils, parseDocument } from "htmlparser2";
import type { VisitedPage } from "./consoleVisitor.ts";

type Page = Pick<VisitedPage, "text">;
const textOf = (node: Parameters<typeof DomUtils.textContent>[0]) =>
  DomUtils.textContent(node).replaceAll(/\s+/g, " ").trim();

/** The rows of the page's tables (of the one whose caption begins so): each cell's text under its column's title. */
export function rowsOf({ text }: Page, caption = ""): Record<string, string>[] {
  const { children } = parseDocument(text);
  return DomUtils.getElementsByTagName("table", children)
    .filter((table) => textOf(DomUtils.getElementsByTagName("caption", table)).startsWith(caption))
    .flatMap((table) => DomUtils.getElementsByTagName("tr", table))
    .map((row) => DomUtils.getElementsByTagName("td", row))
    .filter((cells) => cells.length > 0)
    .map((cells) => Object.fromEntries(cells.map((cell) => [cell.attribs["data-label"] ?? "", textOf(cell)])));
}

/** What the page says in lists of names and values. */
export function factsOf({ text }: Page): Record<string, string> {
  const { children } = parseDocument(text);
  const lists = DomUtils.getElementsByClassName("facts", children);
  return Object.fromEntries(
    lists.flatMap((list) => {
      const values = DomUtils.getElementsByTagName("dd", list).map(textOf);
      return DomUtils.getElementsByTagName("dt", list).map((name, index) => [textOf(name), values[index] ?? ""]);
    }),
  );
}

/** Every page of a list from one on, by the links to the next; `between` runs before each further page. */
export async function allPages(
  get: (path: string) => Promise<VisitedPage>,
  from: string,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Record<string, string>[][]> {
  const pages: Record<string, string>[][] = [];
  let path: string | undefined = from;
  while (path !== undefined) {
    const page: VisitedPage = await get(path);
    if (page.status !== 200) throw new Error(page.text);
    pages.push(rowsOf(page));
    path = page.links.get("Next page");
    await between();
  }
  return pages;
}
