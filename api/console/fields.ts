import { z } from "zod";
import { ApiError } from "../../domain/errors.ts";
import { printable } from "../../domain/printable.ts";

/**
 * Reads the fields of a query or a form. What was left empty is left out; a name that comes several times is a list (`several` takes both).
 * Throws `invalid_query` with the names of the fields that do not fit.
 */
export function readFields<S extends z.ZodObject>(schema: S, given: URLSearchParams): z.output<S> {
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(given.keys())) {
    if (name === "csrf") continue;
    const values = given.getAll(name).filter((value) => value.trim() !== "");
    if (values.some((value) => value.includes("\0")))
      throw new ApiError("invalid_query", `The field “${printable(name)}” holds a NUL character; remove it.`);
    const [first] = values;
    if (first !== undefined) fields[name] = values.length === 1 ? first : values;
  }
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_query", parsed.error.issues.map(sentence).join(" "));
}

/** A field that may come several times, such as checkboxes of one name. */
export function several<T>(one: z.ZodType<T, string>): z.ZodType<T[]> {
  return z.union([z.array(z.string()), z.string().transform((value) => [value])]).pipe(z.array(one));
}

/** A number in a path; null for what is none, which is then no page. */
export function readNumber(text: string | undefined): number | null {
  return text !== undefined && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null;
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys")
    return `The field “${issue.keys.map(printable).join("”, “")}” is not known here.`;
  const message = issue.message.replace(/^Invalid input: /, "").replace(/\.$/, "");
  return `The field “${printable(issue.path.map(String).join("."))}” is not valid: ${message}.`;
}
