import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { splitAtSilences } from "../../adapters/audio/split.ts";
import type { DecodedAudio } from "../../domain/media.ts";
import type { SpeechEngine } from "../../domain/speech.ts";

export interface BareRun {
  wallSeconds: number;
  decodeSeconds: number;
  splitSeconds: number;
  spans: number;
  text: string;
}

const unlimited = { maxDurationSeconds: 360_000, signal: new AbortController().signal };

/**
 * The floor of a transcription: decode, split, and the same engine fed directly with the same spans, with no workflow and no
 * database. The engine must be `ready()`, so that loading its model is not part of the figure.
 */
export async function bareEngine(
  audioPath: string,
  engine: SpeechEngine,
  targetSeconds: number,
  workFolder: string,
): Promise<BareRun> {
  return withDecoded(audioPath, workFolder, async (audio, decodeSeconds) => {
    const { signal } = unlimited;
    const splitFrom = performance.now();
    const spans = await splitAtSilences(audio, targetSeconds, signal);
    const engineFrom = performance.now();
    const answers = await Promise.all(
      spans.map((span) => engine.recognise({ pcmPath: audio.pcmPath, span, language: "en" }, signal)),
    );
    const engineSeconds = secondsSince(engineFrom);
    const splitSeconds = (engineFrom - splitFrom) / 1000;
    const text = answers.flatMap(({ segments }) => segments.map((segment) => segment.text)).join(" ");
    return {
      wallSeconds: decodeSeconds + splitSeconds + engineSeconds,
      decodeSeconds,
      splitSeconds,
      spans: spans.length,
      text,
    };
  });
}

const reportSchema = z.object({ seconds: z.number(), peakMemoryBytes: z.number(), text: z.string() });

export interface UnchunkedRun {
  wallSeconds: number;
  peakMemoryBytes: number;
  text: string;
}

/**
 * What chunking costs or saves: faster-whisper with the engine's own settings on equal parts of the file, one call for each of
 * `processes` processes. Model loading is not counted. Memory grows with the file: for short ones.
 */
export async function unchunkedEngine(
  audioPath: string,
  processes: number,
  pythonPath: string,
  workFolder: string,
): Promise<UnchunkedRun> {
  return withDecoded(audioPath, workFolder, async (audio, decodeSeconds) => {
    const partSeconds = audio.durationSeconds / processes;
    const runs = await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const range = [index * partSeconds, (index + 1) * partSeconds].map(String);
        const script = path.join(import.meta.dirname, "unchunked.py");
        const { stdout } = await promisify(execFile)(pythonPath, [script, audio.pcmPath, ...range], {
          maxBuffer: 64 * 1024 * 1024,
        });
        return reportSchema.parse(JSON.parse(stdout));
      }),
    );
    return {
      wallSeconds: decodeSeconds + Math.max(...runs.map((run) => run.seconds)),
      peakMemoryBytes: Math.max(...runs.map((run) => run.peakMemoryBytes)),
      text: runs.map((run) => run.text).join(" "),
    };
  });
}

async function withDecoded<Result>(
  audioPath: string,
  workFolder: string,
  use: (audio: DecodedAudio, decodeSeconds: number) => Promise<Result>,
): Promise<Result> {
  await mkdir(workFolder, { recursive: true });
  const pcmPath = path.join(path.resolve(workFolder), `${randomUUID()}.pcm`);
  try {
    const from = performance.now();
    const audio = await createAudioDecoder().decode(audioPath, pcmPath, unlimited);
    return await use(audio, secondsSince(from));
  } finally {
    await rm(pcmPath, { force: true });
  }
}

function secondsSince(from: number): number {
  return (performance.now() - from) / 1000;
}
