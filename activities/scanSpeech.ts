import { scanAudioId, type ScanRun } from "../domain/scan.ts";
import { recogniseScanChunk } from "../services/scans/scanChunks.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";
import type { SpeechParts } from "./speech.ts";

export type ScanSpeechActivities = ReturnType<typeof createScanSpeechActivities>;

/** The step of a scan that needs a speech engine: one chunk, listened to and stored. */
export function createScanSpeechActivities({ context, engine, audio }: SpeechParts) {
  return {
    recogniseScanChunk: (scan: ScanRun, index: number): Promise<void> =>
      withTypedFailures(() =>
        withHeartbeats((signal) =>
          recogniseScanChunk(context, scan, index, async ({ span, language }) => {
            const { pcmPath } = await audio.obtain({ jobId: scanAudioId(scan.videoId), videoId: scan.videoId }, signal);
            return engine.recognise({ pcmPath, span, language }, signal);
          }),
        ),
      ),
  };
}
