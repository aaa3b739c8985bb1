import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { matchTrackers, readEvidenceBefore } from "../../services/alerts/matchTrackers.ts";
import type { Caller } from "../../services/context.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { type NewMention, replaceEvidence } from "../../services/indexing/replaceEvidence.ts";
import { updateMonitor } from "../../services/monitors/update.ts";
import { removeTracker } from "../../services/trackers/remove.ts";
import { updateTracker } from "../../services/trackers/update.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "../builders/monitors.ts";

let context: TestContext;
let caller: Caller;
let videoId: string;
let name: string;
let ada: number;
let names = 0;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  names += 1;
  name = `Ada number ${names}`;
  caller = await createCaller(context);
  videoId = await createVideo(context);
  ada = await createNamedEntity(context, name);
});

const mention = (entityId: number, startSeconds: number, more: Partial<NewMention> = {}): NewMention => ({
  entityId,
  startSeconds,
  endSeconds: startSeconds + 2,
  quote: "She spoke of engines.",
  contextBefore: "Before that,",
  contextAfter: "and went on.",
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
const index = (mentions: readonly NewMention[], more: { videoId?: string; fails?: boolean } = {}) =>
  context.pool.transaction(async (transaction) => {
    await replaceEvidence(transaction, {
      videoId: more.videoId ?? videoId,
      origin: { source: "speech", transcriptRevision: 1, detectorVersion: "test-1" },
      replaces: null,
      mentions,
      commercials: [],
    });
    if (more.fails) throw new Error("after the evidence");
  });
const track = (
  more: { filters?: Record<string, unknown>; monitorId?: string; entityName?: string; as?: Caller } = {},
) => {
  const { as = caller, ...input } = more;
  return createTestTracker(context, as, { entityName: name, ...input });
};
const pause = (trackerId: string, isPaused: boolean) =>
  context.pool.transaction((transaction) =>
    updateTracker(context, transaction, caller, trackerId, { delivery: {}, isPaused }),
  );

const occurrenceRow = z.object({
  id: z.string(),
  tracker_id: z.string(),
  kind: z.string(),
  mention_count: z.number(),
  start_seconds: z.number(),
  status: z.string(),
  told: count,
});
/** The occurrences of this test's video, with how many messages have them delivered. */
const occurrences = (of = videoId) =>
  context.pool.any(sql.type(occurrenceRow)`
    select id, tracker_id, kind, mention_count, start_seconds, status,
      (select count(*) from outbox where kind = 'alert.start' and subject = alert_occurrence.id) as told
    from alert_occurrence where video_id = ${of} order by tracker_id`);
const firedBy = async (of = videoId) => (await occurrences(of)).map(({ tracker_id }) => tracker_id);

describe("new evidence", () => {
  it("fires each tracker on its entities once, with the message that has it delivered, however many mentions match", async () => {
    const other = await createCaller(context);
    const trackers = [await track(), await track({ as: other })];
    await createNamedEntity(context, `${name} junior`);
    await track({ entityName: `${name} junior` });
    await index([mention(ada, 30), mention(ada, 10), mention(ada, 50)]);
    expect(await occurrences()).toEqual(
      trackers.toSorted().map((tracker_id) =>
        expect.objectContaining({
          tracker_id,
          kind: "mention",
          mention_count: 3,
          start_seconds: 10,
          status: "pending",
          told: 1,
        }),
      ),
    );
  });

  it("shows an appearance where there is one", async () => {
    await track();
    await index([mention(ada, 10), mention(ada, 40, { isAppearance: true, appearanceRole: "guest" })]);
    expect(await occurrences()).toMatchObject([{ kind: "appearance", start_seconds: 40, mention_count: 2 }]);
  });

  it("fires a tracker once for a video, ever, and again for the next video", async () => {
    const tracker = await track();
    await index([mention(ada, 10)]);
    await index([mention(ada, 10), mention(ada, 90)]);
    await index([]);
    await index([mention(ada, 10)]);
    expect(await occurrences()).toHaveLength(1);
    const next = await createVideo(context);
    await index([mention(ada, 10)], { videoId: next });
    expect(await firedBy(next)).toEqual([tracker]);
  });

  it("that is rolled back fires nothing", async () => {
    await track();
    await expect(index([mention(ada, 10)], { fails: true })).rejects.toThrow("after the evidence");
    expect(await occurrences()).toEqual([]);
    await index([mention(ada, 10)]);
    expect(await occurrences()).toMatchObject([{ told: 1 }]);
  });

  it("fires once when a video is indexed by two at the same time", async () => {
    await track();
    await Promise.all([index([mention(ada, 10)]), index([mention(ada, 11)]), index([mention(ada, 12)])]);
    expect(await occurrences()).toMatchObject([{ told: 1 }]);
  });

  it("that was imported fires too", async () => {
    const tracker = await track();
    await createMention(context, { videoId, entityId: ada, startSeconds: 5 });
    await context.pool.transaction(async (transaction) => {
      const before = await readEvidenceBefore(transaction, [videoId]);
      expect(await matchTrackers(transaction, videoId, before)).toBe(0);
      expect(await matchTrackers(transaction, videoId, new Map())).toBe(1);
    });
    expect(await firedBy()).toEqual([tracker]);
  });

  it("names monitor, tracker and entity as they were", async () => {
    const { monitor } = await createTestMonitor(context, caller, { name: "Press" });
    await track({ monitorId: monitor.monitorId });
    await index([mention(ada, 10)]);
    await context.pool.transaction((tx) => updateMonitor(context, tx, caller, monitor.monitorId, { name: "Renamed" }));
    const row = z.object({
      monitor_id: z.string(),
      monitor_name: z.string(),
      tracker_name: z.string(),
      entity_name: z.string(),
      quote: z.string(),
    });
    expect(
      await context.pool.one(sql.type(row)`
        select monitor_id, monitor_name, tracker_name, entity_name, quote from alert_occurrence where video_id = ${videoId}`),
    ).toEqual({
      monitor_id: monitor.monitorId,
      monitor_name: "Press",
      tracker_name: name,
      entity_name: name,
      quote: "She spoke of engines.",
    });
  });
});

describe("merged entities", () => {
  it("are one: a tracker on either fires for a mention of either", async () => {
    const into = await createNamedEntity(context, `${name} the great`);
    const trackers = [await track(), await track({ entityName: `${name} the great` })];
    await context.pool.transaction((transaction) => mergeEntities(transaction, ada, into));
    await index([mention(into, 10)]);
    expect(await firedBy()).toEqual(trackers.toSorted());
    const imported = await createVideo(context);
    await createMention(context, { videoId: imported, entityId: ada });
    await context.pool.transaction((transaction) => matchTrackers(transaction, imported, new Map()));
    expect(await firedBy(imported)).toEqual(trackers.toSorted());
  });
});

describe("filters", () => {
  it("decide which mentions count", async () => {
    const trackers = {
      engines: await track({ filters: { query: "engine*" } }),
      poems: await track({ filters: { query: "poem*" }, as: await createCaller(context) }),
      around: await track({ filters: { query: '"went on"', minConfidence: 0.8 }, as: await createCaller(context) }),
      guests: await track({ filters: { kinds: ["appearance"] }, as: await createCaller(context) }),
      elsewhere: await track({ filters: { channelIds: ["another"] }, as: await createCaller(context) }),
      unknown: await track({ filters: { anything: true }, as: await createCaller(context) }),
    };
    await index([mention(ada, 10), mention(ada, 30, { quote: "Her poems.", confidence: 0.5 })]);
    const fired = new Map((await occurrences()).map((each) => [each.tracker_id, each.mention_count]));
    expect(fired).toEqual(
      new Map([
        [trackers.engines, 1],
        [trackers.poems, 1],
        [trackers.around, 1],
        [trackers.unknown, 2],
      ]),
    );
  });

  it("are asked again when a mention's words change, and not when they stay", async () => {
    const tracker = await track({ filters: { query: "merger" } });
    await index([mention(ada, 10)]);
    expect(await occurrences()).toEqual([]);
    await index([mention(ada, 10, { quote: "She spoke of the merger." })]);
    expect(await firedBy()).toEqual([tracker]);
  });

  it("that are widened do not reach back to what was said before", async () => {
    const tracker = await track({ filters: { query: "merger" } });
    await index([mention(ada, 10)]);
    await context.pool.transaction((tx) =>
      updateTracker(context, tx, caller, tracker, { delivery: {}, filters: { query: "engine*" } }),
    );
    await index([mention(ada, 10)]);
    expect(await occurrences()).toEqual([]);
    await index([mention(ada, 10), mention(ada, 90)]);
    expect(await occurrences()).toMatchObject([{ mention_count: 1, start_seconds: 90 }]);
  });
});

describe("what is paused", () => {
  it("stays silent, and what was said meanwhile is not made up for", async () => {
    const tracker = await track();
    await pause(tracker, true);
    await index([mention(ada, 10)]);
    await pause(tracker, false);
    await index([mention(ada, 10.5)]);
    expect(await occurrences()).toEqual([]);
    await index([mention(ada, 10.5), mention(ada, 200)]);
    expect(await occurrences()).toMatchObject([{ start_seconds: 200, mention_count: 1 }]);
  });

  it("silences all trackers of a paused monitor, and no other", async () => {
    const { monitor } = await createTestMonitor(context, caller, { isPaused: true });
    const silent = await track({ monitorId: monitor.monitorId });
    const heard = await track({ as: await createCaller(context) });
    await index([mention(ada, 10)]);
    expect(await firedBy()).toEqual([heard]);
    await context.pool.transaction((tx) => updateMonitor(context, tx, caller, monitor.monitorId, { isPaused: false }));
    const next = await createVideo(context);
    await index([mention(ada, 10)], { videoId: next });
    expect(await firedBy(next)).toEqual([silent, heard].toSorted());
  });

  it("a tracker made after a video was indexed is not fired by looking at it again", async () => {
    await index([mention(ada, 10)]);
    await track();
    await index([mention(ada, 10)]);
    expect(await occurrences()).toEqual([]);
  });

  it("a deleted tracker fires nothing more, and what it fired stays", async () => {
    const tracker = await track();
    await index([mention(ada, 10)]);
    await context.pool.transaction((transaction) => removeTracker(transaction, caller, tracker));
    const next = await createVideo(context);
    await index([mention(ada, 10)], { videoId: next });
    expect([await firedBy(), await firedBy(next)]).toEqual([[tracker], []]);
  });
});

describe("a burst", () => {
  it("of 2,500 matching trackers fires each once, in batches", async () => {
    await context.pool.query(sql.typeAlias("void")`
      insert into account (id, email, tier) select 'usr_burst' || n, 'burst@example.com', 'pro' from generate_series(1, 2500) as n`);
    await context.pool.query(sql.typeAlias("void")`
      insert into tracker (id, account_id, entity_id, filters, created_at, updated_at)
      select 'trk_burst' || n, 'usr_burst' || n, ${ada}, case when n % 5 = 0 then '{"query":"poems"}' else '{}' end::jsonb, now(), now()
      from generate_series(1, 2500) as n`);
    await index([mention(ada, 10)]);
    const fired = await occurrences();
    expect(fired).toHaveLength(2000);
    expect(new Set(fired.map(({ told }) => told))).toEqual(new Set([1]));
    await index([mention(ada, 10), mention(ada, 60)]);
    expect(await occurrences()).toHaveLength(2000);
  });
});
