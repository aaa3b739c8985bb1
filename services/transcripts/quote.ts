import { readTranscriptHead } from "../../database/transcripts.ts";
import { unlockRows } from "../../domain/prices.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

/** What reading a transcript would cost, and whether there would be a text to read (count 1) or not (0); charges nothing and reads no text. */
export async function quoteTranscript(
  context: ServiceContext,
  caller: MeteredCaller,
  videoId: string,
  { unlock }: { unlock: boolean },
): Promise<RowQuote> {
  const head = await readTranscriptHead(context.pool, videoId, caller.accountId);
  if (head !== null && head.unlockedAt !== null) return rowQuote(caller, { rows: 0, count: 1 });
  if (head === null || !unlock) return rowQuote(caller, { rows: 0, count: 0 });
  return rowQuote(caller, { rows: unlockRows(head.durationSeconds, context.settings.prices), count: 1 });
}
