import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { createVisitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
});

const accept = async (feedbackId: number) => (await scene.accept(feedbackId)).status;
const third = (reason: string) => expect.stringMatching(new RegExp(`\`corrections\\.2.*${reason}`));
const idsOf = async (feedbackId: number): Promise<number[]> =>
  (await scene.show(feedbackId)).corrections.map((each: { correction_id: number }) => each.correction_id);

describe("text that no field can keep", () => {
  const unkept = [
    ["wrong_name", '{"name": "a\\u0000b"}', "NUL character"],
    ["wrong_name", '{"name": "a\\ud800b"}', "half of a surrogate pair"],
    ["should_split", '{"note": "x\\u0000y"}', "NUL character"],
    ["wrong_name", '{"name": "a", "name": "b"}', "more than once"],
  ] as const;

  it("is refused in the console before anything is kept of it, with the reason", async () => {
    const visitor = createVisitor(edge);
    await visitor.signIn();
    const { companyId, submit, show } = scene;
    const feedbackId = await submit([
      { kind: "entity", id: companyId, issue: "wrong_url", change: { url: "https://example.com/right" } },
    ]);
    const page = await visitor.get(`/console/reviews/${feedbackId}`);
    for (const [issue, text, reason] of unkept) {
      const failed = await visitor.press(page, "Accept with these changes", { change: text, issue_type: issue });
      expect([failed.status, failed.texts(".problem")]).toEqual([400, [expect.stringContaining(reason)]]);
    }
    const { status, history } = await show(feedbackId);
    expect([status, history]).toEqual(["pending_review", []]);
  });

  it("that was kept all the same is refused when it is previewed and applied, with the reason", async () => {
    const { companyId, submit, review } = scene;
    const feedbackId = await submit([
      { kind: "entity", id: companyId, issue: "wrong_name", change: { name: `Another ${scene.number}` } },
    ]);
    expect(await accept(feedbackId)).toBe(200);
    await edge.context.pool.query(sql.typeAlias("void")`
      update feedback_correction set suggested_change = ${JSON.stringify({ name: "a\0b" })}::json where feedback_id = ${feedbackId}`);
    const preview = await review(feedbackId, "preview");
    expect([preview.status, preview.json.corrections[0].refusal]).toEqual([
      200,
      expect.stringContaining("does not fit: `name`: must have no line breaks"),
    ]);
    const applied = await review(feedbackId, "apply");
    expect([applied.status, applied.json.error.code, applied.json.error.message]).toEqual([
      409,
      "illegal_transition",
      expect.stringContaining("does not fit: `name`: must have no line breaks"),
    ]);
  });
});

describe("what the submitter reads", () => {
  it("is the decision's note, and not the question that was asked before", async () => {
    const { submit, review, read, notMentioned } = scene;
    const notes = async (steps: readonly [string, Record<string, unknown>][]) => {
      const feedbackId = await submit([await notMentioned()]);
      for (const [verb, body] of steps) expect((await review(feedbackId, verb, body)).status).toBe(200);
      return (await read(`/v1/feedback/${feedbackId}`)).corrections[0].resolution_note;
    };
    const asked: [string, Record<string, unknown>][] = [
      ["request-information", { resolution_note: "Which one?" }],
      ["supply-information", { resolution_note: "The first." }],
    ];
    expect(await notes(asked)).toBe("Which one?");
    expect(await notes([...asked, ["decide", { decision: "accepted" }]])).toBeNull();
    expect(await notes([...asked, ["decide", { decision: "rejected" }]])).toBeNull();
    expect(
      await notes([...asked, ["decide", { decision: "accepted", resolution_note: "Right." }], ["apply", {}]]),
    ).toBe("Right.");
  });
});

describe("a repeat changes nothing", () => {
  it("of a withdrawal, whatever else was decided", async () => {
    const { owner, submit, review, notMentioned } = scene;
    const withdraw = async (feedbackId: number) => {
      const { status, json } = await edge.call("POST", `/v1/feedback/${feedbackId}/withdraw`, { key: owner.key });
      return [status, json.status ?? json.error.code];
    };
    for (const decision of ["accepted", "rejected"]) {
      const feedbackId = await submit([await notMentioned(), await notMentioned()]);
      const [first = 0] = await idsOf(feedbackId);
      await review(feedbackId, "decide", { decision, correction_ids: [first] });
      for (let n = 0; n < 2; n += 1) expect(await withdraw(feedbackId)).toEqual([200, decision]);
      const { status } = (await review(feedbackId, "apply")).json;
      expect(await withdraw(feedbackId)).toEqual([200, status ?? "rejected"]);
    }
    const [decided, asked] = [
      await submit([await notMentioned()]),
      await submit([await notMentioned(), await notMentioned()]),
    ];
    await accept(decided);
    expect(await withdraw(decided)).toEqual([409, "illegal_transition"]);
    await review(asked, "request-information", { correction_ids: (await idsOf(asked)).slice(1) });
    expect(await withdraw(asked)).toEqual([409, "illegal_transition"]);
  });

  it("of accepting and applying in the console, one after the other or at once", async () => {
    const visitor = createVisitor(edge);
    await visitor.signIn();
    for (const atOnce of [true, false]) {
      const feedbackId = await scene.submit([await scene.notMentioned(), await scene.notMentioned()]);
      const preview = await visitor.get(`/console/reviews/${feedbackId}/preview?action=apply`);
      const press = () => visitor.press(preview, "Accept and apply");
      const ends = atOnce ? await Promise.all([press(), press(), press()]) : [await press(), await press()];
      expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 200));
      const { status, history } = await scene.show(feedbackId);
      const done = history.filter(({ outcome }: { outcome: string }) => outcome === "done");
      expect([status, done.map((each: { verb: string }) => each.verb)]).toEqual(["applied", ["accept", "apply"]]);
      const again = await press();
      expect(again.texts(".flash")).toEqual(["Accepted and applied before: nothing changed."]);
    }
  });
});

describe("a fault", () => {
  it("names the correction that it is of", async () => {
    const { owner, personId, submit, notMentioned } = scene;
    const { id, kind } = await notMentioned();
    const right = { item_id: id, item_kind: kind, issue_type: "not_mentioned" };
    const submitted = async (wrong: Record<string, unknown>) => {
      const corrections = [right, right, { ...right, ...wrong }];
      const body = { type: "mentions", query: { a: 1 }, corrections };
      const { json } = await edge.call("POST", "/v1/feedback", { key: owner.key, body });
      return [json.error.code, json.error.message];
    };
    expect(await submitted({ item_id: "men_x" })).toEqual(["invalid_feedback_request", third("must be men_")]);
    expect(await submitted({ item_id: "men_999999999" })).toEqual(["mention_not_found", third("No mention")]);
    expect(await submitted({ issue_type: "wrong_entity", suggested_change: { entity_id: "ent_999999999" } })).toEqual([
      "entity_not_found",
      third("No entity"),
    ]);
    expect(
      await submitted({
        item_id: personId,
        issue_type: "missing",
        suggested_change: { video_id: "nowhere0000", start_seconds: 1, end_seconds: 2, quote: "x" },
      }),
    ).toEqual(["invalid_feedback_request", third("No video")]);

    const feedbackId = await submit([await notMentioned(), await notMentioned()]);
    const [, second = 0] = await idsOf(feedbackId);
    const { status, json } = await scene.review(feedbackId, "decide", {
      decision: "accepted_with_changes",
      change: { issue_type: "wrong_entity", entity_id: "ent_999999999" },
      correction_ids: [second],
    });
    expect([status, json.error.code, json.error.message]).toEqual([
      404,
      "entity_not_found",
      expect.stringContaining(`Correction ${second}: No entity`),
    ]);
  });

  it("of a search that is longer than any names its query", async () => {
    const { owner, companyId } = scene;
    const submitted = async (type: string, length: number) => {
      const query = { q: "\u{1f600}".repeat(length) };
      const corrections = [{ item_id: companyId, item_kind: "result", issue_type: "irrelevant", observed_rank: 1 }];
      const { status, json } = await edge.call("POST", "/v1/feedback", {
        key: owner.key,
        body: { type, query, corrections },
      });
      return [status, json.error?.code, json.error?.message];
    };
    for (const type of ["search", "entities_search"]) {
      expect((await submitted(type, 200))[0]).toBe(201);
      expect(await submitted(type, 201)).toEqual([
        400,
        "invalid_feedback_request",
        expect.stringContaining("`query.q` is longer than 200 characters"),
      ]);
    }
  });
});
