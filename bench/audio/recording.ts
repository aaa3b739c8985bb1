import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { bytesPerSample, sampleRate } from "../../adapters/audio/pcm.ts";
import { waveHeader } from "../../adapters/speech/wave.ts";
import { loadDemoClip, loadHeldSet, type Clip } from "./clips.ts";

const utteranceSchema = z.object({ text: z.string(), startSeconds: z.number(), endSeconds: z.number() });
const recordingSchema = z.object({
  path: z.string(),
  durationSeconds: z.number(),
  utterances: z.array(utteranceSchema),
});

/** A WAV file put together from real clips; `utterances` tells when each text is heard. */
export type Recording = z.infer<typeof recordingSchema>;

/**
 * A recording of at least `seconds` (by at most one clip) from the demo clip and the held set, shuffled anew each round with pauses
 * of 0.3 to 1.5 s: the same samples each time for the same length. Kept in `cacheFolder`.
 */
export async function makeRecording(seconds: number, cacheFolder: string): Promise<Recording> {
  const file = path.join(path.resolve(cacheFolder), `recording-${seconds}s.wav`);
  const description = `${file}.json`;
  if (existsSync(file) && existsSync(description))
    return recordingSchema.parse(JSON.parse(await readFile(description, "utf8")));
  await mkdir(cacheFolder, { recursive: true });
  const clips = [...(await loadHeldSet()), await loadDemoClip()];
  const recording = await writeRecording(file, shuffledForever(clips), seededRandom(seconds), seconds);
  await writeFile(description, JSON.stringify(recording));
  return recording;
}

/** Writes the clips one after the other until there are `seconds` of them, with pauses drawn from `random` (0 to 1). */
export async function writeRecording(
  file: string,
  clips: Iterable<Clip>,
  random: () => number,
  seconds = Number.POSITIVE_INFINITY,
): Promise<Recording> {
  const utterances: Recording["utterances"] = [];
  const partial = `${file}.part`;
  const output = await open(partial, "w");
  let sizeSamples = 0;
  const write = async (samples: Int16Array): Promise<void> => {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    await output.write(bytes, 0, bytes.length, headerBytes + sizeSamples * bytesPerSample);
    sizeSamples += samples.length;
  };
  try {
    await write(pause(0.5, random));
    for (const clip of clips) {
      const at = sizeSamples / sampleRate;
      if (at >= seconds) break;
      utterances.push({
        text: clip.text,
        startSeconds: at + clip.soundFromSeconds,
        endSeconds: at + clip.soundToSeconds,
      });
      await write(clip.samples);
      await write(pause(0.3 + 1.2 * random(), random));
    }
    await output.write(waveHeader(sizeSamples * bytesPerSample), 0, headerBytes, 0);
  } finally {
    await output.close();
  }
  await rename(partial, file);
  return { path: file, durationSeconds: sizeSamples / sampleRate, utterances };
}

const headerBytes = 44;

/** The hush of a quiet room, not digital silence, which real recordings do not have between words. */
function pause(seconds: number, random: () => number): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, () => Math.round(8 * (random() - 0.5)));
}

function* shuffledForever(clips: readonly Clip[]): Generator<Clip> {
  const random = seededRandom(1);
  for (;;) yield* shuffled(clips, random);
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
