import { z } from "zod";

/** A row of a file, or why its line is refused. */
export type Read<Row> = { row: Row } | { reason: string };

const longestReason = 300;

/** A line of JSON as the row that `schema` describes; the reason otherwise, naming the field and what it has to be. */
export function readRow<Row>(schema: z.ZodType<Row>, line: string): Read<Row> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: "is not valid JSON: write one JSON object on each line" };
  }
  // Only escapes can hold what no database column can.
  if (unstorableEscape.test(line) && !isStorable(value))
    return { reason: "holds a NUL character or half of a surrogate pair: remove it" };
  return checkRow(schema, value);
}

/** The same for a value that is there already. */
export function checkRow<Row>(schema: z.ZodType<Row>, value: unknown): Read<Row> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { row: parsed.data };
  const [first] = parsed.error.issues;
  return { reason: first === undefined ? "is not valid" : reasonOf(first, value, schema) };
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): string {
  const field = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const unknown = issue.keys.map((key) => (field === "" ? key : `${field}.${key}`)).join(", ");
    return printable(`${unknown}: unknown field; remove it${field === "" ? knownFields(schema) : ""}`);
  }
  if (field === "") return "is not a JSON object: write one JSON object on each line";
  if (isMissing(value, issue.path)) return printable(`${field}: is required`);
  return printable(`${field}: ${issue.message.replace(/^Invalid input: /, "")}`);
}

function knownFields(schema: z.ZodType): string {
  const shape = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return shape.length === 0 ? "" : ` (known: ${shape.join(", ")})`;
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at: unknown = value;
  for (const key of path) at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  return at === undefined;
}

const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether Postgres can keep every text in it. Without recursion: a line may nest as deep as it is long. */
function isStorable(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each === "string" && !(each.isWellFormed() && !each.includes("\0"))) return false;
    if (typeof each === "object" && each !== null)
      for (const [name, child] of Object.entries(each)) waiting.push(name, child);
  }
  return true;
}

/** What came from a file, in a line of a terminal or a log. */
function printable(reason: string): string {
  const plain = reason.replaceAll(/[\p{Cc}\p{Cs}]/gu, "?");
  return plain.length > longestReason ? `${plain.slice(0, longestReason)}…` : plain;
}
