import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";
import { readTranscript } from "./read.ts";

/** What reading a transcript would cost, and whether there would be a text to read (count 1) or not (0); charges nothing. */
export async function quoteTranscript(
  context: ServiceContext,
  caller: MeteredCaller,
  videoId: string,
  { unlock }: { unlock: boolean },
): Promise<RowQuote> {
  const { access, quote } = await readTranscript(context, caller, videoId, { unlock: false, words: false });
  const buys = unlock && access === "locked";
  return rowQuote(caller, { rows: buys ? (quote?.rows ?? 0) : 0, count: buys || access === "unlocked" ? 1 : 0 });
}
