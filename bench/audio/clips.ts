import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { sampleRate } from "../../adapters/audio/pcm.ts";
import { measureLoudness } from "../../adapters/audio/split.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";

/** Real speech with its text. The sound of the voice lies between the two times, counted from the first sample. */
export interface Clip {
  name: string;
  text: string;
  samples: Int16Array;
  soundFromSeconds: number;
  soundToSeconds: number;
}

const heldSetFolder = path.resolve(import.meta.dirname, "../../test/fixtures/speech");
const referencesSchema = z.array(
  z.object({ name: z.string(), file: z.string(), sha256: z.string(), text: z.string() }),
);

/** Louder than the room of any of these recordings, softer than the onset of any of their words. */
const audibleLevel = -42;

type Reference = z.infer<typeof referencesSchema>[number];

/** What references.json says, with absolute paths. */
export async function heldSetReferences(): Promise<Reference[]> {
  const text = await readFile(path.join(heldSetFolder, "references.json"), "utf8");
  return referencesSchema.parse(JSON.parse(text)).map(({ name, file, sha256, text }) => {
    return { name, file: path.join(heldSetFolder, file), sha256, text };
  });
}

/** The prompts of the held test set in their order (test/fixtures/speech/NOTICE.md). */
export async function loadHeldSet(): Promise<Clip[]> {
  return decodeAll(await heldSetReferences());
}

export async function loadDemoClip(): Promise<Clip> {
  const [clip] = await decodeAll([{ name: "demo", file: demoClip.file, text: demoClip.text }]);
  if (!clip) throw new Error("the demo clip is missing");
  return clip;
}

async function decodeAll(sources: { name: string; file: string; text: string }[]): Promise<Clip[]> {
  const decoder = createAudioDecoder();
  const signal = new AbortController().signal;
  const folder = await mkdtemp(path.join(tmpdir(), "media-index-clips-"));
  try {
    const clips: Clip[] = [];
    for (const { name, file, text } of sources) {
      const pcmPath = path.join(folder, randomUUID());
      await decoder.decode(file, pcmPath, { maxDurationSeconds: 600, signal });
      const { levels, frameSeconds } = await measureLoudness(pcmPath, signal);
      const bytes = await readFile(pcmPath);
      const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / Int16Array.BYTES_PER_ELEMENT);
      const first = levels.findIndex((level) => level > audibleLevel);
      const last = levels.findLastIndex((level) => level > audibleLevel) + 1;
      const soundToSeconds = Math.min(last * frameSeconds, samples.length / sampleRate);
      clips.push({ name, text, samples, soundFromSeconds: first * frameSeconds, soundToSeconds });
    }
    return clips;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
