import { refusedData } from "../../database/imports/refusedData.ts";

/** Why a step cannot be taken, for the reviewer who asked for it. Whatever it had changed is taken back. */
export class ReviewRefusal extends Error {
  override readonly name = "ReviewRefusal";
}

/** The refusal that a failure of a step is: one of ours, or what the database says of data that it cannot keep. Null: another failure. */
export function refusalOf(error: unknown): ReviewRefusal | null {
  if (error instanceof ReviewRefusal) return error;
  const reason = refusedData(error);
  return reason === null ? null : new ReviewRefusal(`It says what cannot be kept: ${reason}.`);
}
