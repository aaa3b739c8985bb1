import type { AudioStore } from "../domain/media.ts";
import type { SpeechEngine } from "../domain/speech.ts";
import type { ServiceContext } from "../services/context.ts";
import { recogniseChunk } from "../services/transcriptions/recogniseChunk.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";

export interface SpeechParts {
  context: ServiceContext;
  engine: SpeechEngine;
  audio: AudioStore;
}

export type SpeechActivities = ReturnType<typeof createSpeechActivities>;

/** The step that needs a speech engine: one chunk, recognised and stored. */
export function createSpeechActivities({ context, engine, audio }: SpeechParts) {
  return {
    recogniseChunk: (jobId: string, index: number): Promise<void> =>
      withTypedFailures(() =>
        withHeartbeats(async (signal) => {
          await recogniseChunk(context, { jobId, index, engine: engine.name }, async (chunk) => {
            const { pcmPath } = await audio.obtain({ jobId, videoId: chunk.videoId }, signal);
            return engine.recognise({ pcmPath, span: chunk.span, language: chunk.language }, signal);
          });
        }),
      ),
  };
}
