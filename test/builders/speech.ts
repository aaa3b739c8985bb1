import type { RecognisedSegment, RecognisedWord } from "../../domain/speech.ts";
import type { Recognised } from "./finishedTranscript.ts";
import { seededRandom } from "./seededRandom.ts";

const secondsOfSegment = 3.5;
const wordsOfSegment = 9;
const vocabulary = [
  "and so we talked about what it means to build things that last when everybody around you wants them now",
  "because I think the first thing that people get wrong is how long anything takes really even a small thing",
  "there was this morning in the workshop where nothing worked and we laughed about it for an hour or more",
].flatMap((text) => text.split(" "));

/** As much talk as that, a segment every few seconds with its words; every `nameEvery`th segment ends with one of the names in turn. */
export function talk(
  durationSeconds: number,
  { names = [], nameEvery = 5 }: { names?: readonly string[]; nameEvery?: number } = {},
): Recognised {
  const random = seededRandom(durationSeconds);
  const pick = () => vocabulary[Math.floor(random() * vocabulary.length)] ?? "";
  const segments = Array.from({ length: Math.floor(durationSeconds / secondsOfSegment) }, (_, index) => {
    const name = index % nameEvery === 0 ? names[(index / nameEvery) % names.length] : undefined;
    const spoken = Array.from({ length: wordsOfSegment }, pick);
    return segmentOf([...spoken, ...(name?.split(" ") ?? [])], index * secondsOfSegment);
  });
  return { durationSeconds, segments };
}

function segmentOf(spoken: readonly string[], startSeconds: number): RecognisedSegment {
  const secondsOfWord = (secondsOfSegment - 0.1) / spoken.length;
  const at = (index: number) => Math.round((startSeconds + index * secondsOfWord) * 100) / 100;
  const words = spoken.map((text, index): RecognisedWord => ({
    text,
    startSeconds: at(index),
    endSeconds: at(index + 1),
    confidence: 0.9,
  }));
  return {
    text: spoken.join(" "),
    startSeconds: at(0),
    endSeconds: at(spoken.length),
    confidence: 0.92,
    words,
  };
}
