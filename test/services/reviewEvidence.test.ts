import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Fields } from "../../database/feedback.ts";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { feedbackTypes } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { readReview } from "../../services/feedback/readReview.ts";
import { type SubmittedCorrection, submitFeedback } from "../../services/feedback/submit.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { correctionIn, createReviewedScene, issuesOf, type ReviewedScene } from "../builders/reviewedScene.ts";

let statements = 0;
let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await createTestContext({ onStatement: () => (statements += 1) });
  caller = await createCaller(context);
});
afterAll(() => context.close());

async function submit(type: (typeof feedbackTypes)[number], corrections: readonly SubmittedCorrection[]) {
  const submission = { type, query: { channel_id: "channel-1", q: "Acme" }, notes: null, corrections };
  return (await context.pool.transaction((tx) => submitFeedback(tx, caller, submission))).feedbackId;
}

async function createCaptions(videoId: string): Promise<void> {
  const segments = [
    { start: 0, end: 9, text: "It began with nothing." },
    { start: 9, end: 20, text: "Then they spoke of Acme." },
    { start: 20, end: 99, text: "And of others." },
    { start: 200, end: 210, text: "Much later of Acme." },
  ];
  await context.pool.query(sql.typeAlias("void")`
    insert into caption_track (video_id, language, source, segments) values (${videoId}, 'en', 'import', ${sql.jsonb(segments)})`);
}

const said = (text: string, startSeconds: number) => ({
  text,
  startSeconds,
  endSeconds: startSeconds + 5,
  confidence: 0.9,
  words: [],
});

const about = (itemId: string, issueType: string, suggestedChange: Fields | null): SubmittedCorrection => ({
  itemId,
  itemKind: "mention",
  issueType,
  reason: null,
  suggestedChange,
  notes: null,
  observedRank: null,
});

describe("the evidence of many corrections", () => {
  const scenes: ReviewedScene[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 50; n += 1) {
      const scene = await createReviewedScene(context, caller, 10);
      if (n % 2 === 0) await createCaptions(scene.videoId);
      scenes.push(scene);
    }
  });

  it.each(feedbackTypes)("takes as many statements for 50 of them as for 2: %s", async (type) => {
    const issues = issuesOf(type);
    const read = async (count: number) => {
      const feedbackId = await submit(
        type,
        scenes.slice(0, count).map((scene, n) => correctionIn(scene, type, issues[n % issues.length] ?? "")),
      );
      const before = statements;
      const { evidence } = await readReview(context, feedbackId);
      expect(evidence.map((each) => each.correction.itemId)).toHaveLength(count);
      expect(evidence.every((each) => each.evidence.current !== null)).toBe(true);
      return statements - before;
    };
    const few = await read(2);
    expect(await read(50)).toBe(few);
  });
});

it("stands beside its own correction: what was transcribed, captioned, or only quoted, and nothing where the item is gone", async () => {
  const person = await createEntity(context);
  const others = await createEntity(context);
  const mention = async (videoId: string, startSeconds: number, quote: string) =>
    mentionId(await createMention(context, { videoId, entityId: person, startSeconds, quote }));
  const captioned = await createVideo(context);
  await createCaptions(captioned);
  const transcribed = await createVideo(context, { videoId: "transcribed" });
  const segments = [said("Here is Acme again.", 8), said("And a second time Acme.", 70)];
  await createTranscript(context, caller, { videoId: transcribed, durationSeconds: 300, segments });
  // Where its transcript is silent a video has its captions.
  await createCaptions(transcribed);
  const silent = await createVideo(context);
  const itemIds = [
    await mention(transcribed, 71, "Acme"),
    await mention(captioned, 201, "Acme"),
    await mention(silent, 10, "Just this."),
    await mention(captioned, 11, "Acme"),
    await mention(transcribed, 9, "Acme"),
    await mention(silent, 20, "To be gone."),
    await mention(transcribed, 202, "Acme"),
  ];
  const place = { video_id: captioned, start_seconds: 205, end_seconds: 208, quote: "Much later" };
  const feedbackId = await submit("mentions", [
    about(entityId(person), "missing", { entity_id: entityId(others), ...place }),
    ...itemIds.map((itemId) => about(itemId, "not_mentioned", null)),
  ]);
  await context.pool.query(sql.typeAlias("void")`delete from mention where quote = 'To be gone.'`);

  const { evidence } = await readReview(context, feedbackId);
  expect(evidence.map((each) => each.correction.itemId)).toEqual([entityId(person), ...itemIds]);
  const seen = evidence.map(({ evidence: { current, moment, excerpt } }) => [
    current?.kind === "mention" ? mentionId(current.mention.mentionId) : (current?.kind ?? null),
    moment?.media.videoId,
    moment?.startSeconds,
    excerpt === null
      ? null
      : `${excerpt.text.slice(0, excerpt.markStart)}[${excerpt.text.slice(excerpt.markStart, excerpt.markEnd)}]`,
  ]);
  expect(seen).toEqual([
    ["entity", captioned, 205, "[Much later]"],
    [itemIds[0], transcribed, 71, "And a second time [Acme]"],
    [itemIds[1], captioned, 201, "Much later of [Acme]"],
    [itemIds[2], silent, 10, "[Just this.]"],
    [itemIds[3], captioned, 11, "It began with nothing. Then they spoke of [Acme]"],
    [itemIds[4], transcribed, 9, "Here is [Acme]"],
    [null, undefined, undefined, null],
    [itemIds[6], transcribed, 202, "Much later of [Acme]"],
  ]);
});
