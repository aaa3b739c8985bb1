/** Prices in rows. The defaults are those of decisions.md "Row costs"; an installation may change them in its settings. */
export interface Prices {
  entityReadRows: number;
  evidenceRowRows: number;
  commercialRowRows: number;
  alertOccurrenceRows: number;
  unlockBlockRows: number;
  generationBlockRows: number;
  blockSeconds: number;
}

/** How many blocks a video of this length is priced at: every started block counts, and there is at least one. */
export function startedBlocks(durationSeconds: number, prices: Prices): number {
  return Math.max(1, Math.ceil(durationSeconds / prices.blockSeconds));
}

/** Price, in rows, of generating the transcript of a video of `durationSeconds`; one block is held while the length is unknown (null). */
export function generationRows(durationSeconds: number | null, prices: Prices): number {
  const blocks = durationSeconds === null ? 1 : startedBlocks(durationSeconds, prices);
  return blocks * prices.generationBlockRows;
}

/** Price, in rows, of unlocking a finished transcript. */
export function unlockRows(durationSeconds: number, prices: Prices): number {
  return startedBlocks(durationSeconds, prices) * prices.unlockBlockRows;
}

/** The quote of decisions.md "Transcripts": what a purchase would cost and what is left to pay with. */
export interface Quote {
  rows: number;
  blocks: number;
  rowsPerBlock: number;
  durationSeconds: number | null;
  rowsRemaining: number;
}
