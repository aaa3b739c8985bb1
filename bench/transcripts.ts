import { benchReading, type ReadingBenchOptions } from "./transcripts/reading.ts";

export type TranscriptBenchOptions = ReadingBenchOptions;

/** What `bench transcripts` measures, one after another. */
export async function benchTranscripts(options: TranscriptBenchOptions): Promise<void> {
  await benchReading(options);
}
