import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import type { FeedbackType } from "../../domain/review/issues.ts";
import { recordDescribedVideo } from "../../services/channels/recordDescribedVideo.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { readableState } from "../builders/readableState.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type Item, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
});

const apply = (item: Item) => scene.apply(item);

/** Why it cannot be accepted or applied; then nothing has changed. */
async function refusalOf(item: Item): Promise<string | undefined> {
  return refusalOfSubmitted(await scene.submit([item]));
}

async function refusalOfSubmitted(feedbackId: number): Promise<string | undefined> {
  const before = await readableState(edge.context);
  const refusal = await scene.refusalOf(feedbackId);
  if (refusal !== undefined) expect(await readableState(edge.context)).toEqual(before);
  return refusal;
}

const alert = (id: string, issue: string, change?: Record<string, unknown>): Item => ({
  kind: "alert",
  id,
  issue,
  ...(change !== undefined && { change }),
});
const fire = (videoId = scene.videoId) =>
  createFiredAlert(edge.context, scene.owner.accountId, { videoId, entityId: scene.company });

describe("an alert", () => {
  it("is a duplicate of one that stands, of the same video", async () => {
    const [one, other, third] = [await fire(), await fire(), await fire()];
    const elsewhere = await fire(await createVideo(edge.context, { channelId: scene.channelId }));
    expect(await refusalOf(alert(one, "duplicate_alert", { duplicate_of: elsewhere }))).toBe(
      `Alert ${elsewhere} is about another video; name one of the same video.`,
    );
    await apply(alert(one, "duplicate_alert", { duplicate_of: other }));
    for (const standing of [other, third])
      expect(await refusalOf(alert(standing, "duplicate_alert", { duplicate_of: one }))).toBe(
        `Alert ${one} was taken back itself; name one that stands, or revert that first.`,
      );
  });

  it("is taken back once", async () => {
    const one = await fire();
    const first = await apply(alert(one, "false_positive"));
    const message = `Alert ${one} was taken back before; there is nothing left to take back.`;
    expect(await refusalOf(alert(one, "false_positive"))).toBe(message);
    expect(await refusalOf(alert(one, "duplicate_alert", { duplicate_of: await fire() }))).toBe(message);
    await scene.review(first, "revert");
    await apply(alert(one, "false_positive"));
  });
});

const wrong = (id: string, issue: string, change: Record<string, unknown>): Item => ({
  kind: "entity",
  id,
  issue,
  change,
});
const channelEntity = async () =>
  entityId(await createEntity(edge.context, { type: "channel", name: "History Hour", platformId: scene.channelId }));

describe("a channel of the platform", () => {
  it("stays one: it gets no other type and is merged into channels alone", async () => {
    const { channelId, companyId, read } = scene;
    const id = await channelEntity();
    const message = (type: string) =>
      `${id} is the channel ${channelId} of the platform and cannot be a ${type}; merge it only into a channel, or say with \`wrong_owner\` whose it is.`;
    expect(await refusalOf(wrong(id, "wrong_type", { type: "brand" }))).toBe(message("brand"));
    expect(await refusalOf(wrong(id, "duplicate_entity", { canonical_id: companyId }))).toBe(message("organization"));
    const twin = entityId(await createEntity(edge.context, { type: "channel", name: "The History Hour" }));
    await apply(wrong(id, "duplicate_entity", { canonical_id: twin }));
    expect(await refusalOf(wrong(twin, "wrong_type", { type: "brand" }))).toContain("is the channel");
    expect((await read(`/v1/channels/${channelId}`)).channel).toMatchObject({ id: twin, type: "channel" });
  });

  it("is called by its new name everywhere, whatever its videos say, until that is reverted", async () => {
    const { channelId, videoId, company, read, review } = scene;
    const id = await channelEntity();
    const row = await createRecommendation(edge.context, { videoId, entityId: company });
    await edge.context.pool.query(
      sql.typeAlias("void")`update channel set name = 'History Hour' where id = ${channelId}`,
    );
    const look = async () => [
      (await read(`/v1/channels/${channelId}`)).channel.name,
      (await read(`/v1/channels/${channelId}/sponsors`)).channel.name,
      (await read(`/v1/recommendations?channel_id=${channelId}`)).data.map(
        (each: { id: string; media: { source_channel: { name: string } } }) => [
          each.id,
          each.media.source_channel.name,
        ],
      ),
    ];
    const named = (name: string) => [name, name, [[recommendationId(row), name]]];
    expect(await look()).toEqual(named("History Hour"));
    const feedbackId = await apply(wrong(id, "wrong_name", { name: "History Hour HD" }));
    expect(await look()).toEqual(named("History Hour HD"));
    const video = { videoId, title: "Again", publishedAt: new Date(), durationSeconds: 600, language: null };
    const described = { ...video, channel: { id: channelId, name: "History Hour" } };
    await edge.context.pool.transaction((tx) => recordDescribedVideo(edge.context, tx, described, "test"));
    expect(await look()).toEqual(named("History Hour HD"));
    expect((await review(feedbackId, "revert")).status).toBe(200);
    expect(await look()).toEqual(named("History Hour"));
  });
});

const submitted = async (type: FeedbackType, correction: Record<string, unknown>) => {
  const body = { type, query: { channel_id: scene.channelId }, corrections: [correction] };
  const { json } = await edge.call("POST", "/v1/feedback", { key: scene.owner.key, body });
  return refusalOfSubmitted(json.feedback_id);
};
const until = (end_seconds: number) => ({ start_seconds: 200, end_seconds });
const appearance = (issue_type: string, item_id: string, suggested_change: Record<string, unknown>) =>
  submitted("appearances", { item_id, item_kind: "appearance", issue_type, suggested_change });

describe("evidence", () => {
  it("says once that a person appears in a video", async () => {
    const { videoId, person, personId } = scene;
    const present = await createMention(edge.context, { videoId, entityId: person, isAppearance: true });
    const place = { video_id: videoId, start_seconds: 60, end_seconds: 70, quote: "Here she is." };
    expect(await appearance("missing", personId, place)).toBe(
      `${personId} appears in the video already: ${mentionId(present)}; correct that row instead.`,
    );
    const other = await createEntity(edge.context);
    expect(await appearance("missing", entityId(other), place)).toBeUndefined();
    const { data } = await scene.read(`/v1/entities/${entityId(other)}/mentions`);
    expect(await appearance("wrong_person", data[0].id, { entity_id: personId })).toContain(
      `${personId} appears in the video already: ${mentionId(present)}; take this row out with`,
    );
  });

  it("stands inside its video, of which the length is known", async () => {
    const { company, companyId, channelId, owner } = scene;
    const videoId = await createVideo(edge.context, { channelId, durationSeconds: 212 });
    const about = { videoId, entityId: company };
    const mention = mentionId(await createMention(edge.context, about));
    const row = recommendationId(await createRecommendation(edge.context, about));
    const alertId = await createFiredAlert(edge.context, owner.accountId, about);
    const missing = { video_id: videoId, ...until(900) };
    const message = "The video ends at 212 seconds, before `end_seconds`; say where in it that is.";
    for (const [type, item_kind, item_id, issue_type, suggested_change] of [
      ["mentions", "mention", mention, "wrong_timestamp", until(900)],
      ["mentions", "mention", companyId, "missing", { ...missing, quote: "There." }],
      ["appearances", "appearance", scene.personId, "missing", { ...missing, quote: "There." }],
      ["recommendations", "recommendation", row, "wrong_timestamp", until(900)],
      ["recommendations", "recommendation", companyId, "missing", { ...missing, mention_class: "ad_read" }],
      ["monitor_alert", "alert", alertId, "wrong_timestamp", until(900)],
    ] as const)
      expect([type, await submitted(type, { item_kind, item_id, issue_type, suggested_change })]).toEqual([
        type,
        message,
      ]);
    const inside = { item_kind: "mention", item_id: mention, issue_type: "wrong_timestamp" };
    expect(await submitted("mentions", { ...inside, suggested_change: until(212.5) })).toBeUndefined();
    await edge.context.pool.query(
      sql.typeAlias("void")`update video set duration_seconds = null where id = ${videoId}`,
    );
    expect(await submitted("mentions", { ...inside, suggested_change: until(900) })).toBeUndefined();
  });
});

describe("a name", () => {
  it.each([
    "\u200b\u200b",
    "Ada\nLovelace",
    "Ada\tLovelace",
    "Ada \u202eX",
    "Ada\u2028Lovelace",
    "\u2066Ada\u2069",
    "\u200d",
  ])("that nobody can read is refused: %j", async (name) => {
    for (const [issue_type, suggested_change] of [
      ["wrong_name", { name }],
      ["missing_alias", { alias: name }],
    ] as const) {
      const corrections = [{ item_id: scene.companyId, item_kind: "entity", issue_type, suggested_change }];
      const body = { type: "entities", query: { id: scene.companyId }, corrections };
      const { status, json } = await edge.call("POST", "/v1/feedback", { key: scene.owner.key, body });
      expect([status, json.error?.code]).toEqual([400, "invalid_feedback_request"]);
      expect(json.error.message).toMatch(/`(name|alias)`: must have/);
    }
  });

  it.each(["新海 誠", "می\u200cخواهم", "👩\u200d🚀 Channel", "!!!", "O’Neil & Söhne"])(
    "is as it is written: %j",
    async (name) => {
      await apply({ kind: "entity", id: scene.companyId, issue: "missing_alias", change: { alias: name } });
      const { entity } = await scene.read(`/v1/entities/lookup?name=${encodeURIComponent(name)}`);
      expect(entity.id).toBe(scene.companyId);
    },
  );
});
