import { IntegrityConstraintViolationError, InvalidInputError } from "slonik";

/** Data exceptions, and what is too large for an index or a row (PostgreSQL, Appendix A, classes 22 and 54). */
const dataCode = /^(22|54)...$/;

/** Why Postgres refuses the data of a statement, in its own words; null where the failure is of another kind. */
export function refusedData(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("message" in error)) return null;
  const isData =
    error instanceof IntegrityConstraintViolationError ||
    error instanceof InvalidInputError ||
    ("code" in error && typeof error.code === "string" && dataCode.test(error.code));
  if (!isData) return null;
  const cause = "cause" in error && error.cause instanceof Error ? error.cause.message : String(error.message);
  return `the database refuses it: ${cause}`;
}
