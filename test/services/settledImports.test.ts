import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { lockReviewedRows } from "../../database/reviewRows.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import type { MentionRow, RecommendationRow } from "../../domain/imports/rows.ts";
import { type FeedbackType, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { carryOutIn } from "../../services/feedback/carryOut.ts";
import { keepCommand } from "../../services/feedback/keepCommand.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { newId } from "../../domain/ids.ts";
import { entityWriter } from "../../services/imports/entities.ts";
import { adPassageWriter, mentionWriter, recommendationWriter } from "../../services/imports/evidence.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { importLines } from "../builders/importedFiles.ts";
import { createNamedEntity, createTestTracker } from "../builders/monitors.ts";
import { createAcceptedFeedback } from "../builders/reviewedScene.ts";
import { eventually } from "../environment/startedSystem.ts";

let context: TestContext;
let caller: Caller;
let videoId: string;
let company: number;
let names = 0;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  videoId = await createVideo(context);
  company = await createEntity(context, { type: "organization", name: `Company ${(names += 1)}` });
});

const mention = (start: number, more: Partial<MentionRow> = {}): MentionRow => ({
  video_id: videoId,
  entity: company,
  start_seconds: start,
  end_seconds: start + 5,
  quote: `At ${start}.`,
  ...more,
});
const commercial = (start: number | null, end: number | null, more: Partial<RecommendationRow> = {}) => ({
  video_id: videoId,
  entity: company,
  mention_class: "ad_read" as const,
  start_seconds: start,
  end_seconds: end,
  verbatim_quote: "Buy.",
  confidence: 0.9,
  ...more,
});
const counts = async (report: ReturnType<typeof importLines>) => {
  const { imported, updated, settled } = await report;
  return [imported, updated, settled];
};
const importMentions = (rows: readonly MentionRow[]) => counts(importLines(context, mentionWriter, rows));
const importCommercials = (rows: readonly RecommendationRow[]) =>
  counts(importLines(context, recommendationWriter, rows));
const idOf = async (table: "mention" | "recommendation", start: number | null) =>
  context.pool.oneFirst(sql.type(z.object({ id: count }))`
    select id from ${sql.identifier([table])} where video_id = ${videoId} and start_seconds is not distinct from ${start}::float8`);
const quotes = () =>
  context.pool.anyFirst(sql.type(z.object({ quote: z.string() }))`
    select quote from mention where video_id = ${videoId} order by start_seconds, id`);
const starts = () =>
  context.pool.anyFirst(sql.type(z.object({ start: z.number().nullable() }))`
    select start_seconds as start from recommendation where video_id = ${videoId} order by start_seconds, id`);

const accept = (
  type: FeedbackType,
  itemId: string,
  issueType: string,
  suggestedChange: Record<string, unknown> | null,
) =>
  createAcceptedFeedback(context, caller, type, [
    { itemId, itemKind: itemKindOf(type), issueType, reason: null, suggestedChange, notes: null, observedRank: 1 },
  ]);
const step = (feedbackId: number, action: "apply" | "revert") =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });
async function apply(...told: Parameters<typeof accept>) {
  const feedbackId = await accept(...told);
  await step(feedbackId, "apply");
  return feedbackId;
}

it("what a file says otherwise by now is left, and comes in after a revert", async () => {
  await importMentions([mention(10), mention(60)]);
  const quote = { quote: "As it was really said." };
  const feedbackId = await apply("mentions", mentionId(await idOf("mention", 10)), "wrong_quote", quote);
  const better = [mention(10, { quote: "Better." }), mention(60, { quote: "Better too." })];
  expect(await importMentions(better)).toEqual([0, 1, 1]);
  expect(await quotes()).toEqual(["As it was really said.", "Better too."]);
  await step(feedbackId, "revert");
  expect(await quotes()).toEqual(["At 10.", "Better too."]);
  expect(await importMentions(better)).toEqual([0, 1, 0]);
  expect(await quotes()).toEqual(["Better.", "Better too."]);
});

it("a row that stands beside what was settled is the file's; a new one over it is not let in, in whatever batch", async () => {
  await importMentions([mention(10), mention(12)]);
  const feedbackId = await apply("mentions", mentionId(await idOf("mention", 10)), "not_mentioned", null);
  const file = [mention(10), mention(12, { quote: "Changed." }), mention(13, { quote: "New." }), mention(15)];
  expect(await importMentions(file)).toEqual([1, 1, 2]);
  expect(await quotes()).toEqual(["Changed.", "At 15."]);
  expect(await importMentions(file)).toEqual([0, 0, 2]);
  await step(feedbackId, "revert");
  expect(await importMentions(file)).toEqual([1, 0, 0]);
  expect(await quotes()).toEqual(["At 10.", "Changed.", "New.", "At 15."]);
});

it.each([
  ["for the full episode", 0, 0],
  ["at an unknown time", null, null],
])(
  "a commercial row %s that was none does not come back, and those that have a time are not touched by that",
  async (_, start, end) => {
    const file = [commercial(start, end), commercial(5, 20)];
    await importCommercials(file);
    const rowId = recommendationId(await idOf("recommendation", start));
    const feedbackId = await apply("recommendations", rowId, "not_commercial", null);
    expect(await importCommercials([...file, commercial(0, 4)])).toEqual([1, 0, 1]);
    expect(await starts()).toEqual([0, 5]);
    await step(feedbackId, "revert");
    expect(await importCommercials(file)).toEqual([0, 0, 0]);
    expect(await starts()).toHaveLength(3);
  },
);

it("what was settled of an entity is settled of those that read as it", async () => {
  const member = await createEntity(context, { type: "organization" });
  await importMentions([mention(10)]);
  await context.pool.transaction((transaction) => mergeEntities(transaction, member, company));
  await apply("mentions", mentionId(await idOf("mention", 10)), "not_mentioned", null);
  expect(await importMentions([mention(10, { entity: member }), mention(30, { entity: member })])).toEqual([1, 0, 1]);
});

it("nobody is alerted to what was taken away", async () => {
  const entityName = `Watched company ${names}`;
  company = await createNamedEntity(context, entityName);
  await importMentions([mention(10)]);
  await apply("mentions", mentionId(await idOf("mention", 10)), "not_mentioned", null);
  const trackerId = await createTestTracker(context, caller, { entityName });
  const fired = () =>
    context.pool.oneFirst(sql.type(z.object({ count }))`
      select count(*) from alert_occurrence where tracker_id = ${trackerId}`);
  await importMentions([mention(10)]);
  expect(await fired()).toBe(0);
  await importMentions([mention(60)]);
  expect(await fired()).toBe(1);
});

it("a mention that reviewers added is no ad by others' data, and can still be taken back", async () => {
  const missing = { video_id: videoId, start_seconds: 20, end_seconds: 25, quote: "There.", in_ad: false };
  await importMentions([mention(10)]);
  const feedbackId = await apply("mentions", entityId(company), "missing", missing);
  const passage = { video_id: videoId, start_seconds: 0, end_seconds: 100 };
  expect(await counts(importLines(context, adPassageWriter, [passage]))).toEqual([0, 1, 0]);
  expect((await step(feedbackId, "revert")).status).toBe("reverted");
});

it("an entity's columns and names that were put right stay beside what the file changes of it", async () => {
  const row = { numeric_id: company, name: "Acme Holding", type: "organization" as const, aliases: ["Acme", "Akme"] };
  const importEntity = (more: object = {}) => counts(importLines(context, entityWriter, [{ ...row, ...more }]));
  const entity = () =>
    context.pool.one(sql.type(
      z.object({ name: z.string(), type: z.string(), url: z.string().nullable(), names: z.array(z.string()) }),
    )`
      select name, type, url, array(select name from entity_name where entity_id = entity.id order by key) as names
      from entity where id = ${company}`);
  await importEntity({ url: "https://example.com/old" });
  const id = entityId(company);
  const renamed = await apply("entities", id, "wrong_name", { name: "Akme" });
  const typed = await apply("entities", id, "wrong_type", { type: "brand" });
  const named = await apply("entities", id, "missing_alias", { alias: "Acme Ltd" });
  const right = { name: "Akme", type: "brand", url: "https://example.com/new" };
  const told = { url: "https://example.com/new", aliases: ["Acme", "Akme", "ACME Corp"] };
  expect(await importEntity(told)).toEqual([0, 1, 1]);
  expect(await entity()).toEqual({ ...right, names: ["Acme", "ACME Corp", "Acme Ltd", "Akme"] });
  expect(await importEntity(told)).toEqual([0, 0, 1]);
  // What says it as it is now is left in nothing.
  const now = { ...told, name: "Akme", type: "brand", aliases: ["Acme", "ACME Corp", "Acme Ltd"] };
  expect(await importEntity(now)).toEqual([0, 0, 0]);
  for (const feedbackId of [named, typed, renamed]) expect((await step(feedbackId, "revert")).status).toBe("reverted");
  expect(await importEntity(told)).toEqual([0, 0, 0]);
  expect(await entity()).toEqual({
    name: "Acme Holding",
    type: "organization",
    url: "https://example.com/new",
    names: ["Acme", "ACME Corp", "Acme Holding", "Akme"],
  });
});

it("a line that knows an entity by its name finds it under the one that it had before; by another's name of now, that one", async () => {
  const [before, after] = [`Before ${company}`, `After ${company}`];
  const importNamed = (name: string) =>
    importLines(context, entityWriter, [{ name, type: "organization", description: name }]);
  await importNamed(before);
  const id = await context.pool.oneFirst(
    sql.type(z.object({ id: count }))`select id from entity where name = ${before}`,
  );
  const feedbackId = await apply("entities", entityId(id), "wrong_name", { name: after });
  expect(await counts(importNamed(before))).toEqual([0, 0, 1]);
  const otherId = await createEntity(context, { type: "organization", name: before });
  expect(await counts(importNamed(before))).toEqual([0, 1, 0]);
  await step(feedbackId, "revert");
  const descriptions = await context.pool.any(sql.type(z.object({ id: count, description: z.string() }))`
    select id, description from entity where id in (${id}, ${otherId}) order by id`);
  expect(descriptions).toEqual([
    { id, description: before },
    { id: otherId, description: before },
  ]);
});

it("waits for a review that is being applied, and leaves what that settles", async () => {
  await importMentions([mention(10)]);
  const feedbackId = await accept("mentions", mentionId(await idOf("mention", 10)), "not_mentioned", null);
  const commandId = newId("reviewCommand");
  const rest = { correctionIds: null, note: null, change: null, actor: "test" };
  await keepCommand(context, { commandId, feedbackId, verb: "apply", ...rest });
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const applying = context.pool.transaction(async (transaction) => {
    await lockReviewedRows(transaction);
    locked.resolve();
    await held.promise;
    await carryOutIn(context, transaction, commandId);
  });
  await locked.promise;
  const importing = importMentions([mention(10, { quote: "Changed." })]);
  await eventually(async () => {
    const waiting = await context.pool.oneFirst(sql.type(z.object({ count }))`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting > 0 ? true : undefined;
  });
  held.resolve();
  await applying;
  expect(await importing).toEqual([0, 0, 1]);
  expect(await quotes()).toEqual([]);
});
