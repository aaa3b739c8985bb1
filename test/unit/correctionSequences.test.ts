import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Segment } from "../../domain/corrections/types.ts";
import { correctionOf, type Intent, intentsOver } from "../builders/corrections.ts";
import { reasonOf, spokenTranscript, TranscriptModel } from "../builders/transcriptModel.ts";

const texts = ["ada built the first engines", "of the first kind", "naïve engines built it's", "the first", "of ada"];

function expectWellFormed(
  segments: readonly Segment[],
  speakers: readonly { id: string }[],
  durationSeconds: number,
): void {
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length);
  const known = new Set(speakers.map(({ id }) => id));
  let reached = 0;
  let position = "";
  for (const segment of segments) {
    expect(segment.position > position).toBe(true);
    expect(segment.startSeconds).toBeGreaterThanOrEqual(reached);
    expect(segment.endSeconds).toBeGreaterThanOrEqual(segment.startSeconds);
    expect(segment.endSeconds).toBeLessThanOrEqual(durationSeconds);
    expect(segment.speakerId === null || known.has(segment.speakerId)).toBe(true);
    let at = 0;
    let spokenUntil = 0;
    for (const [word, start, end] of segment.words) {
      const found = segment.text.indexOf(word, at);
      expect(found).toBeGreaterThanOrEqual(at);
      at = found + word.length;
      expect(start).toBeGreaterThanOrEqual(spokenUntil);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(durationSeconds);
      spokenUntil = end;
    }
    for (const { charStart, charEnd } of segment.tags) {
      expect(charStart).toBeLessThan(charEnd);
      expect(charEnd).toBeLessThanOrEqual(segment.text.length);
    }
    [reached, position] = [segment.endSeconds, segment.position];
  }
}

describe("any sequence of corrections and withdrawals", () => {
  it("keeps times in order and in range, ids unique, and gives the original back when all are withdrawn", () => {
    fc.assert(
      fc.property(fc.array(intentsOver([1, 2, 3]), { maxLength: 40 }), (intents) => {
        const original = spokenTranscript(texts);
        const durationSeconds = original.at(-1)?.endSeconds ?? 0;
        const model = new TranscriptModel(original);
        for (const intent of intents) {
          const { segments, speakers, seq } = model;
          const reason = reasonOf(() => attempt(model, intent));
          const isAsItWas = model.segments === segments && model.speakers === speakers && model.seq === seq;
          expect(reason === null || isAsItWas).toBe(true);
          expectWellFormed(model.segments, model.speakers, durationSeconds);
        }
        for (const seq of model.standing) model.withdraw(seq);
        expect(model.segments).toEqual(original);
        expect(model.speakers).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function attempt(model: TranscriptModel, intent: Intent): void {
  if (intent.do === "withdraw") {
    const seq = model.standing[intent.nth];
    if (seq !== undefined) model.withdraw(seq);
    return;
  }
  const correction = correctionOf(intent, model);
  if (correction !== null) model.correct(correction);
}
