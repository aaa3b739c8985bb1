import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import type { FeedbackType } from "../../domain/review/issues.ts";
import { itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { submitFeedback } from "../../services/feedback/submit.ts";
import { type ReviewAsk, takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { type NewCommercial, type NewMention, replaceEvidence } from "../../services/indexing/replaceEvidence.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { createNamedEntity, createTestTracker } from "../builders/monitors.ts";

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

const place = { segmentId: "seg_0", charStart: 0, charEnd: 5 };
const mention = (owner: number, startSeconds: number, more: Partial<NewMention> = {}): NewMention => ({
  ...place,
  entityId: owner,
  startSeconds,
  endSeconds: startSeconds + 2,
  quote: "words",
  contextBefore: null,
  contextAfter: null,
  surfaceForm: "Acme",
  speakerId: null,
  speakerName: null,
  speakerEntityId: null,
  isAppearance: false,
  appearanceRole: null,
  speakingSeconds: null,
  inAd: false,
  sentimentScore: null,
  confidence: 0.8,
  ...more,
});
const commercial = (owner: number, startSeconds: number): NewCommercial => ({
  ...place,
  entityId: owner,
  mentionClass: "ad_read",
  startSeconds,
  endSeconds: startSeconds + 20,
  verbatimQuote: "brought to you by",
  promoCode: "ACME",
  offer: null,
  sentimentScore: null,
  confidence: 0.9,
  speakerRole: "host",
});

/** Looks at the video anew, as a better engine would. */
const index = (mentions: readonly NewMention[], commercials: readonly NewCommercial[] = []) =>
  context.pool.transaction((transaction) =>
    replaceEvidence(transaction, {
      videoId,
      origin: { source: "speech", transcriptRevision: 1, detectorVersion: "test" },
      replaces: null,
      mentions,
      commercials,
    }),
  );

const row = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** [id, entity, start, end] of the video's rows, by time. */
const rowsOf = async (table: "mention" | "recommendation") =>
  (
    await context.pool.anyFirst(sql.type(z.object({ row }))`
      select json_build_array(id, entity_id, start_seconds, end_seconds) as row from ${sql.identifier([table])}
      where video_id = ${videoId} order by start_seconds, id`)
  ).map(([id, owner, start]) => ({ id, owner, start }));
const places = async (table: "mention" | "recommendation" = "mention") =>
  (await rowsOf(table)).map(({ owner, start }) => [owner, start]);

const take = (feedbackId: number, ask: ReviewAsk) =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask, actor: "test" });

/** Reports, accepts and applies; returns the feedback's number. */
async function apply(type: FeedbackType, itemId: string, issueType: string, change?: Record<string, unknown>) {
  const correction = {
    itemId,
    itemKind: itemKindOf(type),
    issueType,
    reason: null,
    suggestedChange: change ?? null,
    notes: null,
    observedRank: 1,
  };
  const { feedbackId } = await context.pool.transaction((transaction) =>
    submitFeedback(transaction, caller, { type, query: { q: "acme" }, notes: null, corrections: [correction] }),
  );
  await take(feedbackId, { action: "decide", decision: "accepted", change: null, note: null });
  await take(feedbackId, { action: "apply" });
  return feedbackId;
}
const revert = (feedbackId: number) => take(feedbackId, { action: "revert" });
const firstId = async (table: "mention" | "recommendation" = "mention") => (await rowsOf(table))[0]?.id ?? 0;

describe("when a video is indexed again", () => {
  it("what was no mention is not found again, there or a little beside, until that is taken back", async () => {
    await index([mention(wrong, 10), mention(wrong, 60), mention(right, 10)]);
    const feedbackId = await apply("mentions", mentionId(await firstId()), "not_mentioned");
    await index([mention(wrong, 10), mention(wrong, 11), mention(wrong, 60), mention(right, 10)]);
    expect(await places()).toEqual([
      [right, 10],
      [wrong, 60],
    ]);
    await revert(feedbackId);
    await index([mention(wrong, 10), mention(right, 10)]);
    expect(await places()).toEqual([
      [wrong, 10],
      [right, 10],
    ]);
  });

  it("another entity's mention stays that one's, with its id, and is not found twice", async () => {
    await index([mention(wrong, 10)]);
    const id = await firstId();
    await apply("mentions", mentionId(id), "wrong_entity", { entity_id: entityId(right) });
    await index([mention(wrong, 10.4), mention(right, 11), mention(right, 80)]);
    expect((await rowsOf("mention")).map(({ id, owner, start }) => [id, owner, start])).toEqual([
      [id, right, 10],
      [expect.any(Number), right, 80],
    ]);
  });

  it("words, times and opinions that were put right stay", async () => {
    await index([mention(wrong, 10), mention(wrong, 60)]);
    const id = await firstId();
    await apply("mentions", mentionId(id), "wrong_timestamp", { start_seconds: 30, end_seconds: 33 });
    await apply("mentions", mentionId(id), "wrong_quote", { quote: "What was really said." });
    await index([mention(wrong, 10), mention(wrong, 31), mention(wrong, 60, { quote: "else" })]);
    const quotes = await context.pool.anyFirst(sql.type(z.object({ quote: z.string() }))`
      select quote from mention where video_id = ${videoId} order by start_seconds`);
    expect([await places(), quotes]).toEqual([
      [
        [wrong, 30],
        [wrong, 60],
      ],
      ["What was really said.", "else"],
    ]);
  });

  it("of two that were one, the one that was kept stays", async () => {
    await index([mention(wrong, 10), mention(wrong, 11)]);
    const [first, second] = await rowsOf("mention");
    await apply("mentions", mentionId(second?.id ?? 0), "duplicate", { duplicate_of: mentionId(first?.id ?? 0) });
    await index([mention(wrong, 10), mention(wrong, 11)]);
    expect(await rowsOf("mention")).toEqual([first]);
  });

  it("what was missing stays, though no detector finds it", async () => {
    const change = { video_id: videoId, start_seconds: 5, end_seconds: 6, quote: "There." };
    await apply("mentions", entityId(right), "missing", change);
    await index([mention(wrong, 10)]);
    expect(await places()).toEqual([
      [right, 5],
      [wrong, 10],
    ]);
  });

  it("commercial rows are left as reviewers settled them, whatever their class", async () => {
    await index([], [commercial(wrong, 10), commercial(wrong, 100)]);
    const [first, second] = await rowsOf("recommendation");
    await apply("recommendations", recommendationId(first?.id ?? 0), "not_commercial");
    await apply("recommendations", recommendationId(second?.id ?? 0), "wrong_class", { mention_class: "mention" });
    await index(
      [],
      [{ ...commercial(wrong, 12), mentionClass: "endorsement" }, commercial(wrong, 101), commercial(right, 10)],
    );
    const classes = await context.pool.anyFirst(sql.type(z.object({ row: z.string() }))`
      select concat_ws(' ', entity_id, mention_class, start_seconds) as row from recommendation where video_id = ${videoId} order by start_seconds`);
    expect(classes).toEqual([`${right} ad_read 10`, `${wrong} mention 100`]);
  });

  it("a settled place follows a merge of its entity", async () => {
    await index([mention(wrong, 10)]);
    await apply("mentions", mentionId(await firstId()), "not_mentioned");
    await context.pool.transaction((transaction) => mergeEntities(transaction, wrong, right));
    await index([mention(right, 10), mention(right, 60)]);
    expect(await places()).toEqual([[right, 60]]);
  });

  it("and by the review itself, no alert fires", async () => {
    const watched = await createNamedEntity(context, `Watched ${videoId}`);
    await createTestTracker(context, caller, { entityName: `Watched ${videoId}` });
    const change = { video_id: videoId, start_seconds: 5, end_seconds: 6, quote: "There." };
    await apply("mentions", entityId(watched), "missing", change);
    await index([mention(wrong, 10), mention(watched, 5)]);
    expect(
      await context.pool.oneFirst(
        sql.type(z.object({ count }))`select count(*) from alert_occurrence where video_id = ${videoId}`,
      ),
    ).toBe(0);
  });
});

const refusal = (feedbackId: number) =>
  revert(feedbackId).then(
    () => null,
    (error: { code: string; message: string }) => [error.code, error.message],
  );
const quote = () =>
  context.pool.oneFirst(
    sql.type(z.object({ quote: z.string() }))`select quote from mention where video_id = ${videoId}`,
  );

describe("reverting", () => {
  it("is refused, with the reason, where a later change sits on it; in the other order it goes", async () => {
    await index([mention(wrong, 10)]);
    const item = mentionId(await firstId());
    const first = await apply("mentions", item, "wrong_quote", { quote: "First." });
    const second = await apply("mentions", item, "wrong_quote", { quote: "Second." });
    expect(await refusal(first)).toEqual([
      "illegal_transition",
      expect.stringMatching(/^men_\d+ was changed again since \(quote\)/),
    ]);
    expect(await quote()).toBe("Second.");
    await revert(second);
    expect(await refusal(first)).toBeNull();
    expect(await quote()).toBe("words");
  });

  it("is refused where the row, or its place, went to others", async () => {
    await index([mention(wrong, 10), mention(wrong, 60)]);
    const [first, second] = await rowsOf("mention");
    const quoted = await apply("mentions", mentionId(second?.id ?? 0), "wrong_quote", { quote: "Other." });
    const gone = await apply("mentions", mentionId(first?.id ?? 0), "not_mentioned");
    await apply("mentions", mentionId(second?.id ?? 0), "not_mentioned");
    expect(await refusal(quoted)).toEqual(["illegal_transition", expect.stringContaining("not there any more")]);
    const there = { video_id: videoId, start_seconds: 10, end_seconds: 12, quote: "Again." };
    await apply("mentions", entityId(wrong), "missing", there);
    expect(await refusal(gone)).toEqual([
      "illegal_transition",
      expect.stringContaining("another row stands at its place"),
    ]);
  });

  it("changes of other columns do not stand in its way", async () => {
    await index([mention(wrong, 10)]);
    const item = mentionId(await firstId());
    const quoted = await apply("mentions", item, "wrong_quote", { quote: "First." });
    await apply("mentions", item, "wrong_sentiment", { sentiment_score: 0.5 });
    expect(await refusal(quoted)).toBeNull();
    const [score] = await context.pool.anyFirst(
      sql.type(
        z.object({ score: z.number().nullable() }),
      )`select sentiment_score as score from mention where video_id = ${videoId}`,
    );
    expect(score).toBe(0.5);
    await index([mention(wrong, 10, { sentimentScore: -1 })]);
    expect(await places()).toEqual([[wrong, 10]]);
  });

  it("a merge that was taken back, and made anew elsewhere, is not undone", async () => {
    const feedbackId = await apply("entities", entityId(wrong), "duplicate_entity", { canonical_id: entityId(right) });
    const other = await createEntity(context, { type: "organization" });
    await revert(feedbackId);
    await take(feedbackId, { action: "apply" });
    await context.pool.query(sql.typeAlias("void")`update entity set merged_into_id = ${other} where id = ${wrong}`);
    expect(await refusal(feedbackId)).toEqual([
      "illegal_transition",
      expect.stringContaining("taken out of that merge"),
    ]);
  });

  it("of a name is refused after it was renamed again, and restores aliases with it", async () => {
    const named = await createEntity(context, { name: "Old Name", aliases: ["Right Name", "Third Name"] });
    const names = () =>
      context.pool.anyFirst(sql.type(z.object({ row: z.string() }))`
        select concat_ws(' ', name, is_alias) as row from entity_name where entity_id = ${named} order by key`);
    const before = await names();
    const first = await apply("entities", entityId(named), "wrong_name", { name: "Right Name" });
    expect(await names()).toEqual(["Right Name f", "Third Name t"]);
    const alias = await apply("entities", entityId(named), "missing_alias", { alias: "Fourth Name" });
    const second = await apply("entities", entityId(named), "wrong_name", { name: "Newest Name" });
    expect(await refusal(first)).toEqual(["illegal_transition", expect.stringContaining("again since")]);
    await revert(second);
    await revert(first);
    await revert(alias);
    expect(await names()).toEqual(before);
  });
});
