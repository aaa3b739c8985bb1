import { ApiError } from "./errors.ts";
import { printable } from "./printable.ts";

const maxDepth = 64;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
/** Backslash escapes of NUL and, in re-serialised JSON, of surrogates without their other half: neither can be stored as text. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/;
const escapedSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Parses JSON, which refusals call `name`. Throws `invalid_body` for what is not JSON in UTF-8, is nested too deep, or holds text that no
 * field can keep.
 */
export function readJson(body: Buffer, name = "The body"): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ApiError("invalid_body", `${name} is not valid UTF-8.`);
  }
  if (exceedsDepth(text)) throw new ApiError("invalid_body", `${name} is nested deeper than ${maxDepth} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError("invalid_body", `${name} is not valid JSON.`);
  }
  const repeated = repeatedName(text);
  if (repeated !== null)
    throw new ApiError(
      "invalid_body",
      `${name} has the field \`${printable(repeated)}\` more than once; give it once.`,
    );
  if (escapedNul.test(text))
    throw new ApiError("invalid_body", `${name} holds a NUL character (\\u0000), which no field takes.`);
  if (/\\ud/i.test(text) && escapedSurrogate.test(JSON.stringify(value))) {
    throw new ApiError("invalid_body", `${name} holds half of a surrogate pair, which is not valid Unicode.`);
  }
  return value;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/** The first name that an object of the well-formed JSON text has twice: JSON.parse would keep the last and drop the rest unseen. */
function repeatedName(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [found, colon] of text.matchAll(token)) {
    if (found === "{" || found === "[") open.push(new Set());
    else if (found === "}" || found === "]") open.pop();
    else if (colon !== undefined) {
      const name: unknown = JSON.parse(found.slice(0, -colon.length));
      const names = open.at(-1);
      if (typeof name !== "string" || names === undefined) continue;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return null;
}

/** Counts brackets outside strings, so that no later walk over the value can run out of stack. */
function exceedsDepth(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) index += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}
