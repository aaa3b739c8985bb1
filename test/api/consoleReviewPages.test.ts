import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { createInternalKey } from "../../services/keys/createKey.ts";
import { createVisitor, type VisitedPage, type Visitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
  visitor = createVisitor(edge);
  await visitor.signIn();
});

const review = (feedbackId: number) => visitor.get(`/console/reviews/${feedbackId}`);

/** What the form for other changes holds. */
function written(page: VisitedPage) {
  const { fields } = page.pressed("Preview these changes");
  return ["correction", "change", "issue_type", "note"].map((name) => fields.get(name));
}

it("keeps what was written through previews of it, whether it fits or not", async () => {
  const { submit, notMentioned, show } = scene;
  const feedbackId = await submit([await notMentioned(), await notMentioned()]);
  const page = await review(feedbackId);
  const [correction] = written(page);
  const draft = { issue_type: "wrong_quote", note: "N & “M”" };
  const broken = await visitor.press(page, "Preview these changes", { ...draft, change: "{" });
  expect([broken.status, broken.title]).toEqual([400, `Feedback #${feedbackId}`]);
  expect(broken.texts(".problem")).toEqual([expect.stringContaining("not valid JSON")]);
  expect(written(broken)).toEqual([correction, "{", "wrong_quote", "N & “M”"]);
  const unknown = await visitor.press(page, "Preview these changes", {
    ...draft,
    correction: "999999999",
    change: "{}",
  });
  expect([unknown.status, unknown.texts(".problem")]).toEqual([
    404,
    [expect.stringContaining("no correction 999999999")],
  ]);

  const misfit = await visitor.press(broken, "Preview these changes", { change: '{"quota": 1}' });
  expect(misfit.texts(".problem")).toEqual([expect.stringContaining("does not fit")]);
  expect(written(misfit)).toEqual([correction, '{"quota": 1}', "wrong_quote", "N & “M”"]);
  const fitting = await visitor.press(misfit, "Preview these changes", { change: '{"quote": "Said."}' });
  expect([fitting.texts(".problem"), fitting.texts("ins")]).toEqual([[], ["Said."]]);
  expect(written(fitting)).toEqual([correction, '{"quote": "Said."}', "wrong_quote", "N & “M”"]);
  await visitor.press(fitting, "Accept with these changes");
  expect((await show(feedbackId)).corrections).toMatchObject([
    { status: "accepted_with_changes", resolution: { change: { quote: "Said." } }, resolution_note: "N & “M”" },
    { status: "pending_review" },
  ]);
  const late = await visitor.press(fitting, "Preview these changes");
  expect(late.says).toContain("It was decided on meanwhile.");
  expect(() => late.pressed("Accept with these changes")).toThrow("no button");
});

it("names who did what, whoever looks, and the owner's key who withdrew it", async () => {
  const { owner, submit, notMentioned, show } = scene;
  const [feedbackId, withdrawn] = [await submit([await notMentioned()]), await submit([await notMentioned()])];
  const { key, keyId } = await createInternalKey(edge.context, "ada <b>");
  const ada = createVisitor(edge);
  await ada.signIn(key);
  await ada.press(await ada.get(`/console/reviews/${feedbackId}`), "Request information", { note: "Which?" });
  await visitor.press(await review(feedbackId), "Note what was supplied", { note: "Both." });
  await edge.call("POST", `/v1/feedback/${withdrawn}/withdraw`, { key: owner.key, body: {} });
  await edge.call("DELETE", `/internal/keys/${keyId}`, { key: edge.internalKey });

  const page = await review(feedbackId);
  expect(page.says).toMatch(
    new RegExp(`Information requested [^“]* by ada <b> \\(${keyId}\\) · correction \\d+“Which`),
  );
  expect(page.says).toMatch(/Information supplied [^“]* by you \(edge\) · correction \d+“Both/);
  const { history } = await show(feedbackId);
  expect(history).toMatchObject([
    { actor: keyId, actor_name: "ada <b>" },
    { actor: expect.stringMatching(/^key_/), actor_name: "edge" },
  ]);
  expect((await review(withdrawn)).says).toContain(`(${owner.keyId})`);
  await edge.context.pool.query(
    sql.typeAlias("void")`update review_command set actor = 'command line' where feedback_id = ${feedbackId}`,
  );
  expect((await review(feedbackId)).says).toMatch(/Information requested [^“]* by command line · /);
});
