import { chunkTargetSeconds } from "../domain/chunkLength.ts";
import { MediaFailure } from "../domain/failureReasons.ts";
import { scanAudioId, type ScanRun } from "../domain/scan.ts";
import { type RecordedPoll, recordPoll } from "../services/channels/recordPoll.ts";
import { readKnown, recordCaptions, recordScannedVideo } from "../services/scans/recordSource.ts";
import { planScanChunks } from "../services/scans/scanChunks.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";
import type { MediaParts } from "./media.ts";

const soundOf = ({ videoId }: ScanRun) => ({ jobId: scanAudioId(videoId), videoId });

export type ScanMediaActivities = ReturnType<typeof createScanMediaActivities>;

/** The steps of a scan, and of a poll of a channel, that need the media source. */
export function createScanMediaActivities({ context, source, audio, engineProcesses }: MediaParts) {
  const { maxDurationSeconds, ...chunkLimits } = context.settings.transcription;

  const fetchCaptions = async ({ videoId }: ScanRun, signal: AbortSignal): Promise<boolean> => {
    const { language } = await readKnown(context, videoId);
    const captions = await source.captions(videoId, language, signal);
    if (captions === null || captions.segments.length === 0) return false;
    await recordCaptions(context, videoId, {
      language: captions.language,
      source: captions.kind,
      segments: captions.segments,
    });
    return true;
  };

  const fetchSound = async (scan: ScanRun, signal: AbortSignal, onProgress: (share: number) => void): Promise<void> => {
    const { durationSeconds } = await readKnown(context, scan.videoId);
    if (durationSeconds !== null && durationSeconds > maxDurationSeconds)
      throw new MediaFailure("too_long", `the limit is ${maxDurationSeconds} s`);
    await audio.obtain(soundOf(scan), signal, onProgress);
  };

  const splitSound = async (scan: ScanRun, signal: AbortSignal): Promise<number> => {
    const decoded = await audio.obtain(soundOf(scan), signal);
    const targetSeconds = chunkTargetSeconds(decoded.durationSeconds, engineProcesses, chunkLimits);
    const spans = await audio.split(decoded, targetSeconds, signal);
    if (spans.length === 0) throw new MediaFailure("no_speech", "the recording is silent");
    return planScanChunks(context, scan, spans);
  };

  const pollChannel = async (channelId: string, signal: AbortSignal): Promise<RecordedPoll | null> => {
    const videoIds = await source.channelVideos(channelId, context.settings.channels.videosPerPoll, signal);
    return recordPoll(context, channelId, videoIds);
  };

  return {
    describeScannedVideo: (scan: ScanRun): Promise<void> =>
      withTypedFailures(() =>
        withHeartbeats(async (signal) =>
          recordScannedVideo(context, await source.describe(scan.videoId, signal), source.name),
        ),
      ),
    /** Whether the video has captions, which are then kept. */
    fetchCaptions: (scan: ScanRun): Promise<boolean> =>
      withTypedFailures(() => withHeartbeats((signal) => fetchCaptions(scan, signal))),
    fetchScanSound: (scan: ScanRun): Promise<void> =>
      withTypedFailures(() => withHeartbeats((signal, onProgress) => fetchSound(scan, signal, onProgress))),
    splitScanSound: (scan: ScanRun): Promise<number> =>
      withTypedFailures(() => withHeartbeats((signal) => splitSound(scan, signal))),
    discardScanSound: (scan: ScanRun): Promise<void> => audio.discard(scanAudioId(scan.videoId)),
    /** Null: the channel is not followed any more. */
    pollChannel: (channelId: string): Promise<RecordedPoll | null> =>
      withTypedFailures(() => withHeartbeats((signal) => pollChannel(channelId, signal))),
  };
}
