import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { EvidenceOrigin } from "../../database/detectedEvidence.ts";
import { count, sql } from "../../database/pool.ts";
import { countEntitiesOfVideo } from "../../database/videoEvidence.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import {
  type NewCommercial,
  type NewMention,
  replaceEvidence,
  type VideoEvidence,
} from "../../services/indexing/replaceEvidence.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";

let context: TestContext;
let videoId: string;
let ada: number;
let engine: number;
beforeAll(async () => {
  context = await createTestContext();
});
beforeEach(async () => {
  videoId = await createVideo(context);
  ada = await createEntity(context);
  engine = await createEntity(context, { type: "product" });
});
afterAll(() => context.close());

const speech: EvidenceOrigin = { source: "speech", transcriptRevision: 1, detectorVersion: "test-1" };
const mention = (entityId: number, startSeconds: number, more: Partial<NewMention> = {}): NewMention => ({
  entityId,
  startSeconds,
  endSeconds: startSeconds + 2,
  quote: "words",
  contextBefore: null,
  contextAfter: null,
  surfaceForm: "Ada",
  speakerId: null,
  speakerName: null,
  speakerEntityId: null,
  isAppearance: false,
  appearanceRole: null,
  speakingSeconds: null,
  inAd: false,
  sentimentScore: null,
  confidence: 0.8,
  segmentId: "seg_0",
  charStart: 0,
  charEnd: 3,
  ...more,
});
const commercial = (entityId: number, startSeconds: number): NewCommercial => ({
  entityId,
  mentionClass: "ad_read",
  startSeconds,
  endSeconds: startSeconds + 20,
  verbatimQuote: "brought to you by",
  promoCode: "ADA",
  offer: null,
  sentimentScore: null,
  confidence: 0.9,
  speakerRole: "host",
  segmentId: "seg_0",
  charStart: 0,
  charEnd: 10,
});
const index = (evidence: Partial<VideoEvidence>) =>
  context.pool.transaction((transaction) =>
    replaceEvidence(transaction, {
      videoId,
      origin: speech,
      replaces: null,
      mentions: [],
      commercials: [],
      ...evidence,
    }),
  );
const mentionRow = z.object({ id: count, entity_id: count, start_seconds: z.number(), source: z.string() });
const mentions = () =>
  context.pool.any(sql.type(mentionRow)`
    select id, entity_id, start_seconds, source from mention where video_id = ${videoId} order by start_seconds, id`);
const commercials = () =>
  context.pool.any(sql.type(z.object({ id: count, start_seconds: z.number() }))`
    select id, start_seconds from recommendation where video_id = ${videoId} order by id`);

describe("replaceEvidence", () => {
  it("keeps the ids of what stayed or moved a little", async () => {
    await index({
      mentions: [mention(ada, 10), mention(ada, 12), mention(engine, 50)],
      commercials: [commercial(engine, 40)],
    });
    const before = await mentions();
    const [boughtBefore] = await commercials();
    await index({
      mentions: [mention(ada, 12), mention(ada, 13), mention(ada, 80)],
      commercials: [commercial(engine, 41)],
    });
    const after = await mentions();
    expect(after.map(({ start_seconds }) => start_seconds)).toEqual([12, 13, 80]);
    expect(after[0]?.id).toBe(before[1]?.id);
    expect(after[1]?.id).toBe(before[0]?.id);
    expect(before.map(({ id }) => id)).not.toContain(after[2]?.id);
    expect(await commercials()).toEqual([{ id: boughtBefore?.id, start_seconds: 41 }]);
  });

  it("replaces what a preliminary scan had found, and leaves imported rows alone", async () => {
    const imported = await createMention(context, { videoId, entityId: ada, startSeconds: 5 });
    await index({ origin: { ...speech, source: "captions", transcriptRevision: null }, mentions: [mention(ada, 10)] });
    await index({ mentions: [mention(ada, 10.5)] });
    const rows = await mentions();
    expect(rows.map(({ source }) => source)).toEqual(["import", "speech"]);
    expect(rows[0]?.id).toBe(imported);
    await index({});
    expect((await mentions()).map(({ id }) => id)).toEqual([imported]);
  });

  it("replaces some rows only where told so", async () => {
    await index({
      mentions: [mention(ada, 10), mention(ada, 90)],
      commercials: [commercial(engine, 40), commercial(engine, 80)],
    });
    const before = await mentions();
    const [, later] = await commercials();
    await index({
      replaces: {
        mentionIds: before.slice(1).map(({ id }) => id),
        commercialIds: later ? [later.id] : [],
        words: new Map(),
      },
      mentions: [mention(engine, 91)],
    });
    const after = await mentions();
    expect(after.map(({ entity_id }) => entity_id)).toEqual([ada, engine]);
    expect(after[0]?.id).toBe(before[0]?.id);
    expect((await commercials()).map(({ start_seconds }) => start_seconds)).toEqual([40]);
  });

  it("a row keeps the entity it was found for after a merge, so that the merge can be undone", async () => {
    await index({ mentions: [mention(ada, 10)] });
    const [before] = await mentions();
    await context.pool.transaction((transaction) => mergeEntities(transaction, ada, engine));
    await index({ mentions: [mention(engine, 10)] });
    expect(await mentions()).toEqual([before]);
  });

  it("counts the entities of a video by the group of their type, merged ones once", async () => {
    const brand = await createEntity(context, { type: "brand" });
    const company = await createEntity(context, { type: "company" });
    await index({
      mentions: [mention(ada, 1), mention(ada, 9), mention(engine, 2), mention(brand, 3), mention(company, 4)],
    });
    const before = await countEntitiesOfVideo(context.pool, videoId);
    await context.pool.transaction((transaction) => mergeEntities(transaction, brand, company));
    const after = await countEntitiesOfVideo(context.pool, videoId);
    expect([before.get("organization"), after.get("organization")]).toEqual([2, 1]);
    expect([after.get("person"), after.get("product"), after.get("topic")]).toEqual([1, 1, undefined]);
  });
});
