import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { sql } from "../../database/pool.ts";
import type { Feedback } from "../../database/feedback.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { feedbackTypes, type FeedbackType, issueTypesOfKind, itemKindOf } from "../../domain/review/issues.ts";
import { newId } from "../../domain/ids.ts";
import type { ReviewVerb } from "../../domain/review/states.ts";
import type { Caller } from "../../services/context.ts";
import { carryOut } from "../../services/feedback/carryOut.ts";
import { keepCommand } from "../../services/feedback/keepCommand.ts";
import { previewReview } from "../../services/feedback/preview.ts";
import { submitFeedback } from "../../services/feedback/submit.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { createFiredAlert, suggestedChange } from "../builders/feedback.ts";
import { readableState } from "../builders/readableState.ts";

let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());

/** A video with evidence of an entity, whose rows corrections are about, amid that of others. */
async function createScene(seconds: number) {
  const videoId = await createVideo(context);
  const person = await createEntity(context);
  const host = await createEntity(context);
  const company = await createEntity(context, { type: "organization", aliases: [`Alias ${person}`] });
  const merged = await createEntity(context, { type: "organization" });
  const channel = await createEntity(context, { type: "channel" });
  const about = { videoId, entityId: company };
  const mention = await createMention(context, { ...about, startSeconds: seconds, sentimentScore: 0.4 });
  const secondMention = await createMention(context, { ...about, startSeconds: seconds + 3 });
  await createMention(context, { videoId, entityId: merged, startSeconds: seconds });
  const appearance = await createMention(context, {
    videoId,
    entityId: host,
    startSeconds: seconds,
    isAppearance: true,
    role: "host",
  });
  const row = await createRecommendation(context, { ...about, startSeconds: seconds, promoCode: "ACME" });
  const secondRow = await createRecommendation(context, { ...about, startSeconds: seconds + 5 });
  await createRecommendation(context, { videoId, entityId: merged, startSeconds: seconds });
  await context.pool.query(
    sql.typeAlias("void")`insert into known_advertiser (channel_id, entity_id) values ('channel-1', ${company})`,
  );
  const alertId = await createFiredAlert(context, caller.accountId, { ...about, mentionId: mention });
  const otherAlertId = await createFiredAlert(context, caller.accountId, about);
  const items = {
    recommendation: recommendationId(row),
    sponsor: entityId(company),
    mention: mentionId(mention),
    appearance: mentionId(appearance),
    entity: entityId(company),
    channel: entityId(channel),
    result: entityId(company),
    alert: alertId,
  };
  return { items, company, person, second: { mention: secondMention, row: secondRow }, videoId, otherAlertId };
}

async function submit(
  type: FeedbackType,
  issue: string,
  scene: Awaited<ReturnType<typeof createScene>>,
): Promise<Feedback> {
  const kind = itemKindOf(type);
  const correction = {
    itemId: scene.items[kind],
    itemKind: kind,
    issueType: issue,
    reason: null,
    suggestedChange: suggestedChange(kind, issue, scene) ?? null,
    notes: null,
    observedRank: 1,
  };
  const submission = { type, query: { channel_id: "channel-1", q: "Acme" }, notes: null, corrections: [correction] };
  return context.pool.transaction((transaction) => submitFeedback(transaction, caller, submission));
}

const accept = (feedbackId: number) =>
  takeReviewStep(context, null, {
    feedbackId,
    correctionIds: null,
    ask: { action: "decide", decision: "accepted", change: null, note: null },
    actor: "test",
  });
const step = (feedbackId: number, action: "apply" | "revert") =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });

const issues = feedbackTypes.flatMap((type) => issueTypesOfKind[itemKindOf(type)].map((issue) => ({ type, issue })));

describe("what a correction changes", () => {
  it.each(issues)(
    "comes out again as it was: $issue of $type, applied, applied again, previewed and reverted",
    async ({ type, issue }) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 90 }), fc.boolean(), async (seconds, twice) => {
          const scene = await createScene(seconds);
          const { feedbackId } = await submit(type, issue, scene);
          await accept(feedbackId);
          const before = await readableState(context);

          const impact = await previewReview(context, {
            feedbackId,
            correctionIds: null,
            action: "apply",
            change: null,
          });
          expect(impact.corrections).toEqual([expect.objectContaining({ refusal: null })]);
          expect(impact.corrections[0]?.entries.length).toBeGreaterThan(0);
          expect(await readableState(context)).toEqual(before);

          expect((await step(feedbackId, "apply")).status).toBe("applied");
          const applied = await readableState(context);
          expect(applied).not.toEqual(before);
          await step(feedbackId, "apply");
          expect(await readableState(context)).toEqual(applied);

          expect((await step(feedbackId, "revert")).status).toBe("reverted");
          expect(await readableState(context)).toEqual(before);
          if (!twice) return;
          expect((await step(feedbackId, "apply")).status).toBe("applied");
          await step(feedbackId, "revert");
          expect(await readableState(context)).toEqual(before);
        }),
        { numRuns: 3 },
      );
    },
    60_000,
  );

  it("is carried out once, however often and by how many the same command is run", async () => {
    const scene = await createScene(10);
    const { feedbackId } = await submit("mentions", "wrong_entity", scene);
    await accept(feedbackId);
    const command = async (verb: ReviewVerb) => {
      const commandId = newId("reviewCommand");
      await keepCommand(context, {
        commandId,
        feedbackId,
        verb,
        correctionIds: null,
        note: null,
        change: null,
        actor: "test",
      });
      const ends = await Promise.all(Array.from({ length: 5 }, () => carryOut(context, commandId)));
      expect(new Set(ends.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
      return ends[0]?.snapshot.version ?? 0;
    };
    const applied = await command("apply");
    expect(await command("revert")).toBe(applied + 1);
  });
});
