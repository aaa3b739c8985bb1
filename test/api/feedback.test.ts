import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { feedbackTypes, issueTypesOfKind, itemKindOf } from "../../domain/review/issues.ts";
import { createMention, createRecommendation } from "../builders/evidence.ts";
import { createFiredAlert, suggestedChange } from "../builders/feedback.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createFeedbackScene, type FeedbackScene } from "./feedbackScene.ts";

let edge: Edge;
let scene: FeedbackScene;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createFeedbackScene(edge);
});

const outboxOf = (feedbackId: number) =>
  edge.context.pool.anyFirst(sql.type(z.object({ kind: z.string() }))`
    select kind from outbox where subject = ${String(feedbackId)} and kind = 'review.start'`);

describe("a submission", () => {
  it("answers 201 with the full record, which a read answers too, and costs nothing", async () => {
    const { owner, ids, submit, read, aboutMention } = scene;
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
      const { owner, videoId, ids, submit, codeOf } = scene;
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
    const { submit, read, aboutMention } = scene;
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
    const { submit, aboutMention } = scene;
    expect((await submit(aboutMention({}, { query }))).json.query).toEqual({ q: "1 + 1 & co" });
  });

  it("says of each correction whether applying it would change what reads answer, or only what is recorded", async () => {
    const { ids, submit } = scene;
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
    const { owner, submit, aboutMention } = scene;
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
