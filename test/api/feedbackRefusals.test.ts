import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createFeedbackScene, type FeedbackScene } from "./feedbackScene.ts";

let edge: Edge;
let scene: FeedbackScene;
let statements = 0;
beforeAll(async () => {
  edge = await startEdge({
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
    onStatement: () => {
      statements += 1;
    },
  });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createFeedbackScene(edge);
});

const about = (type: string, kind: string, itemId: string, issue: string, change?: unknown) => ({
  type,
  query: { channel_id: "channel-1" },
  corrections: [
    {
      item_id: itemId,
      item_kind: kind,
      issue_type: issue,
      ...(change !== undefined && { suggested_change: change }),
    },
  ],
});

describe("a submission is refused", () => {
  it("with invalid_feedback_request for what does not fit", async () => {
    const { ids, wrongEntity, aboutMention, codeOf } = scene;
    const { type: _, ...untyped } = aboutMention();
    const { query: __, ...unasked } = aboutMention();
    const bodies = [
      untyped,
      unasked,
      aboutMention({}, { type: "films" }),
      aboutMention({}, { query: {} }),
      aboutMention({}, { query: "" }),
      aboutMention({}, { query: "%7Bnot json" }),
      aboutMention({}, { query: "%E0%A4%A" }),
      aboutMention({}, { query: encodeURIComponent("[1]") }),
      aboutMention({}, { query: encodeURIComponent("{}") }),
      aboutMention({}, { query: encodeURIComponent('{"q":"\\u0000"}') }),
      aboutMention({}, { query: encodeURIComponent("null") }),
      aboutMention({}, { query: null }),
      aboutMention({}, { query: ["q"] }),
      aboutMention({}, { query: { q: "x".repeat(20_001) } }),
      aboutMention({ item_id: "" }),
      aboutMention({ item_id: "men_1e3" }),
      aboutMention({ item_id: `men_${"9".repeat(40)}` }),
      aboutMention({ item_id: "ent_1" }),
      aboutMention({ observed_rank: 0 }),
      aboutMention({ observed_rank: 1.5 }),
      aboutMention({ observed_rank: "1" }),
      aboutMention({ item_id: entityId(ids.company), issue_type: "missing", suggested_change: { quote: "x" } }),
      aboutMention({
        item_id: entityId(ids.company),
        issue_type: "missing",
        suggested_change: { video_id: "nowhere0000", start_seconds: 1, end_seconds: 2, quote: "x" },
      }),
      {
        type: "search",
        query: { q: "acme" },
        corrections: [
          { item_id: entityId(ids.company), item_kind: "result", issue_type: "irrelevant", observed_rank: 0 },
        ],
      },
      {
        type: "appearances",
        query: { a: 1 },
        corrections: [
          {
            item_id: mentionId(ids.appearance),
            item_kind: "appearance",
            issue_type: "wrong_person",
            suggested_change: { entity_id: entityId(ids.company) },
          },
        ],
      },
      aboutMention({}, { corrections: [] }),
      aboutMention({}, { corrections: Array.from({ length: 51 }, () => wrongEntity()) }),
      aboutMention({ item_id: "men_x" }),
      aboutMention({ item_id: "com_1" }),
      aboutMention({ issue_type: "wrong_everything" }),
      aboutMention({ suggested_change: { entity_id: "ent_" } }),
      aboutMention({ suggested_change: { entity_id: 7 } }),
      aboutMention({ suggested_change: "ent_7" }),
      aboutMention({ issue_type: "wrong_timestamp", suggested_change: { start_seconds: 9, end_seconds: 5 } }),
      aboutMention({ issue_type: "wrong_sentiment", suggested_change: { sentiment_score: 2 } }),
      {
        type: "recommendations",
        query: { a: 1 },
        corrections: [wrongEntity({ item_kind: "recommendation", item_id: "com_x" })],
      },
      {
        type: "appearances",
        query: { a: 1 },
        corrections: [{ item_id: mentionId(ids.mention), item_kind: "appearance", issue_type: "person_not_present" }],
      },
      {
        type: "channels",
        query: { a: 1 },
        corrections: [{ item_id: entityId(ids.company), item_kind: "channel", issue_type: "should_split" }],
      },
      {
        type: "search",
        query: { q: "acme" },
        corrections: [{ item_id: entityId(ids.company), item_kind: "result", issue_type: "irrelevant" }],
      },
    ];
    for (const body of bodies) expect([body, await codeOf(body)]).toEqual([body, [400, "invalid_feedback_request"]]);
  });

  it("with invalid_body for unknown fields and broken JSON", async () => {
    const { ids, aboutMention, codeOf } = scene;
    const bodies = [
      "{broken",
      "[]",
      '{"type":"mentions","query":{"q":"\\u0000"},"corrections":[]}',
      aboutMention({}, { colour: "red" }),
      aboutMention({ colour: "red" }),
      aboutMention({ suggested_change: { entity_id: entityId(ids.person), colour: "red" } }),
      aboutMention({ issue_type: "not_mentioned" }),
    ];
    for (const body of bodies) expect([body, await codeOf(body)]).toEqual([body, [400, "invalid_body"]]);
  });

  it("with the not-found code of what it names", async () => {
    const { aboutMention, codeOf } = scene;
    const nowhere = 999_999_999;
    expect(await codeOf(aboutMention({ item_id: mentionId(nowhere) }))).toEqual([404, "mention_not_found"]);
    expect(await codeOf(aboutMention({ suggested_change: { entity_id: entityId(nowhere) } }))).toEqual([
      404,
      "entity_not_found",
    ]);
    expect(await codeOf(about("recommendations", "recommendation", "com_999999999", "not_commercial"))).toEqual([
      404,
      "recommendation_not_found",
    ]);
    expect(await codeOf(about("entities", "entity", "ent_999999999", "should_split"))).toEqual([
      404,
      "entity_not_found",
    ]);
  });

  it("with alert_not_found for an alert of others as for one that is nowhere: the same bytes, after the same statements", async () => {
    const { owner, videoId, ids, submit, codeOf } = scene;
    const stranger = await edge.newKey();
    const foreign = await createFiredAlert(edge.context, stranger.accountId, { videoId, entityId: ids.company });
    const own = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: ids.company });
    const answers = [];
    for (const alertId of ["alr_01k4z8m3v9f0k8xqj7t2w5n6cd", foreign, "7", "no id at all", `${own}x`]) {
      const begun = statements;
      const { status, json } = await submit(about("monitor_alert", "alert", alertId, "late_alert"));
      const { request_id: _, ...error } = json.error;
      answers.push({ status, error, statements: statements - begun });
    }
    expect(answers[0]).toMatchObject({ status: 404, error: { code: "alert_not_found" } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await codeOf(about("monitor_alert", "alert", own, "duplicate_alert", { duplicate_of: foreign }))).toEqual([
      404,
      "alert_not_found",
    ]);
    expect((await submit(about("monitor_alert", "alert", own, "late_alert"))).status).toBe(201);
  });

  it("for commercial data, where the plan or the key may not read it: the tier first, by the type alone", async () => {
    const { submit, aboutMention, codeOf } = scene;
    const lower = await edge.newKey({ tier: "pro" });
    const unscoped = await edge.newKey({ scopes: ["read"] });
    for (const type of ["recommendations", "channel_sponsors"]) {
      expect(await codeOf({ type }, lower)).toEqual([403, "recommendations_not_enabled"]);
      const { json } = await submit({ type }, unscoped);
      expect([json.error.code, json.error.message]).toEqual([
        "insufficient_scope",
        expect.stringContaining("recommendations:read"),
      ]);
      expect(await codeOf({ type })).toEqual([400, "invalid_feedback_request"]);
    }
    expect((await submit(aboutMention(), lower)).status).toBe(201);
    expect((await submit(aboutMention(), unscoped)).status).toBe(201);
  });
});
