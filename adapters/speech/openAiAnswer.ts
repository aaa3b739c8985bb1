import { z } from "zod";
import type { AudioSpan } from "../../domain/media.ts";
import type { Recognition, RecognisedSegment, RecognisedWord } from "../../domain/speech.ts";
import { segmentsFromWords } from "../../domain/utterances.ts";

const wordSchema = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  probability: z.number().min(0).max(1).optional(),
});
const segmentSchema = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  words: z.array(wordSchema).nullish(),
});

/** `verbose_json` of the OpenAI API as its many servers give it: all but the text may be missing. */
export const openAiAnswerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segmentSchema).nullish(),
  words: z.array(wordSchema).nullish(),
});

type OpenAiAnswer = z.infer<typeof openAiAnswerSchema>;
type AnswerWord = z.infer<typeof wordSchema>;
type AnswerSegment = z.infer<typeof segmentSchema>;

/** Neither sure nor unsure: for servers that do not say. */
const unknownConfidence = 0.5;

/** The answer for one span in this product's terms: absolute times within the span, sentence-sized segments where words allow it. */
export function recognitionFromAnswer(
  answer: OpenAiAnswer,
  span: AudioSpan,
  askedLanguage: string | null,
): Omit<Recognition, "engineSeconds"> {
  const language = answer.language && /^[a-z]{2,3}$/.test(answer.language) ? answer.language : askedLanguage;
  const spoken = (answer.segments ?? []).filter((segment) => !wasInvented(segment) && segment.text.trim() !== "");
  if (answer.segments && answer.segments.length > 0)
    return { language, segments: fromSegments(spoken, answer.words ?? [], span) };
  if (answer.words && answer.words.length > 0)
    return {
      language,
      segments: segmentsFromWords(answer.words.map((word) => placed(word, ` ${word.word.trim()}`, null, span))),
    };
  const text = answer.text.trim();
  return { language, segments: text === "" ? [] : [{ text, ...span, confidence: unknownConfidence, words: [] }] };
}

function fromSegments(segments: AnswerSegment[], allWords: AnswerWord[], span: AudioSpan): RecognisedSegment[] {
  const punctuated: RecognisedWord[] = [];
  let complete = true;
  const asGiven = segments.map((segment) => {
    const given = segment.words?.length
      ? segment.words
      : allWords.filter((word) => isIn((word.start + word.end) / 2, segment));
    const texts = textsWithPunctuation(segment.text, given);
    if (texts === null) complete = false;
    const words = given.map((word, index) => placed(word, texts?.[index] ?? ` ${word.word.trim()}`, segment, span));
    punctuated.push(...words);
    return {
      text: segment.text.trim(),
      startSeconds: within(span.startSeconds + segment.start, span),
      endSeconds: within(span.startSeconds + segment.end, span),
      confidence: segmentConfidence(segment),
      words: words.map(trimmed),
    };
  });
  return complete ? segmentsFromWords(punctuated) : asGiven;
}

function trimmed(word: RecognisedWord): RecognisedWord {
  return { ...word, text: word.text.trim() };
}

/** Servers strip punctuation from words but not from segments. Null where the two do not tell the same words. */
function textsWithPunctuation(text: string, words: AnswerWord[]): string[] | null {
  const tokens = text.trim().split(/\s+/);
  if (words.length === 0 || tokens.length !== words.length) return null;
  return tokens.every((token, index) => letters(token) === letters(words[index]?.word ?? ""))
    ? tokens.map((token) => ` ${token}`)
    : null;
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function isIn(seconds: number, segment: AnswerSegment): boolean {
  return seconds >= segment.start && seconds < segment.end;
}

function placed(word: AnswerWord, text: string, segment: AnswerSegment | null, span: AudioSpan): RecognisedWord {
  const startSeconds = within(span.startSeconds + word.start, span);
  return {
    text,
    startSeconds,
    endSeconds: Math.max(startSeconds, within(span.startSeconds + word.end, span)),
    confidence: word.probability ?? (segment ? segmentConfidence(segment) : unknownConfidence),
  };
}

function within(seconds: number, span: AudioSpan): number {
  return Math.min(span.endSeconds, Math.max(span.startSeconds, seconds));
}

function segmentConfidence(segment: AnswerSegment): number {
  return typeof segment.avg_logprob === "number" ? Math.min(1, Math.exp(segment.avg_logprob)) : unknownConfidence;
}

/** Text that Whisper sets over noise; the same bounds as in engine.py. */
function wasInvented({ avg_logprob: logProbability, no_speech_prob: noSpeech }: AnswerSegment): boolean {
  if (typeof logProbability !== "number") return false;
  return logProbability < -1.5 || ((noSpeech ?? 0) > 0.6 && logProbability < -0.8);
}
