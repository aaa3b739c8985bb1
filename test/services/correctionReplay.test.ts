import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import type { Caller } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { correctionOf, type Intent, intentsOver } from "../builders/corrections.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { reasonOf, spokenTranscript, TranscriptModel } from "../builders/transcriptModel.ts";

const texts = ["ada built the first engines", "of the first kind", "naïve engines built it's", "the first"];

let context: TestContext;
let caller: Caller;
let persons: number[];
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context, { tier: "enterprise" });
  persons = [await createEntity(context), await createEntity(context)];
});
afterAll(() => context.close());

/** A transcript in the database, and the same one under the rules of the domain alone. */
class Pair {
  readonly model: TranscriptModel;
  readonly #videoId: string;
  readonly #ids = new Map<number, string>();

  constructor(videoId: string, model: TranscriptModel) {
    this.#videoId = videoId;
    this.model = model;
  }

  async correct(intent: Exclude<Intent, { do: "withdraw" }>): Promise<void> {
    const { model } = this;
    const correction = correctionOf(intent, model);
    if (correction === null) return;
    const asked =
      correction.kind === "add_person"
        ? { ...correction, person: { entityId: correction.person.entityId ?? 0 } }
        : correction;
    const order = { correction: asked, seq: model.seq, note: null, asked: "{}" };
    const expected = reasonOf(() => model.correct(correction));
    const done = await outcome(() =>
      context.pool.transaction((transaction) => correctTranscript(transaction, caller, this.#videoId, order)),
    );
    expect(done.reason).toBe(expected);
    if (done.result !== null) this.#ids.set(done.result.seq, done.result.id);
  }

  async withdraw(seq: number): Promise<void> {
    const expected = reasonOf(() => this.model.withdraw(seq));
    const id = this.#ids.get(seq) ?? "";
    const done = await outcome(() => context.pool.transaction((transaction) => undoCorrection(transaction, id, null)));
    expect(done.reason).toBe(expected);
  }

  /** The database holds what the rules give, and still what the engine gave. */
  async expectSame(): Promise<void> {
    const withoutPlaces = (segments: readonly { position: string }[]) =>
      segments.map((segment) => Object.assign({}, segment, { position: null }));
    const segments = await readAllSegments(context.pool, this.#videoId);
    expect(withoutPlaces(segments.map(rounded))).toEqual(withoutPlaces(this.model.segments.map(rounded)));
    const speakers = await readSpeakers(context.pool, this.#videoId);
    const labels = (all: readonly { id: string }[]) =>
      all.map((one) => Object.assign({}, one, { label: null })).toSorted(byId);
    expect(labels(speakers)).toEqual(labels(this.model.speakers));
    expect(await engineTexts(this.#videoId)).toEqual(texts);
  }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const rounded = <T extends { confidence: number; position: string }>(segment: T): T =>
  Object.assign({}, segment, { confidence: Math.round(segment.confidence * 1000) });

async function outcome<T>(action: () => Promise<T>): Promise<{ result: T | null; reason: unknown }> {
  try {
    return { result: await action(), reason: null };
  } catch (error) {
    return {
      result: null,
      reason: reasonOf(() => {
        throw error;
      }),
    };
  }
}

async function engineTexts(videoId: string): Promise<readonly string[]> {
  return context.pool.anyFirst(sql.type(z.object({ text: z.string() }))`
    select text from (
      select position, text from transcript_segment where video_id = ${videoId} and from_seq = 0
      union all select position, text from transcript_segment_history where video_id = ${videoId} and from_seq = 0
    ) as engine order by position`);
}

/** A rewrite over a place where something was deleted, which then cannot come back. */
const acrossDeletion: Intent[] = [
  { do: "rewrite", at: 1, length: 0, texts: [], pins: false },
  { do: "rewrite", at: 0, length: 1, texts: ["ada", "built", "it's"], pins: true },
  { do: "withdraw", nth: 1 },
  { do: "withdraw", nth: 0 },
];
/** A speaker whom a second correction, and one that was rewritten since, have to do with. */
const sharedSpeaker: Intent[] = [
  { do: "speak", at: 0, who: 5, label: "Host" },
  { do: "speak", at: 1, who: 0, label: "" },
  { do: "rewrite", at: 1, length: 0, texts: [], pins: false },
  { do: "withdraw", nth: 2 },
];

describe("the transcript in the database", () => {
  let videos = 0;

  it("is what the rules give for any log, keeps the engine's output, and gives it back", async () => {
    const intents = fc
      .array(intentsOver([0, 1]), { minLength: 5, maxLength: 25 })
      .map((all) => all.filter((intent) => intent.do !== "tag"));
    await fc.assert(
      fc.asyncProperty(intents, async (intents) => {
        videos += 1;
        const original = spokenTranscript(texts);
        const segments = original.map(({ text, startSeconds, endSeconds, confidence, words }) => ({
          text,
          startSeconds,
          endSeconds,
          confidence,
          words: words.map(([word, start, end, certainty]) => ({
            text: word,
            startSeconds: start,
            endSeconds: end,
            confidence: certainty,
          })),
        }));
        const videoId = await createTranscript(context, caller, {
          videoId: `replay-${String(videos).padStart(4, "0")}`,
          durationSeconds: 60,
          segments,
        });
        const pair = new Pair(videoId, new TranscriptModel(original));
        for (const intent of intents) {
          if (intent.do === "withdraw") {
            const seq = pair.model.standing[intent.nth];
            if (seq !== undefined) await pair.withdraw(seq);
          } else {
            const named = "entityId" in intent ? { ...intent, entityId: persons[intent.entityId] ?? 0 } : intent;
            await pair.correct(named);
          }
          await pair.expectSame();
        }
        for (const seq of pair.model.standing) await pair.withdraw(seq);
        await pair.expectSame();
        expect(pair.model.segments).toEqual(original);
      }),
      { numRuns: 12, examples: [[acrossDeletion], [sharedSpeaker]] },
    );
  }, 300_000);
});
