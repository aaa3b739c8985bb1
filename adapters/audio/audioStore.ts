import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { AudioStore, DecodedAudio, MediaSource } from "../../domain/media.ts";
import type { AudioDecoder } from "./ffmpeg.ts";
import { bytesPerSample, sampleRate } from "./pcm.ts";
import { splitAtSilences } from "./split.ts";

export interface AudioStoreParts {
  /** A folder a job. Speech workers on several hosts may share it; where they do not, each fetches for itself. */
  folder: string;
  source: MediaSource;
  decoder: AudioDecoder;
  maxDurationSeconds: number;
}

/** Keeps decoded audio as one file a job under `folder`. Two calls at once decode side by side, and either result serves. */
export function createAudioStore({ folder, source, decoder, maxDurationSeconds }: AudioStoreParts): AudioStore {
  const jobFolder = (jobId: string) => path.join(folder, jobId);
  const discard = (jobId: string) => rm(jobFolder(jobId), { recursive: true, force: true });
  return {
    async obtain({ jobId, videoId }, signal, onProgress) {
      const pcmPath = path.join(jobFolder(jobId), "audio.pcm");
      const ready = await readDecoded(pcmPath);
      if (ready !== null) return ready;
      await mkdir(jobFolder(jobId), { recursive: true });
      const mediaPath = await source.fetchAudio(videoId, jobFolder(jobId), signal, onProgress);
      return decoder.decode(mediaPath, pcmPath, { maxDurationSeconds, signal });
    },
    split: (audio, targetSeconds, signal) => splitAtSilences(audio, targetSeconds, signal),
    discard,
    async discardAllBut(jobIds) {
      const kept = await readdir(folder).catch(() => []);
      await Promise.all(kept.filter((jobId) => !jobIds.has(jobId)).map((jobId) => discard(jobId)));
    },
  };
}

/** A decoded file appears only when it is complete, so its size is its length. */
async function readDecoded(pcmPath: string): Promise<DecodedAudio | null> {
  const found = await stat(pcmPath).catch(() => null);
  return found === null ? null : { pcmPath, durationSeconds: Math.floor(found.size / bytesPerSample) / sampleRate };
}
