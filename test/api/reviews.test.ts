import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let owner: NewKey;
let videoId: string;
let channelId: string;
let company: number;
let person: number;
let scenes = 0;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scenes += 1;
  owner = await edge.newKey();
  channelId = `channel-${scenes}`;
  videoId = await createVideo(edge.context, { channelId, publishedAt: new Date() });
  company = await createEntity(edge.context, { type: "organization", name: `Company Number${scenes}` });
  person = await createEntity(edge.context, { name: `Person Number${scenes}` });
});

interface Item {
  kind: string;
  id: string;
  issue: string;
  change?: Record<string, unknown>;
  query?: Record<string, unknown>;
}
const types: Record<string, string> = {
  mention: "mentions",
  recommendation: "recommendations",
  sponsor: "channel_sponsors",
  entity: "entities",
  result: "entities_search",
  alert: "monitor_alert",
};

async function submit(items: readonly Item[], caller: NewKey = owner): Promise<number> {
  const [{ kind, query } = { kind: "", query: undefined }] = items;
  const { status, json } = await edge.call("POST", "/v1/feedback", {
    key: caller.key,
    body: {
      type: types[kind],
      query: query ?? { channel_id: channelId },
      corrections: items.map((item) => ({
        item_id: item.id,
        item_kind: item.kind,
        issue_type: item.issue,
        ...(item.change !== undefined && { suggested_change: item.change }),
      })),
    },
  });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.feedback_id;
}

const review = (feedbackId: number, verb: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  edge.call("POST", `/internal/reviews/${feedbackId}/${verb}`, { key: edge.internalKey, body, headers });
const show = async (feedbackId: number) =>
  (await edge.call("GET", `/internal/reviews/${feedbackId}`, { key: edge.internalKey })).json;
const queue = (query: string) => edge.call("GET", `/internal/reviews?${query}`, { key: edge.internalKey });
const read = async (path: string, caller: NewKey = owner) => (await edge.call("GET", path, caller)).json;
const accept = (feedbackId: number) => review(feedbackId, "decide", { decision: "accepted" });

/** Accepts and applies; what the API answers before, meanwhile, and after it is reverted. */
async function throughReview<T>(item: Item, look: () => Promise<T>): Promise<{ before: T; applied: T; after: T }> {
  const feedbackId = await submit([item]);
  const before = await look();
  expect((await accept(feedbackId)).status).toBe(200);
  expect((await review(feedbackId, "apply")).json).toMatchObject({ status: "applied" });
  const applied = await look();
  expect((await review(feedbackId, "revert")).json).toMatchObject({ status: "reverted" });
  return { before, applied, after: await look() };
}

const notMentioned = async (): Promise<Item> => ({
  kind: "mention",
  id: mentionId(await createMention(edge.context, { videoId, entityId: company, startSeconds: Math.random() * 500 })),
  issue: "not_mentioned",
});

describe("the queue", () => {
  it("lists what waits, by status, type, account and key, from either end, and pages through it", async () => {
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
    for (const path of ["/internal/reviews", "/internal/reviews/1"])
      expect((await edge.call("GET", path, owner)).status).toBe(401);
    expect((await edge.call("GET", "/internal/reviews/999999999", { key: edge.internalKey })).json.error.code).toBe(
      "feedback_not_found",
    );
  });
});

describe("one review", () => {
  it("shows what is claimed beside what the index says, the talk with the words marked, and the video at the second", async () => {
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
    const item = { kind: "mention", id: mentionId(id), issue: "wrong_entity", change: { entity_id: entityId(person) } };
    const { corrections, reputation, history, account_id, key_id } = await show(await submit([item]));
    expect([account_id, key_id]).toEqual([owner.accountId, owner.keyId]);
    expect(corrections).toHaveLength(1);
    const { evidence, suggested_change } = corrections[0];
    expect(suggested_change).toEqual({ entity_id: entityId(person) });
    expect(evidence.current.mention).toMatchObject({ id: mentionId(id), entity: { id: entityId(company) } });
    const { text, mark_start, mark_end } = evidence.excerpt;
    expect([text, text.slice(mark_start, mark_end)]).toEqual([
      "Before that nothing. We asked Company One about it.",
      "Company One",
    ]);
    expect(evidence.video_link).toContain(`${videoId}&t=65s`);
    expect([reputation, history]).toEqual([{ submitted: 1, accepted: 0, rejected: 0, reverted: 0 }, []]);
  });

  it("shows sponsors, alerts and entities as they are, and null for what is gone", async () => {
    const { context } = edge;
    await createRecommendation(context, { videoId, entityId: company });
    const alertId = await createFiredAlert(context, owner.accountId, { videoId, entityId: company });
    const gone = await notMentioned();
    const about = async (item: Item) => (await show(await submit([item]))).corrections[0].evidence;
    const sponsor = await about({ kind: "sponsor", id: entityId(company), issue: "not_a_sponsor" });
    expect(sponsor.current).toMatchObject({ channel_id: channelId, sponsor: { ad_read_count: 1 } });
    const alert = await about({ kind: "alert", id: alertId, issue: "late_alert" });
    expect([alert.current.alert.id, alert.excerpt.text]).toEqual([alertId, "They spoke of it."]);
    expect((await about({ kind: "entity", id: entityId(company), issue: "should_split" })).current.entity.id).toBe(
      entityId(company),
    );
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
    expect(corrections[0].resolution_note).toBe("Which words?");
    expect((await read(`/v1/feedback/${feedbackId}`)).corrections[0].resolution_note).toBe("Which words?");
  });
});

describe("a decision", () => {
  it("is for the corrections it names, and the feedback rolls up", async () => {
    const feedbackId = await submit([await notMentioned(), await notMentioned(), await notMentioned()]);
    const [first, second, third] = (await show(feedbackId)).corrections.map(
      (each: { correction_id: number }) => each.correction_id,
    );
    const rejected = await review(feedbackId, "decide", {
      decision: "rejected",
      correction_ids: [first],
      resolution_note: "It is.",
    });
    expect([rejected.json.status, rejected.json.corrections[0].status]).toEqual(["pending_review", "rejected"]);
    expect((await accept(feedbackId)).json.status).toBe("accepted");
    expect((await review(feedbackId, "apply", { correction_ids: [second] })).json.status).toBe("accepted");
    const applied = await review(feedbackId, "apply");
    expect([applied.json.status, applied.json.corrections.map((each: { status: string }) => each.status)]).toEqual([
      "applied",
      ["rejected", "applied", "applied"],
    ]);
    expect((await review(feedbackId, "revert", { correction_ids: [third] })).json.status).toBe("reverted");
    expect((await review(feedbackId, "revert", { correction_ids: [first] })).json.error.code).toBe(
      "illegal_transition",
    );
    expect((await review(feedbackId, "revert", { correction_ids: [999_999_999] })).json.error.code).toBe(
      "correction_not_found",
    );
  });

  it("with changes needs ones that fit, may resolve another issue, and is only repeated by the same", async () => {
    const id = mentionId(await createMention(edge.context, { videoId, entityId: company }));
    const vague = { kind: "mention", id, issue: "wrong_entity" };
    const feedbackId = await submit([vague]);
    const decide = async (body: Record<string, unknown>) => {
      const { status, json } = await review(feedbackId, "decide", body);
      return [status, json.error?.code ?? json.status];
    };
    const changed = (change: Record<string, unknown>) => decide({ decision: "accepted_with_changes", change });
    expect(await decide({ decision: "accepted" })).toEqual([400, "invalid_body"]);
    expect(await decide({ decision: "accepted_with_changes" })).toEqual([400, "invalid_body"]);
    expect(await decide({ decision: "rejected", change: { entity_id: entityId(person) } })).toEqual([
      400,
      "invalid_body",
    ]);
    expect(await changed({ quote: "x" })).toEqual([400, "invalid_body"]);
    expect(await changed({ issue_type: "not_commercial" })).toEqual([400, "invalid_body"]);
    expect(await changed({ entity_id: "ent_999999999" })).toEqual([404, "entity_not_found"]);
    const right = { issue_type: "wrong_quote", quote: "What was said." };
    expect(await changed(right)).toEqual([200, "accepted_with_changes"]);
    expect(await changed(right)).toEqual([200, "accepted_with_changes"]);
    expect(await changed({ ...right, quote: "Else." })).toEqual([409, "illegal_transition"]);
    expect((await review(feedbackId, "apply")).json.corrections[0].resolution).toEqual({
      issue_type: "wrong_quote",
      change: { quote: "What was said." },
    });
    const { data } = await read(`/v1/entities/${entityId(company)}/mentions`);
    expect(data.map((each: { quote: string }) => each.quote)).toEqual(["What was said."]);
  });

  it("is repeated with its Idempotency-Key byte for byte, and refused for another with it", async () => {
    const feedbackId = await submit([await notMentioned()]);
    const headers = { "idempotency-key": `decide ${feedbackId}` };
    const first = await review(feedbackId, "decide", { decision: "accepted" }, headers);
    await review(feedbackId, "apply");
    const again = await review(feedbackId, "decide", { decision: "accepted" }, headers);
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    const other = await review(feedbackId, "decide", { decision: "rejected" }, headers);
    expect(other.json.error.code).toBe("idempotency_conflict");
  });

  it("of many at once is one", async () => {
    const feedbackId = await submit([await notMentioned()]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => review(feedbackId, "decide", { decision: n % 2 ? "accepted" : "rejected" })),
    );
    const { status } = await show(feedbackId);
    expect(answers.map((answer) => answer.status)).toEqual(
      answers.map((_, n) => ((n % 2 ? "accepted" : "rejected") === status ? 200 : 409)),
    );
  });
});

describe("a preview", () => {
  it("says which rows, counts, alerts and pages would change, and changes nothing", async () => {
    const id = await createMention(edge.context, { videoId, entityId: company });
    const alertId = await createFiredAlert(edge.context, owner.accountId, {
      videoId,
      entityId: company,
      mentionId: id,
    });
    const item = { kind: "mention", id: mentionId(id), issue: "wrong_entity", change: { entity_id: entityId(person) } };
    const feedbackId = await submit([item]);
    const before = await read(`/v1/entities/${entityId(company)}`);
    const { status, json } = await review(feedbackId, "preview");
    expect(status).toBe(200);
    expect(json.corrections).toEqual([
      {
        correction_id: expect.any(Number),
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
    const counts = (mention_count: number) => ({ mention_count, appearance_count: 0, commercial_count: 0 });
    expect(json.counts).toEqual([
      { entity_id: entityId(company), before: counts(1), after: counts(0) },
      { entity_id: entityId(person), before: counts(0), after: counts(1) },
    ]);
    expect(json.alert_ids).toEqual([alertId]);
    expect(json.pages).toEqual(
      expect.arrayContaining([`/v1/entities/${entityId(person)}/mentions`, `/v1/transcripts/${videoId}`]),
    );
    expect(await read(`/v1/entities/${entityId(company)}`)).toEqual(before);
    expect((await show(feedbackId)).status).toBe("pending_review");
    await accept(feedbackId);
    await review(feedbackId, "apply");
    const back = await review(feedbackId, "preview", { action: "revert" });
    expect(back.json.counts[0]).toEqual({ entity_id: entityId(company), before: counts(0), after: counts(1) });
    expect((await show(feedbackId)).status).toBe("applied");
  });

  it("says why it cannot be done", async () => {
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

describe("what is applied is what the API answers, and reverted it answers as before:", () => {
  it("a search finds what was missing and leaves a duplicate out, for its own words alone", async () => {
    const search = async (q: string) =>
      (await read(`/v1/entities/search?q=${encodeURIComponent(q)}`)).data.map((each: { id: string }) => each.id);
    const query = { q: `Number${scenes} Company` };
    const found = await throughReview(
      {
        kind: "result",
        id: entityId(company),
        issue: "missing_result",
        change: { entity_id: entityId(person) },
        query,
      },
      async () => [await search(query.q), await search(`company number${scenes}`)],
    );
    expect(found.before[0]).not.toContain(person);
    expect([found.applied[0]?.includes(person), found.applied[1]]).toEqual([true, found.before[1]]);
    expect(found.after).toEqual(found.before);
    const hidden = await throughReview(
      { kind: "result", id: entityId(company), issue: "duplicate", change: { duplicate_of: entityId(person) }, query },
      () => search(query.q),
    );
    expect([hidden.before.includes(company), hidden.applied.includes(company)]).toEqual([true, false]);
    expect(hidden.after).toEqual(hidden.before);
  });

  it("a channel's sponsors: gone, another's, counted and judged otherwise, and added", async () => {
    for (const startSeconds of [10, 100, 200, 300])
      await createRecommendation(edge.context, { videoId, entityId: company, startSeconds });
    const look = async () => {
      const { data, channel } = await read(`/v1/channels/${channelId}/sponsors`);
      const rows = data.map((each: { entity: { id: string }; ad_read_count: number; status: string }) => [
        each.entity.id,
        each.ad_read_count,
        each.status,
      ]);
      return { rows, sponsorCount: channel.sponsor_count };
    };
    const sponsor = (issue: string, change?: Record<string, unknown>) =>
      throughReview({ kind: "sponsor", id: entityId(company), issue, ...(change !== undefined && { change }) }, look);
    const before = { rows: [[entityId(company), 4, "active"]], sponsorCount: 1 };
    const cases = [
      [await sponsor("not_a_sponsor"), { rows: [], sponsorCount: 0 }],
      [
        await sponsor("wrong_entity", { entity_id: entityId(person) }),
        { rows: [[entityId(person), 4, "active"]], sponsorCount: 1 },
      ],
      [
        await sponsor("wrong_count", { ad_read_count: 9 }),
        { rows: [[entityId(company), 9, "active"]], sponsorCount: 1 },
      ],
      [await sponsor("wrong_count", { ad_read_count: 2 }), { rows: [], sponsorCount: 0 }],
      [
        await sponsor("wrong_status", { status: "lapsed" }),
        { rows: [[entityId(company), 4, "lapsed"]], sponsorCount: 1 },
      ],
      [
        await sponsor("wrong_status", { status: "known" }),
        { rows: [[entityId(company), 4, "known"]], sponsorCount: 1 },
      ],
      [
        await sponsor("missing", { entity_id: entityId(person) }),
        {
          rows: [
            [entityId(company), 4, "active"],
            [entityId(person), 0, "known"],
          ],
          sponsorCount: 2,
        },
      ],
    ] as const;
    for (const [seen, applied] of cases) expect(seen).toEqual({ before, applied, after: before });
  });

  it("the alert history, without what was no alert, and with what was really meant", async () => {
    const monitor = await edge.call("POST", "/v1/monitors", { key: owner.key, body: { name: "Watch" } });
    const monitorId: string = monitor.json.monitor.id;
    const alertId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: company, monitorId });
    const look = async () =>
      (await read(`/v1/monitors/${monitorId}/alerts`)).data.map(
        (each: { id: string; entity_id: string; start_seconds: number }) => [
          each.id,
          each.entity_id,
          each.start_seconds,
        ],
      );
    const alert = (issue: string, change?: Record<string, unknown>) =>
      throughReview({ kind: "alert", id: alertId, issue, ...(change !== undefined && { change }) }, look);
    const before = [[alertId, entityId(company), 10]];
    const moved = { start_seconds: 70, end_seconds: 75 };
    expect(await alert("false_positive")).toEqual({ before, applied: [], after: before });
    expect(await alert("wrong_entity", { entity_id: entityId(person) })).toEqual({
      before,
      applied: [[alertId, entityId(person), 10]],
      after: before,
    });
    expect(await alert("wrong_timestamp", moved)).toEqual({
      before,
      applied: [[alertId, entityId(company), 70]],
      after: before,
    });
    expect(await alert("late_alert")).toEqual({ before, applied: before, after: before });
  });

  it("an entity: its name, its aliases, and one that it was all along", async () => {
    const look = async () => {
      const { entity } = await read(`/v1/entities/${entityId(company)}`);
      const lookup = await edge.call("GET", `/v1/entities/lookup?name=Nowhere+Else+${scenes}`, owner);
      return [entity.canonical_id, entity.name, lookup.status];
    };
    const entity = (issue: string, change: Record<string, unknown>) =>
      throughReview({ kind: "entity", id: entityId(company), issue, change }, look);
    const before = [entityId(company), `Company Number${scenes}`, 404];
    const name = `Nowhere Else ${scenes}`;
    expect(await entity("wrong_name", { name })).toEqual({ before, applied: [before[0], name, 200], after: before });
    expect(await entity("missing_alias", { alias: name })).toEqual({
      before,
      applied: [before[0], before[1], 200],
      after: before,
    });
    expect(await entity("duplicate_entity", { canonical_id: entityId(person) })).toEqual({
      before,
      applied: [entityId(person), `Person Number${scenes}`, 404],
      after: before,
    });
  });
});
