import { ApiError } from "../../domain/errors.ts";

/** Decodes a query string. Refuses malformed percent-encoding, control characters, and a parameter given twice. */
export function readQuery(queryString: string): Record<string, string> {
  const parameters = new Map<string, string>();
  if (queryString !== "") {
    for (const pair of queryString.split("&")) {
      if (pair === "") continue;
      const split = pair.indexOf("=");
      const name = decode(split < 0 ? pair : pair.slice(0, split));
      const value = split < 0 ? "" : decode(pair.slice(split + 1));
      if (parameters.has(name))
        throw new ApiError(
          "invalid_query",
          `The query parameter \`${name.slice(0, 64)}\` is given more than once; give it once.`,
        );
      parameters.set(name, value);
    }
  }
  return Object.fromEntries(parameters);
}

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ApiError(
      "invalid_query",
      "The query string is not valid percent-encoded UTF-8; encode it with encodeURIComponent or the like.",
    );
  }
  if (controlCharacter.test(decoded))
    throw new ApiError("invalid_query", "The query string holds a control character; remove it.");
  return decoded;
}
