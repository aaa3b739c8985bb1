import { open } from "node:fs/promises";
import type { AudioSpan } from "../../domain/media.ts";
import { bytesPerSample, sampleRate } from "../audio/pcm.ts";

/** One span of a PCM file as a WAV file. Only the span is read. */
export async function waveOf(pcmPath: string, span: AudioSpan): Promise<Blob> {
  const from = Math.round(span.startSeconds * sampleRate) * bytesPerSample;
  const samples = new Uint8Array(Math.max(0, Math.round(span.endSeconds * sampleRate) * bytesPerSample - from));
  const file = await open(pcmPath, "r");
  try {
    const { bytesRead } = await file.read(samples, 0, samples.length, from);
    return new Blob([waveHeader(bytesRead), samples.subarray(0, bytesRead)], { type: "audio/wav" });
  } finally {
    await file.close();
  }
}

/** The 44 bytes before the samples of a WAV file (RIFF, PCM format 1). */
export function waveHeader(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, value: string): void => new Uint8Array(header.buffer).set(Buffer.from(value, "latin1"), at);
  text(0, "RIFF");
  header.setUint32(4, 36 + sizeBytes, true);
  text(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * bytesPerSample, true);
  header.setUint16(32, bytesPerSample, true);
  header.setUint16(34, bytesPerSample * 8, true);
  text(36, "data");
  header.setUint32(40, sizeBytes, true);
  return new Uint8Array(header.buffer);
}
