/** What a job has done to its account's rows; all are zero or more. */
export interface JobRows {
  /** Taken before the work, what was added once the length was known included. */
  held: number;
  refunded: number;
  /** What is left of it: the price once the job is completed, what it holds while it runs, nothing after a refund in full. */
  charged: number;
}

/** Sums the ledger entries of a job (decisions.md "Row pool": holds count as used, a capture settles them, a refund gives them back). */
export function jobRows(entries: readonly { rows: number }[]): JobRows {
  const held = entries.reduce((sum, { rows }) => sum + Math.max(0, rows), 0);
  const refunded = entries.reduce((sum, { rows }) => sum + Math.max(0, -rows), 0);
  return { held, refunded, charged: held - refunded };
}
