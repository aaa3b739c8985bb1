import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import type { Caller } from "../../services/context.ts";
import type { SubmittedCorrection } from "../../services/feedback/submit.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { readableState } from "../builders/readableState.ts";
import { createAcceptedFeedback } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
let statements = 0;
beforeAll(async () => {
  context = await createTestContext({
    onStatement: () => {
      statements += 1;
    },
  });
  caller = await createCaller(context);
});
afterAll(() => context.close());

const rounds = 12;
const videos = 8;

/** How many statements some work takes. */
async function counted(work: () => Promise<unknown>): Promise<number> {
  const begun = statements;
  await work();
  return statements - begun;
}

it("reviews of the same videos and entities, in orders that cross, are taken at the same time without stopping each other", async () => {
  const [wrong, right] = [await createEntity(context), await createEntity(context)];
  const videoIds: string[] = [];
  for (let n = 0; n < videos; n += 1) videoIds.push(await createVideo(context));
  const review = async (order: readonly string[], [from, to]: readonly [number, number], startSeconds: number) => {
    const corrections: SubmittedCorrection[] = [];
    for (const videoId of order) {
      const id = await createMention(context, { videoId, entityId: from, startSeconds });
      corrections.push({
        itemId: mentionId(id),
        itemKind: "mention",
        issueType: "wrong_entity",
        reason: null,
        suggestedChange: { entity_id: entityId(to) },
        notes: null,
        observedRank: null,
      });
    }
    return createAcceptedFeedback(context, caller, "mentions", corrections);
  };
  const reviews = [
    await review(videoIds, [wrong, right], 10),
    await review(videoIds.toReversed(), [right, wrong], 30),
    await review(videoIds.toReversed(), [wrong, right], 50),
  ];
  const before = await readableState(context);
  const take = async (feedbackId: number, action: "apply" | "revert") => {
    const { status } = await takeReviewStep(context, null, {
      feedbackId,
      correctionIds: null,
      ask: { action },
      actor: "test",
    });
    return status;
  };
  const alone = await counted(async () => {
    for (const feedbackId of reviews) await take(feedbackId, "apply");
    for (const feedbackId of reviews.toReversed()) await take(feedbackId, "revert");
  });
  for (let round = 0; round < rounds; round += 1) {
    const together = await counted(async () => {
      expect(await Promise.all(reviews.map((id) => take(id, "apply")))).toEqual(reviews.map(() => "applied"));
      expect(await Promise.all(reviews.map((id) => take(id, "revert")))).toEqual(reviews.map(() => "reverted"));
    });
    // A deadlock would be seen here: what it stopped is done again.
    expect(together).toBe(alone);
  }
  expect(await readableState(context)).toEqual(before);
}, 120_000);
