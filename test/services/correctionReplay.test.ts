import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import type { Segment, Speaker } from "../../domain/corrections/types.ts";
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

  /** Corrects or withdraws in both; returns why each refused, null where it did not. */
  async attempt(intent: Intent): Promise<Refusals> {
    if (intent.do !== "withdraw")
      return this.#correct("entityId" in intent ? { ...intent, entityId: persons[intent.entityId] ?? 0 } : intent);
    const seq = this.model.standing[intent.nth];
    return seq === undefined ? { database: null, rules: null } : this.withdraw(seq);
  }

  async #correct(intent: Exclude<Intent, { do: "withdraw" }>): Promise<Refusals> {
    const { model } = this;
    const correction = correctionOf(intent, model);
    if (correction === null) return { database: null, rules: null };
    const asked =
      correction.kind === "add_person"
        ? { ...correction, person: { entityId: correction.person.entityId ?? 0 } }
        : correction;
    const order = { correction: asked, seq: model.seq, note: null, asked: "{}" };
    const rules = reasonOf(() => model.correct(correction));
    const { result, reason } = await outcome(() =>
      context.pool.transaction((transaction) => correctTranscript(transaction, caller, this.#videoId, order)),
    );
    if (result !== null) this.#ids.set(result.seq, result.id);
    return { database: reason, rules };
  }

  async withdraw(seq: number): Promise<Refusals> {
    const rules = reasonOf(() => this.model.withdraw(seq));
    const id = this.#ids.get(seq) ?? "";
    const { reason } = await outcome(() =>
      context.pool.transaction((transaction) => undoCorrection(transaction, id, null)),
    );
    return { database: reason, rules };
  }

  /** What the database holds and what the rules give, but for what they are free to choose. */
  async states(): Promise<{ database: unknown; rules: unknown }> {
    const segments = await readAllSegments(context.pool, this.#videoId);
    const speakers = await readSpeakers(context.pool, this.#videoId);
    return { database: comparable(segments, speakers), rules: comparable(this.model.segments, this.model.speakers) };
  }

  async engineTexts(): Promise<readonly string[]> {
    return context.pool.anyFirst(sql.type(z.object({ text: z.string() }))`
      select text from (
        select position, text from transcript_segment where video_id = ${this.#videoId} and from_seq = 0
        union all select position, text from transcript_segment_history where video_id = ${this.#videoId} and from_seq = 0
      ) as engine order by position`);
  }
}

interface Refusals {
  database: unknown;
  rules: unknown;
}

function comparable(segments: readonly Segment[], speakers: readonly Speaker[]) {
  return {
    segments: segments.map((segment) =>
      Object.assign({}, segment, { position: null, confidence: Math.round(segment.confidence * 1000) }),
    ),
    speakers: speakers
      .map(({ id, entityId, role }) => ({ id, entityId, role }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

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
/** A person heard as two speakers, of whom one has the role already. */
const personTwice: Intent[] = [
  { do: "speak", at: 0, who: 5, label: "Host" },
  { do: "add", entityId: 1 },
  { do: "identify", who: 0, entityId: 1 },
  { do: "add", entityId: 1 },
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
          const refusals = await pair.attempt(intent);
          expect(refusals.database).toBe(refusals.rules);
          const { database, rules } = await pair.states();
          expect(database).toEqual(rules);
          expect(await pair.engineTexts()).toEqual(texts);
        }
        for (const seq of pair.model.standing)
          expect(await pair.withdraw(seq)).toEqual({ database: null, rules: null });
        expect(comparable(original, [])).toEqual((await pair.states()).database);
      }),
      { numRuns: 12, examples: [[acrossDeletion], [sharedSpeaker], [personTwice]] },
    );
  }, 300_000);
});
