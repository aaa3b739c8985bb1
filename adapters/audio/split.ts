import { open, type FileHandle } from "node:fs/promises";
import type { AudioSpan, DecodedAudio } from "../../domain/media.ts";
import { spansBetweenSilences, type LoudnessCurve } from "../../domain/silences.ts";
import { bytesPerSample, sampleRate } from "./pcm.ts";

const samplesPerFrame = sampleRate / 50;
const framesPerRead = 4096;

/**
 * Cuts decoded audio into spans for recognition (rule: `spansBetweenSilences`). Reads the file in pieces, so memory does not grow
 * with it but for four bytes for each 20 ms. An empty answer means that the recording is silent from end to end.
 */
export async function splitAtSilences(
  audio: DecodedAudio,
  targetSeconds: number,
  signal: AbortSignal,
): Promise<AudioSpan[]> {
  const spans = spansBetweenSilences(await measureLoudness(audio.pcmPath, signal), targetSeconds);
  // The last frame is a whole one in the curve, but the file may end within it.
  return spans.map(({ startSeconds, endSeconds }) => {
    return { startSeconds, endSeconds: Math.min(endSeconds, audio.durationSeconds) };
  });
}

/** Loudness of a PCM file, or of one span of it, in frames of 20 ms. Throws the signal's reason when it aborts. */
export async function measureLoudness(pcmPath: string, signal: AbortSignal, span?: AudioSpan): Promise<LoudnessCurve> {
  const file = await open(pcmPath, "r");
  try {
    return await loudnessOf(file, signal, span);
  } finally {
    await file.close();
  }
}

async function loudnessOf(file: FileHandle, signal: AbortSignal, span?: AudioSpan): Promise<LoudnessCurve> {
  const { size } = await file.stat();
  const sizeSamples = Math.floor(size / bytesPerSample);
  const first = Math.min(sizeSamples, Math.round((span?.startSeconds ?? 0) * sampleRate));
  const last = Math.min(sizeSamples, span ? Math.round(span.endSeconds * sampleRate) : sizeSamples);
  const levels = new Float32Array(Math.ceil((last - first) / samplesPerFrame));
  const samples = new Int16Array(samplesPerFrame * Math.min(framesPerRead, Math.max(1, levels.length)));
  let frame = 0;
  for (let from = first; from < last; from += samples.length) {
    signal.throwIfAborted();
    const count = Math.min(samples.length, last - from);
    await readFully(file, new Uint8Array(samples.buffer, 0, count * bytesPerSample), from * bytesPerSample);
    for (let at = 0; at < count; at += samplesPerFrame) {
      levels[frame] = level(samples, at, Math.min(at + samplesPerFrame, count));
      frame += 1;
    }
  }
  return { levels, frameSeconds: samplesPerFrame / sampleRate };
}

async function readFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("the audio file became shorter while it was read");
    done += bytesRead;
  }
}

function level(samples: Int16Array, from: number, to: number): number {
  let sum = 0;
  let squares = 0;
  for (let index = from; index < to; index += 1) {
    const sample = samples[index] ?? 0;
    sum += sample;
    squares += sample * sample;
  }
  const mean = sum / (to - from);
  const variance = squares / (to - from) - mean * mean;
  return 10 * Math.log10(Math.max(variance, 1e-3) / (32_768 * 32_768));
}
