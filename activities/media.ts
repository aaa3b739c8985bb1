import { chunkTargetSeconds } from "../domain/chunkLength.ts";
import { MediaFailure } from "../domain/failureReasons.ts";
import type { AudioStore, MediaSource } from "../domain/media.ts";
import type { ServiceContext } from "../services/context.ts";
import {
  type PriceSettlement,
  recordDecodedLength,
  recordDescription,
} from "../services/transcriptions/settlePrice.ts";
import { planChunks } from "../services/transcriptions/planChunks.ts";
import { enterStage } from "../services/transcriptions/stage.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";

export interface MediaParts {
  context: ServiceContext;
  source: MediaSource;
  audio: AudioStore;
  /** How many chunks the engines beside it take at once. */
  engineProcesses: number;
}

export type MediaActivities = ReturnType<typeof createMediaActivities>;

/** The steps that need the recording: what it is, its sound, and where to split it. */
export function createMediaActivities({ context, source, audio, engineProcesses }: MediaParts) {
  const { maxDurationSeconds, ...chunkLimits } = context.settings.transcription;

  const describeVideo = async (jobId: string, signal: AbortSignal): Promise<PriceSettlement> => {
    const job = await enterStage(context, jobId, "describing");
    if (job === null) return "ended";
    const media = await source.describe(job.videoId, signal);
    if (media.durationSeconds !== null && media.durationSeconds > maxDurationSeconds) {
      throw new MediaFailure(
        "too_long",
        `the source says ${Math.round(media.durationSeconds)} s, the limit is ${maxDurationSeconds} s`,
      );
    }
    return recordDescription(context, jobId, media, source.name);
  };

  const fetchAudio = async (
    jobId: string,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<PriceSettlement> => {
    const job = await enterStage(context, jobId, "fetching");
    if (job === null) return "ended";
    const { durationSeconds } = await audio.obtain(job, signal, onProgress);
    return recordDecodedLength(context, jobId, durationSeconds);
  };

  const splitAudio = async (jobId: string, signal: AbortSignal): Promise<number> => {
    const job = await enterStage(context, jobId, "splitting");
    if (job === null) return 0;
    const decoded = await audio.obtain(job, signal);
    const targetSeconds = chunkTargetSeconds(decoded.durationSeconds, engineProcesses, chunkLimits);
    const spans = await audio.split(decoded, targetSeconds, signal);
    if (spans.length === 0) throw new MediaFailure("no_speech", "the recording is silent");
    const chunkCount = await planChunks(context, jobId, spans);
    await enterStage(context, jobId, "recognising");
    return chunkCount;
  };

  return {
    describeVideo: (jobId: string) => withTypedFailures(() => withHeartbeats((signal) => describeVideo(jobId, signal))),
    fetchAudio: (jobId: string) =>
      withTypedFailures(() => withHeartbeats((signal, onProgress) => fetchAudio(jobId, signal, onProgress))),
    splitAudio: (jobId: string) => withTypedFailures(() => withHeartbeats((signal) => splitAudio(jobId, signal))),
    discardAudio: (jobId: string): Promise<void> => audio.discard(jobId),
  };
}
