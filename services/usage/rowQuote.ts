import { poolRowsLeft } from "../../domain/rowPool.ts";
import type { MeteredCaller } from "../context.ts";

/** What a metered read would cost and return in number, and what is left of the pool. */
export interface RowQuote {
  rows: number;
  count: number;
  rowsRemaining: number;
}

export function rowQuote(caller: MeteredCaller, price: { rows: number; count: number }): RowQuote {
  return { ...price, rowsRemaining: poolRowsLeft(caller.allowance, caller.use) };
}
