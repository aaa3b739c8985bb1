import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { createMention, createRecommendation } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
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

describe("the queue", () => {
  it("lists what waits, by status, type, account and key, from either end, and pages through it", async () => {
    const { owner, videoId, company, submit, review, accept, queue, notMentioned } = scene;
    const stranger = await edge.newKey();
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await submit([await notMentioned()]));
    const row = await createRecommendation(edge.context, { videoId, entityId: company });
    const commercial = await submit([{ kind: "recommendation", id: recommendationId(row), issue: "not_commercial" }]);
    await submit([await notMentioned()], stranger);
    await accept(ids[1] ?? 0);
    await review(ids[2] ?? 0, "decide", { decision: "rejected" });
    const listed = async (query: string) =>
      (await queue(`account_id=${owner.accountId}&${query}`)).json.data.map(
        (each: { feedback_id: number }) => each.feedback_id,
      );
    expect(await listed("")).toEqual([...ids, commercial]);
    expect(await listed("order=newest")).toEqual([commercial, ...ids.toReversed()]);
    expect(await listed("status=pending_review")).toEqual([ids[0], ids[3], ids[4], commercial]);
    expect(await listed("status=open")).toEqual([ids[0], ids[1], ids[3], ids[4], commercial]);
    expect(await listed("status=rejected")).toEqual([ids[2]]);
    expect(await listed("type=recommendations")).toEqual([commercial]);
    expect(await listed(`key_id=${stranger.keyId}`)).toEqual([]);
    const seen: number[] = [];
    for (let cursor = ""; ;) {
      const { json } = await queue(`account_id=${owner.accountId}&limit=2${cursor}`);
      seen.push(...json.data.map((each: { feedback_id: number }) => each.feedback_id));
      if (!json.has_more) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual([...ids, commercial]);
    const { json } = await queue(`account_id=${owner.accountId}&limit=2`);
    const foreign = await queue(`account_id=${stranger.accountId}&limit=2&cursor=${json.next_cursor}`);
    expect(foreign.json.error.code).toBe("invalid_query");
    expect((await queue("status=unheard_of")).json.error.code).toBe("invalid_query");
  });

  it("is for internal keys alone", async () => {
    const { owner } = scene;
    for (const path of ["/internal/reviews", "/internal/reviews/1"])
      expect((await edge.call("GET", path, owner)).status).toBe(401);
    expect((await edge.call("GET", "/internal/reviews/999999999", { key: edge.internalKey })).json.error.code).toBe(
      "feedback_not_found",
    );
  });
});

describe("one review", () => {
  it("shows what is claimed beside what the index says, the talk with the words marked, and the video at the second", async () => {
    const { owner, videoId, company, submit, show, companyId, personId } = scene;
    const segments = [
      { start: 60, end: 64, text: "Before that nothing." },
      { start: 64, end: 70, text: "We asked Company One about it." },
    ];
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into caption_track (video_id, language, source, segments) values (${videoId}, 'en', 'import', ${sql.jsonb(segments)})`);
    const id = await createMention(edge.context, {
      videoId,
      entityId: company,
      startSeconds: 65.5,
      quote: "company one",
    });
    const item: Item = { kind: "mention", id: mentionId(id), issue: "wrong_entity", change: { entity_id: personId } };
    const { corrections, reputation, history, account_id, key_id } = await show(await submit([item]));
    expect([account_id, key_id]).toEqual([owner.accountId, owner.keyId]);
    expect(corrections).toHaveLength(1);
    const { evidence, suggested_change } = corrections[0];
    expect(suggested_change).toEqual({ entity_id: personId });
    expect(evidence.current.mention).toMatchObject({ id: mentionId(id), entity: { id: companyId } });
    const { text, mark_start, mark_end } = evidence.excerpt;
    expect([text, text.slice(mark_start, mark_end)]).toEqual([
      "Before that nothing. We asked Company One about it.",
      "Company One",
    ]);
    expect(evidence.video_link).toContain(`${videoId}&t=65s`);
    expect([reputation, history]).toEqual([{ submitted: 1, accepted: 0, rejected: 0, reverted: 0 }, []]);
  });

  it("shows sponsors, alerts and entities as they are, and null for what is gone", async () => {
    const { owner, videoId, channelId, company, submit, review, accept, show, notMentioned, companyId } = scene;
    const { context } = edge;
    await createRecommendation(context, { videoId, entityId: company });
    const alertId = await createFiredAlert(context, owner.accountId, { videoId, entityId: company });
    const gone = await notMentioned();
    const about = async (item: Item) => (await show(await submit([item]))).corrections[0].evidence;
    const sponsor = await about({ kind: "sponsor", id: companyId, issue: "not_a_sponsor" });
    expect(sponsor.current).toMatchObject({ channel_id: channelId, sponsor: { ad_read_count: 1 } });
    const alert = await about({ kind: "alert", id: alertId, issue: "late_alert" });
    expect([alert.current.alert.id, alert.excerpt.text]).toEqual([alertId, "They spoke of it."]);
    expect((await about({ kind: "entity", id: companyId, issue: "should_split" })).current.entity.id).toBe(companyId);
    const [first, second] = [await submit([gone]), await submit([gone])];
    await accept(first);
    await review(first, "apply");
    expect((await show(second)).corrections[0].evidence).toMatchObject({
      current: null,
      excerpt: null,
      video_link: null,
    });
  });

  it("counts what became of a key's corrections", async () => {
    const { submit, review, accept, show, notMentioned } = scene;
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await submit([await notMentioned()]));
    const [first = 0, second = 0, third = 0, fourth = 0] = ids;
    for (const id of [first, second]) {
      await accept(id);
      await review(id, "apply");
    }
    await review(second, "revert");
    await review(third, "decide", { decision: "rejected" });
    expect((await show(fourth)).reputation).toEqual({ submitted: 4, accepted: 2, rejected: 1, reverted: 1 });
  });

  it("keeps who did what, when, and what was refused", async () => {
    const { submit, review, accept, show, read, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned()]);
    await review(feedbackId, "request-information", { resolution_note: "Which words?" });
    await review(feedbackId, "supply-information", { resolution_note: "The first ones." });
    await review(feedbackId, "apply");
    await accept(feedbackId);
    await accept(feedbackId);
    const { history, corrections } = await show(feedbackId);
    expect(history.map((each: Record<string, unknown>) => [each["verb"], each["outcome"], each["note"]])).toEqual([
      ["request_information", "done", "Which words?"],
      ["supply_information", "done", "The first ones."],
      ["apply", "refused", null],
      ["accept", "done", null],
    ]);
    expect(history[2].refusal).toMatch(/pending_review/);
    expect(new Set(history.map((each: { actor: string }) => each.actor)).size).toBe(1);
    // The question is not what was decided.
    expect(corrections[0].resolution_note).toBeNull();
    expect((await read(`/v1/feedback/${feedbackId}`)).corrections[0].resolution_note).toBeNull();
  });
});

const counts = (mention_count: number) => ({ mention_count, appearance_count: 0, commercial_count: 0 });

describe("a preview", () => {
  it("says which rows, counts, alerts and pages would change, and changes nothing", async () => {
    const { owner, videoId, company, person, submit, review, accept, show, read, companyId, personId } = scene;
    const id = await createMention(edge.context, { videoId, entityId: company });
    const alertId = await createFiredAlert(edge.context, owner.accountId, {
      videoId,
      entityId: company,
      mentionId: id,
    });
    const item: Item = { kind: "mention", id: mentionId(id), issue: "wrong_entity", change: { entity_id: personId } };
    const feedbackId = await submit([item]);
    const before = await read(`/v1/entities/${companyId}`);
    const { status, json } = await review(feedbackId, "preview");
    expect(status).toBe(200);
    expect(json.corrections).toEqual([
      {
        correction_id: expect.any(Number),
        effect: "reads",
        refusal: null,
        rows: [
          {
            table: "mention",
            key: { id },
            change: "changed",
            before: { entity_id: company },
            after: { entity_id: person },
          },
        ],
      },
    ]);
    expect(json.counts).toEqual([
      { entity_id: companyId, before: counts(1), after: counts(0) },
      { entity_id: personId, before: counts(0), after: counts(1) },
    ]);
    expect(json.alert_ids).toEqual([alertId]);
    expect(json.pages).toEqual(
      expect.arrayContaining([`/v1/entities/${personId}/mentions`, `/v1/transcripts/${videoId}`]),
    );
    expect(await read(`/v1/entities/${companyId}`)).toEqual(before);
    expect((await show(feedbackId)).status).toBe("pending_review");
    await accept(feedbackId);
    await review(feedbackId, "apply");
    const back = await review(feedbackId, "preview", { action: "revert" });
    expect(back.json.counts[0]).toEqual({ entity_id: companyId, before: counts(0), after: counts(1) });
    expect((await show(feedbackId)).status).toBe("applied");
  });

  it("says why it cannot be done", async () => {
    const { submit, review, accept, notMentioned } = scene;
    const item = await notMentioned();
    const [first, second] = [await submit([item]), await submit([item])];
    await accept(first);
    await review(first, "apply");
    const { json } = await review(second, "preview");
    expect([json.corrections[0].refusal, json.corrections[0].rows]).toEqual([
      expect.stringContaining("not there any more"),
      [],
    ]);
  });
});
