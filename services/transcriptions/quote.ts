import { type Quote, startedBlocks } from "../../domain/prices.ts";
import type { ServiceContext } from "../context.ts";
import { remainingRows, type RowAccount } from "../usage/rowAccount.ts";

/** What generating the transcript would cost; one block while the length is unknown (null). */
export function generationQuote(context: ServiceContext, account: RowAccount, durationSeconds: number | null): Quote {
  return quote(context, account, durationSeconds, context.settings.prices.generationBlockRows);
}

/** What unlocking the finished transcript would cost. */
export function unlockQuote(context: ServiceContext, account: RowAccount, durationSeconds: number): Quote {
  return quote(context, account, durationSeconds, context.settings.prices.unlockBlockRows);
}

function quote(
  context: ServiceContext,
  account: RowAccount,
  durationSeconds: number | null,
  rowsPerBlock: number,
): Quote {
  const blocks = durationSeconds === null ? 1 : startedBlocks(durationSeconds, context.settings.prices);
  return { rows: blocks * rowsPerBlock, blocks, rowsPerBlock, durationSeconds, rowsRemaining: remainingRows(account) };
}
