import { benchCorrections, type CorrectionBenchOptions } from "./transcripts/corrections.ts";
import { benchReading, type ReadingBenchOptions } from "./transcripts/reading.ts";

export type TranscriptBenchOptions = ReadingBenchOptions &
  CorrectionBenchOptions & { part: "reading" | "corrections" | "all" };

/** What `bench transcripts` measures, one after another. */
export async function benchTranscripts({ part, ...options }: TranscriptBenchOptions): Promise<void> {
  if (part !== "corrections") await benchReading(options);
  if (part !== "reading") await benchCorrections(options);
}
