import { isCommon } from "./commonWords.ts";
import { splitWords } from "./words.ts";

export const legalForms = new Set([
  "inc",
  "incorporated",
  "llc",
  "ltd",
  "limited",
  "corp",
  "corporation",
  "co",
  "plc",
  "gmbh",
  "ag",
]);
export const topLevel = new Set(["com", "org", "net", "io", "co", "tv", "fm", "ai", "app", "edu", "gov"]);

export interface NameForm {
  words: readonly string[];
  /** The name has a comma within, so that a comma in a text does not part it. */
  hasComma: boolean;
}

/**
 * The sequences of words that a name is found by: without a legal form at its end ("Apple Inc." → apple), without "the" at its beginning unless a
 * single ordinary word is left ("The Beatles" → beatles, but not "The Who" → who), initials joined ("J.K. Rowling" → jk rowling).
 */
export function nameForms(name: string): NameForm[] {
  const words = splitWords(name);
  const norms = joinInitials(words.map((word) => word.norm));
  const hasComma = words.some((word) => word.gap === "pause");
  if (norms.length === 0) return [];
  const forms = [norms];
  const last = norms.at(-1) ?? "";
  if (norms.length > 1 && legalForms.has(last)) forms.push(norms.slice(0, -1));
  // "Name.com" is also said "name com" and "name dot com".
  if (norms.length === 2 && topLevel.has(last) && words.at(-1)?.before === ".")
    forms.push([norms[0] ?? "", "dot", last]);
  for (const form of forms.slice()) {
    const rest = form.slice(1);
    if (form[0] === "the" && rest.length > 0 && (rest.length > 1 || !isCommon(rest[0] ?? ""))) forms.push(rest);
  }
  return forms.map((form, index) => ({ words: form, hasComma: hasComma && index === 0 }));
}

/** "j k rowling" → "jk rowling"; a letter alone stays ("vitamin c"). */
function joinInitials(norms: readonly string[]): string[] {
  const joined: string[] = [];
  let run = "";
  for (const norm of [...norms, ""]) {
    if (/^\p{L}$/u.test(norm)) {
      run += norm;
      continue;
    }
    if (run !== "") joined.push(run);
    run = "";
    if (norm !== "") joined.push(norm);
  }
  return joined;
}
