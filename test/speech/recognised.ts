import { randomUUID } from "node:crypto";
import path from "node:path";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { splitAtSilences } from "../../adapters/audio/split.ts";
import { parseConfiguration } from "../../domain/configuration.ts";
import type { RecognisedSegment, SpeechEngine } from "../../domain/speech.ts";
import { alignWords, comparableWords } from "../../domain/wordErrorRate.ts";

const signal = new AbortController().signal;
const { settings } = parseConfiguration({}, { cores: 2, currentFolder: "/", readSettings: () => ({}) });

/** A media file taken through decoding, splitting and recognition, as the job does it. */
export async function recogniseFile(
  engine: SpeechEngine,
  mediaPath: string,
  workFolder: string,
): Promise<RecognisedSegment[]> {
  const audio = await createAudioDecoder().decode(mediaPath, path.join(workFolder, `${randomUUID()}.pcm`), {
    maxDurationSeconds: 3600,
    signal,
  });
  const spans = await splitAtSilences(audio, settings.transcription.chunkMaxSeconds, signal);
  const answers = await Promise.all(
    spans.map((span) => engine.recognise({ pcmPath: audio.pcmPath, span, language: "en" }, signal)),
  );
  return answers.flatMap(({ segments }) => segments);
}

export function textOf(segments: readonly RecognisedSegment[]): string {
  return segments.map((segment) => segment.text).join(" ");
}

interface Utterance {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

/**
 * By how many seconds the first and the last word of each utterance were placed wrongly, and how many of these edge words were
 * recognised at all. An edge word counts when the alignment of the whole text gives it exactly.
 */
export function edgeErrorsSeconds(utterances: readonly Utterance[], segments: readonly RecognisedSegment[]) {
  const heard = segments.flatMap((segment) =>
    segment.words.flatMap((word) => comparableWords(word.text).map((text) => ({ text, word }))),
  );
  const said = utterances.flatMap((utterance) => {
    const texts = comparableWords(utterance.text);
    return texts.map((text, index) => {
      return {
        text,
        startsSeconds: index === 0 ? utterance.startSeconds : null,
        endsSeconds: index === texts.length - 1 ? utterance.endSeconds : null,
      };
    });
  });
  const matches = alignWords(
    said.map(({ text }) => text),
    heard.map(({ text }) => text),
  );
  const errors: number[] = [];
  for (const [index, { text, startsSeconds, endsSeconds }] of said.entries()) {
    const found = heard[matches[index] ?? -1];
    if (found?.text !== text) continue;
    if (startsSeconds !== null) errors.push(Math.abs(found.word.startSeconds - startsSeconds));
    if (endsSeconds !== null) errors.push(Math.abs(found.word.endSeconds - endsSeconds));
  }
  return { errors, edges: utterances.length * 2 };
}
