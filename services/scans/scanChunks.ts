import { insertScanChunks, readScanChunk, type ScanChunk, storeScanChunk } from "../../database/scans.ts";
import type { AudioSpan } from "../../domain/media.ts";
import type { ScanRun } from "../../domain/scan.ts";
import type { Recognition } from "../../domain/speech.ts";
import type { ServiceContext } from "../context.ts";

/** Fixes how the recording is split for a scan, once, up to the length that a scan listens to. Returns the number of chunks. */
export async function planScanChunks(
  context: ServiceContext,
  scan: ScanRun,
  spans: readonly AudioSpan[],
): Promise<number> {
  const { maxSpeechSeconds } = context.settings.scan;
  const heard = spans.filter(({ startSeconds }) => startSeconds < maxSpeechSeconds);
  return context.pool.transaction((transaction) => insertScanChunks(transaction, scan, heard));
}

/** Has one chunk of a scan recognised and keeps what was heard; does nothing for one that is done or whose scan has ended. */
export async function recogniseScanChunk(
  context: ServiceContext,
  scan: ScanRun,
  index: number,
  recognise: (chunk: ScanChunk) => Promise<Recognition>,
): Promise<void> {
  const chunk = await readScanChunk(context.pool, scan, index);
  if (chunk === null) return;
  const { segments } = await recognise(chunk);
  const heard = segments.map(({ startSeconds, endSeconds, text, words }) => ({
    startSeconds,
    endSeconds,
    text,
    speaker: null,
    startsTurn: false,
    words:
      words.length === 0
        ? null
        : words.map((word) => ({ text: word.text, startSeconds: word.startSeconds, endSeconds: word.endSeconds })),
  }));
  await storeScanChunk(context.pool, scan, index, heard);
}
