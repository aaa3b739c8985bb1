import { type SqlFragment, sql } from "./pool.ts";

/** Behind every character that a text can go on with. */
const lastCharacter = "\u{10FFFF}";

/** Whether a lower-case column that sorts by code point begins so, in any case: a range of its index. */
export function startsWith(column: SqlFragment, prefix: string): SqlFragment {
  return sql.fragment`(${column} >= lower(${prefix}) collate "C" and ${column} < lower(${prefix}) || ${lastCharacter} collate "C")`;
}
