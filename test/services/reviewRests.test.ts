import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import type { FeedbackType } from "../../domain/review/issues.ts";
import { itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { previewReview } from "../../services/feedback/preview.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { sql } from "../../database/pool.ts";
import { z } from "zod";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { readableState } from "../builders/readableState.ts";
import { codeAndMessage } from "../builders/refusals.ts";
import { createAcceptedFeedback } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
let videoId: string;
let wrong: number;
let right: number;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  videoId = await createVideo(context);
  wrong = await createEntity(context, { type: "organization" });
  right = await createEntity(context, { type: "organization" });
});

/** Reports, accepts and applies; returns the feedback's number. */
async function apply(type: FeedbackType, itemId: string, issueType: string, change?: Record<string, unknown>) {
  const correction = {
    itemId,
    itemKind: itemKindOf(type),
    issueType,
    reason: null,
    suggestedChange: change ?? null,
    notes: null,
    observedRank: null,
  };
  const feedbackId = await createAcceptedFeedback(context, caller, type, [correction]);
  await take(feedbackId, "apply");
  return feedbackId;
}
const take = (feedbackId: number, action: "apply" | "revert") =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });

/** Why a feedback cannot be reverted, as its preview says too; then nothing has changed. Null: it was reverted. */
async function revert(feedbackId: number): Promise<string | null> {
  const before = await readableState(context);
  const asked = { feedbackId, correctionIds: null, action: "revert", change: null } as const;
  const [previewed] = (await previewReview(context, asked)).corrections;
  const refusal = await codeAndMessage(take(feedbackId, "revert"));
  expect(previewed?.refusal ?? null).toBe(refusal?.[1] ?? null);
  const after = refusal === null ? before : await readableState(context);
  expect(after).toEqual(before);
  return refusal?.[1] ?? null;
}
const idAt = (entity: number, startSeconds: number) =>
  context.pool.oneFirst(sql.type(z.object({ id: z.bigint().transform(Number) }))`
    select id from mention where video_id = ${videoId} and entity_id = ${entity} and start_seconds = ${startSeconds}`);

const place = { start_seconds: 30, end_seconds: 33 };

describe("reverting what a later correction rests on is refused until that is reverted", () => {
  it("where a row was taken for a duplicate of one that was added", async () => {
    const other = await createMention(context, { videoId, entityId: wrong, startSeconds: 31 });
    const before = await readableState(context);
    const added = await apply("mentions", entityId(wrong), "missing", { video_id: videoId, ...place, quote: "There." });
    const standing = await idAt(wrong, 30);
    const dropped = await apply("mentions", mentionId(other), "duplicate", { duplicate_of: mentionId(standing) });
    expect(await revert(added)).toMatch(
      /^Correction \d+ took another row for a duplicate of it since; revert that first\.$/,
    );
    expect(await revert(dropped)).toBeNull();
    expect(await revert(added)).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });

  it("where a row was moved onto one that was added, and so taken for its duplicate", async () => {
    const other = await createMention(context, { videoId, entityId: wrong, startSeconds: 5 });
    const before = await readableState(context);
    const added = await apply("mentions", entityId(wrong), "missing", { video_id: videoId, ...place, quote: "There." });
    const moved = await apply("mentions", mentionId(other), "wrong_timestamp", place);
    expect(await revert(added)).toMatch("for a duplicate of it");
    expect(await revert(moved)).toBeNull();
    expect(await revert(added)).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });

  it("where it was taken for a duplicate of one that was given away, or moved, before", async () => {
    for (const [issue, change] of [
      ["wrong_entity", { entity_id: entityId(right) }],
      ["wrong_timestamp", place],
    ] as const) {
      const owner = issue === "wrong_entity" ? right : wrong;
      const first = await createMention(context, { videoId, entityId: wrong, startSeconds: 60 });
      const other = await createMention(context, { videoId, entityId: owner, startSeconds: 61 });
      const before = await readableState(context);
      const moved = await apply("mentions", mentionId(first), issue, change);
      const dropped = await apply("mentions", mentionId(other), "duplicate", { duplicate_of: mentionId(first) });
      expect(await revert(moved)).toMatch("for a duplicate of it");
      expect(await revert(dropped)).toBeNull();
      expect(await revert(moved)).toBeNull();
      expect(await readableState(context)).toEqual(before);
      await context.pool.query(sql.typeAlias("void")`delete from mention where video_id = ${videoId}`);
    }
  });

  it("where it is a commercial row whose class was put right", async () => {
    const about = { videoId, entityId: wrong };
    const first = await createRecommendation(context, { ...about, startSeconds: 10 });
    const other = await createRecommendation(context, { ...about, startSeconds: 12 });
    const before = await readableState(context);
    const classed = await apply("recommendations", recommendationId(first), "wrong_class", {
      mention_class: "endorsement",
    });
    const change = { duplicate_of: recommendationId(first) };
    const dropped = await apply("recommendations", recommendationId(other), "duplicate", change);
    expect(await revert(classed)).toMatch("for a duplicate of it");
    expect(await revert(dropped)).toBeNull();
    expect(await revert(classed)).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });
});

describe("a row that another one was dropped for", () => {
  it("can have its words put right, and these taken back, before and after", async () => {
    const first = await createMention(context, { videoId, entityId: wrong, startSeconds: 10 });
    const other = await createMention(context, { videoId, entityId: wrong, startSeconds: 12 });
    const before = await readableState(context);
    const quoted = await apply("mentions", mentionId(first), "wrong_quote", { quote: "What was said." });
    const dropped = await apply("mentions", mentionId(other), "duplicate", { duplicate_of: mentionId(first) });
    const again = await apply("mentions", mentionId(first), "wrong_sentiment", { sentiment_score: 0.1 });
    expect(await revert(quoted)).toBeNull();
    expect(await revert(dropped)).toBeNull();
    expect(await revert(again)).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });

  it("can be moved later, which does not stop the other's return", async () => {
    const first = await createMention(context, { videoId, entityId: wrong, startSeconds: 10 });
    const other = await createMention(context, { videoId, entityId: wrong, startSeconds: 12 });
    const before = await readableState(context);
    const dropped = await apply("mentions", mentionId(other), "duplicate", { duplicate_of: mentionId(first) });
    const moved = await apply("mentions", mentionId(first), "wrong_timestamp", place);
    expect(await revert(dropped)).toBeNull();
    expect(await revert(moved)).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });
});
