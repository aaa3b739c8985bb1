import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { feedbackTypes, issueTypesOfKind, itemKindOf } from "../../domain/review/issues.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { createFiredAlert, suggestedChange } from "../builders/feedback.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let statements = 0;
let owner: NewKey;
let videoId: string;
let ids: { person: number; company: number; channel: number; mention: number; appearance: number; row: number };
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
  owner = await edge.newKey();
  const { context } = edge;
  videoId = await createVideo(context);
  const person = await createEntity(context);
  const company = await createEntity(context, { type: "organization" });
  ids = {
    person,
    company,
    channel: await createEntity(context, { type: "channel" }),
    mention: await createMention(context, { videoId, entityId: company }),
    appearance: await createMention(context, { videoId, entityId: person, isAppearance: true }),
    row: await createRecommendation(context, { videoId, entityId: company }),
  };
});

const submit = (body: unknown, { key }: { key: string } = owner, headers: Record<string, string> = {}) =>
  edge.call("POST", "/v1/feedback", { key, body, headers });
const read = (feedbackId: number | string, { key }: { key: string } = owner) =>
  edge.call("GET", `/v1/feedback/${feedbackId}`, { key });

const wrongEntity = (more: Record<string, unknown> = {}) => ({
  item_id: mentionId(ids.mention),
  item_kind: "mention",
  issue_type: "wrong_entity",
  suggested_change: { entity_id: entityId(ids.person) },
  ...more,
});
const aboutMention = (correction: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  type: "mentions",
  query: { entity_id: entityId(ids.company) },
  corrections: [wrongEntity(correction)],
  ...more,
});
const codeOf = async (body: unknown, caller?: { key: string }) => {
  const { status, json } = await submit(body, caller);
  return [status, json.error?.code];
};
const outboxOf = (feedbackId: number) =>
  edge.context.pool.anyFirst(sql.type(z.object({ kind: z.string() }))`
    select kind from outbox where subject = ${String(feedbackId)} and kind = 'review.start'`);

describe("a submission", () => {
  it("answers 201 with the full record, which a read answers too, and costs nothing", async () => {
    const before = (await edge.call("GET", "/v1/me", owner)).json.usage;
    const correction = { reason: "It is her.", notes: "At the start.", observed_rank: 3 };
    const created = await submit(aboutMention(correction, { notes: "Twice." }));
    expect(created.status).toBe(201);
    const { feedback_id: feedbackId, corrections } = created.json;
    expect(created.json).toEqual({
      feedback_id: expect.any(Number),
      type: "mentions",
      status: "pending_review",
      query: { entity_id: entityId(ids.company) },
      notes: "Twice.",
      created_at: expect.stringMatching(/Z$/),
      corrections: [
        {
          correction_id: expect.any(Number),
          status: "pending_review",
          item_id: mentionId(ids.mention),
          item_kind: "mention",
          issue_type: "wrong_entity",
          ...correction,
          suggested_change: { entity_id: entityId(ids.person) },
          resolution_note: null,
          effect: "reads",
          created_at: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect((await read(feedbackId)).json).toEqual(created.json);
    expect(corrections).toHaveLength(1);
    expect((await edge.call("GET", "/v1/me", owner)).json.usage).toEqual(before);
    expect(await outboxOf(feedbackId)).toEqual(["review.start"]);
  });

  it.each(feedbackTypes)(
    "takes every issue of type %s with what is right instead, and none of another's",
    async (type) => {
      const alertId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: ids.company });
      const otherAlertId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: ids.company });
      const kind = itemKindOf(type);
      const itemId = {
        recommendation: recommendationId(ids.row),
        sponsor: entityId(ids.company),
        mention: mentionId(ids.mention),
        appearance: mentionId(ids.appearance),
        entity: entityId(ids.company),
        channel: entityId(ids.channel),
        result: entityId(ids.company),
        alert: alertId,
      }[kind];
      const second = {
        mention: await createMention(edge.context, { videoId, entityId: ids.company, startSeconds: 40 }),
        row: await createRecommendation(edge.context, { videoId, entityId: ids.company, startSeconds: 90 }),
      };
      const corrections = issueTypesOfKind[kind].map((issue) => ({
        item_id: itemId,
        item_kind: kind,
        issue_type: issue,
        suggested_change: suggestedChange(kind, issue, { ...ids, videoId, second, otherAlertId }),
        observed_rank: 1,
      }));
      const query = { channel_id: "channel-1", q: "acme" };
      const created = await submit({ type, query, corrections });
      expect(created.text).not.toContain("error");
      expect(created.json.corrections.map((each: { issue_type: string }) => each.issue_type)).toEqual(
        issueTypesOfKind[kind],
      );
      const foreign = kind === "mention" ? "not_commercial" : "not_mentioned";
      expect(await codeOf({ type, query, corrections: [{ ...corrections[0], issue_type: foreign }] })).toEqual([
        400,
        "invalid_feedback_request",
      ]);
      const wrongKind = kind === "mention" ? "alert" : "mention";
      expect(await codeOf({ type, query, corrections: [{ ...corrections[0], item_kind: wrongKind }] })).toEqual([
        400,
        "invalid_feedback_request",
      ]);
    },
  );

  it("takes the query as URL-encoded JSON and keeps the object", async () => {
    const query = { q: "größe & co", limit: 20, nested: { a: [1, null] } };
    const created = await submit(aboutMention({}, { query: encodeURIComponent(JSON.stringify(query)) }));
    expect([created.status, created.json.query]).toEqual([201, query]);
    expect((await read(created.json.feedback_id)).json.query).toEqual(query);
  });

  it.each([
    ["a form's encoder", new URLSearchParams({ query: JSON.stringify({ q: "1 + 1 & co" }) }).toString().slice(6)],
    ["encodeURIComponent", encodeURIComponent(JSON.stringify({ q: "1 + 1 & co" }))],
    ["nobody", JSON.stringify({ q: "1 + 1 & co" })],
  ])("reads a query that %s encoded", async (_who, query) => {
    expect((await submit(aboutMention({}, { query }))).json.query).toEqual({ q: "1 + 1 & co" });
  });

  it("says of each correction whether applying it would change what reads answer, or only what is recorded", async () => {
    const about = { type: "entities_search", query: { q: "acme" } };
    const correction = { item_id: entityId(ids.company), item_kind: "result" };
    const { json } = await submit({
      ...about,
      corrections: [
        { ...correction, issue_type: "irrelevant" },
        { ...correction, issue_type: "missing_result", suggested_change: { entity_id: entityId(ids.person) } },
      ],
    });
    expect(json.corrections.map((each: { effect: string }) => each.effect)).toEqual(["record", "reads"]);
  });

  it("happens once for an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "one report" };
    const [first, second] = [
      await submit(aboutMention(), owner, headers),
      await submit(aboutMention(), owner, headers),
    ];
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    const kept = await edge.context.pool.oneFirst(
      sql.type(z.object({ count }))`select count(*) from feedback where account_id = ${owner.accountId}`,
    );
    expect(kept).toBe(1);
    const other = await submit(aboutMention({}, { notes: "other" }), owner, headers);
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });
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
