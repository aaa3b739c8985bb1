import { ApiError } from "../../domain/errors.ts";

/** Code and message of the refusal that work ends with; null where it succeeds. Other failures are thrown. */
export async function codeAndMessage(work: Promise<unknown>): Promise<[string, string] | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.message];
    throw error;
  }
}
