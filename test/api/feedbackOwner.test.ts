import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Edge, type NewKey, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let statements = 0;
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({
    onStatement: () => {
      statements += 1;
    },
  });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
});

const read = (feedbackId: number | string, caller: NewKey = scene.owner) =>
  edge.call("GET", `/v1/feedback/${feedbackId}`, caller);
const withdraw = (feedbackId: number | string, caller: NewKey = scene.owner) =>
  edge.call("POST", `/v1/feedback/${feedbackId}/withdraw`, caller);

describe("a feedback", () => {
  it("is seen, and withdrawn, by its own account alone; a foreign one is as one that is nowhere", async () => {
    const feedbackId = await scene.submit([await scene.notMentioned()]);
    const stranger = await edge.newKey();
    for (const call of [read, withdraw]) {
      const answers = [];
      for (const id of [feedbackId, 999_999_999, 0]) {
        const begun = statements;
        const { status, json } = await call(id, stranger);
        const { request_id: _, ...error } = json.error;
        answers.push({ status, error, statements: statements - begun });
      }
      expect(answers[0]).toMatchObject({ status: 404, error: { code: "feedback_not_found" } });
      // The same bytes, after the same statements: nothing tells the two apart.
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect((await call("seven")).json.error.code).toBe("invalid_query");
    }
    expect((await read(feedbackId)).json.status).toBe("pending_review");
  });

  it("can be withdrawn while it is pending, again without effect, and never after", async () => {
    const { submit, notMentioned, accept } = scene;
    const pending = await submit([await notMentioned(), await notMentioned()]);
    const [first, again] = [await withdraw(pending), await withdraw(pending)];
    expect([first.status, first.json.corrections.map((each: { status: string }) => each.status)]).toEqual([
      200,
      ["withdrawn", "withdrawn"],
    ]);
    expect([again.status, again.json]).toEqual([200, first.json]);
    const accepted = await submit([await notMentioned()]);
    await accept(accepted);
    const late = await withdraw(accepted);
    expect([late.status, late.json.error.code]).toEqual([409, "illegal_transition"]);
    expect((await read(accepted)).json.status).toBe("accepted");
    expect((await accept(pending)).json.error.code).toBe("illegal_transition");
  });

  it("whose reviewer wants more cannot be withdrawn until that is supplied", async () => {
    const { submit, notMentioned, review, show } = scene;
    const feedbackId = await submit([await notMentioned(), await notMentioned()]);
    const [first] = (await show(feedbackId)).corrections;
    await review(feedbackId, "request-information", {
      correction_ids: [first.correction_id],
      resolution_note: "Which?",
    });
    expect((await withdraw(feedbackId)).json.error.code).toBe("illegal_transition");
    await review(feedbackId, "supply-information", { resolution_note: "That." });
    expect((await withdraw(feedbackId)).json.status).toBe("withdrawn");
  });
});
