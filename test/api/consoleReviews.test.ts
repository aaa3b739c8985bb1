import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { createMention, createRecommendation } from "../builders/evidence.ts";
import { createVisitor, type VisitedPage, type Visitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type Item, type ReviewScene } from "./reviewScene.ts";

let statements = 0;
let edge: Edge;
let scene: ReviewScene;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
    onStatement: () => (statements += 1),
  });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
  visitor = createVisitor(edge);
  await visitor.signIn();
});

const hostile = `<script>alert(1)</script><img src=x onerror="alert(2)">'"&amp;</textarea>`;
const listed = ({ links }: VisitedPage) => [...links.keys()].filter((text) => text.startsWith("#"));
const review = (feedbackId: number) => visitor.get(`/console/reviews/${feedbackId}`);
const statusOf = async (feedbackId: number) => (await scene.show(feedbackId)).status;
const next = async (page: VisitedPage) => visitor.get(page.links.get("Next open review") ?? "");

/** A mention whose entity is said to be another. */
async function misheard(change: Record<string, unknown> = { entity_id: scene.personId }): Promise<Item> {
  const { videoId, company } = scene;
  const id = await createMention(edge.context, {
    videoId,
    entityId: company,
    startSeconds: 3605.5,
    quote: "Number One",
  });
  return { kind: "mention", id: mentionId(id), issue: "wrong_entity", change };
}

describe("the queue", () => {
  it("shows what is open, oldest first, or what is asked for", async () => {
    const { owner, videoId, company, submit, accept, review: step, notMentioned } = scene;
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await submit([await notMentioned()]));
    const row = await createRecommendation(edge.context, { videoId, entityId: company });
    ids.push(await submit([{ kind: "recommendation", id: recommendationId(row), issue: "not_commercial" }]));
    await accept(ids[1] ?? 0);
    await step(ids[2] ?? 0, "decide", { decision: "rejected" });
    const [first, second, third, fourth, commercial] = ids.map((id) => `#${id}`);
    const shown = async (query: string) =>
      listed(await visitor.get(`/console/reviews?account=${owner.accountId}&${query}`));
    expect(await shown("")).toEqual([first, second, fourth, commercial]);
    expect(await shown("order=newest")).toEqual([commercial, fourth, second, first]);
    expect(await shown("status=any")).toEqual([first, second, third, fourth, commercial]);
    expect(await shown("status=rejected&type=&key=")).toEqual([third]);
    expect(await shown("type=recommendations")).toEqual([commercial]);
    expect(await shown(`key=${owner.keyId}&status=accepted`)).toEqual([second]);
    const none = await visitor.get(`/console/reviews?account=${owner.accountId}&key=key_0`);
    expect([listed(none), none.texts(".empty")]).toEqual([[], ["No feedback is like this."]]);
  });

  it("pages through many, each once, with two statements a page", async () => {
    const { owner, videoId, company } = scene;
    const ids: string[] = [];
    const first = await createMention(edge.context, { videoId, entityId: company, startSeconds: 900 });
    for (let n = 0; n < 101; n += 1)
      ids.push(`#${await scene.submit([{ kind: "mention", id: mentionId(first), issue: "not_mentioned" }])}`);
    const seen: string[] = [];
    let pages = 0;
    for (let path = `/console/reviews?account=${owner.accountId}`; path !== ""; pages += 1) {
      const before = statements;
      const page = await visitor.get(path);
      expect(statements - before).toBe(2);
      seen.push(...listed(page));
      path = page.links.get("Next page") ?? "";
      expect(page.links.has("First page")).toBe(pages > 0);
    }
    expect([seen, pages]).toEqual([ids, 3]);
    const foreign = await visitor.get(
      `/console/reviews?${(await visitor.get(`/console/reviews?account=${owner.accountId}`)).links.get("Next page")?.split("?")[1]?.replace(owner.accountId, "usr_x")}`,
    );
    expect(foreign.status).toBe(400);
  });
});

describe("a review", () => {
  it("shows the claim beside what was said, with the words marked, at the second of the video", async () => {
    const { owner, videoId, submit, companyId, personId, number } = scene;
    const segments = [{ start: 3600, end: 3610, text: "Then came number one, which they praised." }];
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into caption_track (video_id, language, source, segments) values (${videoId}, 'en', 'import', ${sql.jsonb(segments)})`);
    const feedbackId = await submit([await misheard()]);
    const page = await review(feedbackId);
    expect([page.title, page.status]).toEqual([`Feedback #${feedbackId}`, 200]);
    expect(page.texts("blockquote")).toEqual(["Then came number one, which they praised."]);
    expect(page.texts("mark")).toEqual(["number one"]);
    const video = [...page.links].find(([text]) => text.includes("at 1:00:05"));
    expect(video?.[1]).toContain(`${videoId}&t=3605s`);
    expect(page.texts("td")).toEqual([
      "entity id",
      `Company Number${number} (organization) ${companyId}`,
      `Person Number${number} (person) ${personId}`,
    ]);
    expect(page.says).toContain("1 submitted: 0 accepted, 0 rejected, 0 reverted");
    expect(page.says).toContain(`feedback-${feedbackId}`);
    expect(page.links.get(owner.accountId)).toBe(`/console/accounts/${owner.accountId}`);
    expect(page.links.get("all of the key")).toBe(`/console/reviews?status=any&key=${owner.keyId}`);
    expect(page.says).toContain("Nothing was done with it yet.");
  });

  it("shows whatever people wrote as text", async () => {
    const item = await misheard({ entity_id: scene.personId });
    const { json } = await edge.call("POST", "/v1/feedback", {
      key: scene.owner.key,
      body: {
        type: "mentions",
        query: { q: hostile },
        notes: hostile,
        corrections: [
          {
            item_id: item.id,
            item_kind: "mention",
            issue_type: "wrong_quote",
            reason: hostile,
            notes: hostile,
            suggested_change: { quote: hostile },
          },
        ],
      },
    });
    const page = await review(json.feedback_id);
    const failed = await visitor.press(page, "Accept with these changes", { change: hostile, note: hostile });
    expect(failed.status).toBe(400);
    const previewed = await visitor.get(`/console/reviews/${json.feedback_id}/preview`);
    for (const shown of [page, failed, previewed]) {
      expect(shown.text).not.toContain("<script>alert");
      expect([shown.texts("script"), shown.texts("img")]).toEqual([[""], []]);
      expect(shown.says).toContain(hostile);
    }
    expect(failed.pressed("Accept with these changes").fields.get("change")).toBe(hostile);
  });

  it("that is not there is no page", async () => {
    for (const path of ["999999999", "0x1", "9".repeat(30), "999999999/preview"])
      expect((await visitor.get(`/console/reviews/${path}`)).status).toBe(404);
  });
});

describe("working through", () => {
  it("previews, accepts, applies and reverts, and the API answers accordingly", async () => {
    const { submit, read, companyId, personId } = scene;
    const mentions = async (id: string) => (await read(`/v1/entities/${id}/mentions`)).data?.length;
    const feedbackId = await submit([await misheard()]);
    const page = await review(feedbackId);
    const preview = await visitor.get(page.links.get("Preview applying") ?? "");
    expect(preview.title).toBe(`Applying feedback #${feedbackId}: preview`);
    expect(preview.texts("ins")).toEqual([expect.stringContaining(personId), "0", "1"]);
    expect(preview.says).toContain("It changes what reads answer.");
    expect(preview.says).toContain(`/v1/entities/${companyId}/mentions`);
    expect([await mentions(companyId), await statusOf(feedbackId)]).toEqual([1, "pending_review"]);

    const accepted = await visitor.press(page, "Accept", { note: "Heard it too." });
    expect([accepted.path, accepted.texts(".flash")]).toEqual([`/console/reviews/${feedbackId}`, ["Accepted."]]);
    expect((await review(feedbackId)).texts(".flash")).toEqual([]);
    expect(accepted.says).toMatch(/Accepted [\d-]+ [\d:]+ UTC by you \(edge\) · correction \d+“Heard it too.”/);

    const toApply = await visitor.get(accepted.links.get("Apply…") ?? "");
    const applied = await visitor.press(toApply, "Apply");
    expect([applied.texts(".flash"), await statusOf(feedbackId)]).toEqual([["Applied."], "applied"]);
    expect([await mentions(companyId), await mentions(personId)]).toEqual([0, 1]);
    const again = await visitor.press(toApply, "Apply");
    expect(again.texts(".flash")).toEqual(["Applied before: nothing changed."]);

    const reverted = await visitor.press(await visitor.get(again.links.get("Revert…") ?? ""), "Revert");
    expect([reverted.texts(".flash"), await statusOf(feedbackId)]).toEqual([["Reverted."], "reverted"]);
    expect([await mentions(companyId), await mentions(personId)]).toEqual([1, 0]);
    expect(reverted.texts("li").filter((text) => /^(Accepted|Applied|Reverted)/.test(text))).toHaveLength(3);
    const history = (await scene.show(feedbackId)).history.map((each: { verb: string; actor: string }) => [
      each.verb,
      each.actor.startsWith("key_"),
    ]);
    expect(history).toEqual([
      ["accept", true],
      ["apply", true],
      ["revert", true],
    ]);
  });

  it("accepts and applies from the preview in one go", async () => {
    const feedbackId = await scene.submit([await misheard()]);
    const preview = await visitor.get(`/console/reviews/${feedbackId}/preview?action=apply`);
    const applied = await visitor.press(preview, "Accept and apply");
    expect([applied.texts(".flash"), await statusOf(feedbackId)]).toEqual([["Accepted and applied."], "applied"]);
  });

  it("decides on the corrections that are ticked, and asks for one at least", async () => {
    const { submit, show, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned(), await notMentioned(), await notMentioned()]);
    const page = await review(feedbackId);
    const [first = "", second = "", third = ""] = page.pressed("Accept").fields.getAll("correction");
    await visitor.press(page, "Reject", { correction: [first, third], note: "It is." });
    const statuses = async () => (await show(feedbackId)).corrections.map((each: { status: string }) => each.status);
    expect(await statuses()).toEqual(["rejected", "pending_review", "rejected"]);
    expect((await review(feedbackId)).pressed("Accept").fields.getAll("correction")).toEqual([second]);
    const none = await visitor.press(page, "Accept", { correction: [] });
    expect([none.status, none.texts(".problem")]).toEqual([400, ["Choose at least one correction."]]);
    const refused = await visitor.press(page, "Accept", { correction: [first, second], note: "Still “here”" });
    expect([refused.status, refused.title]).toEqual([409, `Feedback #${feedbackId}`]);
    expect(refused.texts(".problem")).toEqual([expect.stringMatching(/is rejected; only what is pending_review/)]);
    expect(refused.pressed("Accept").fields.get("note")).toBe("Still “here”");
    expect(await statuses()).toEqual(["rejected", "pending_review", "rejected"]);
  });

  it("asks for information, and goes on once it is there", async () => {
    const feedbackId = await scene.submit([await misheard()]);
    const asked = await visitor.press(await review(feedbackId), "Request information", { note: "Which of them?" });
    expect([asked.texts(".flash"), await statusOf(feedbackId)]).toEqual([
      ["Information was requested."],
      "needs_information",
    ]);
    expect(() => asked.pressed("Accept")).toThrow("no button");
    const supplied = await visitor.press(asked, "Note what was supplied", { note: "The second." });
    expect([supplied.texts(".flash"), await statusOf(feedbackId)]).toEqual([
      ["What was supplied was noted."],
      "pending_review",
    ]);
  });

  it("accepts with other changes, once they fit, after a look at what they do", async () => {
    const { submit, show, read, companyId } = scene;
    const feedbackId = await submit([await misheard()]);
    const page = await review(feedbackId);
    expect(page.texts(".hint")).toEqual([
      expect.stringMatching(/not mentioned: nothing; .*wrong timestamp: start_seconds, end_seconds;/),
    ]);
    const wrong: [string, string, string][] = [
      ["{", "wrong_quote", "is not valid JSON"],
      ["[]", "wrong_quote", "no object of JSON"],
      ['{"colour": 1}', "wrong_quote", "does not fit"],
      ['{"quote": "x"}', "not_commercial", "is no issue of a mention"],
    ];
    for (const [change, issue, reason] of wrong) {
      const failed = await visitor.press(page, "Accept with these changes", { change, issue_type: issue, note: "N" });
      expect([failed.status, failed.texts(".problem")]).toEqual([400, [expect.stringContaining(reason)]]);
      expect(failed.pressed("Accept with these changes").fields.get("change")).toBe(change);
    }
    const missing = await visitor.press(page, "Accept with these changes", {
      change: '{"entity_id": "ent_999999999"}',
    });
    expect(missing.status).toBe(404);
    const right = { change: '{"quote": "What was said."}', issue_type: "wrong_quote", note: "Only the words." };
    const preview = await visitor.press(page, "Preview these changes", right);
    expect([preview.status, preview.texts("ins")]).toEqual([200, ["What was said."]]);
    expect(await statusOf(feedbackId)).toBe("pending_review");
    const accepted = await visitor.press(preview, "Accept with these changes");
    expect(accepted.texts(".flash")).toEqual(["Accepted with changes."]);
    expect((await show(feedbackId)).corrections[0]).toMatchObject({
      resolution: { issue_type: "wrong_quote", change: { quote: "What was said." } },
      resolution_note: "Only the words.",
    });
    expect(accepted.says).toContain("Resolved as wrong quote");
    await visitor.press(await visitor.get(accepted.links.get("Apply…") ?? ""), "Apply");
    const { data } = await read(`/v1/entities/${companyId}/mentions`);
    expect(data.map((each: { quote: string }) => each.quote)).toEqual(["What was said."]);
  });

  it("says before and after why something cannot be done", async () => {
    const { submit, applied, notMentioned } = scene;
    const item = await notMentioned();
    const [first, second, third] = [await submit([item]), await submit([item]), await submit([item])];
    const before = await review(second);
    await visitor.press(before, "Accept");
    await applied(first);
    const preview = await visitor.get(`/console/reviews/${second}/preview`);
    expect(preview.texts(".problem")).toEqual([expect.stringContaining("not there any more")]);
    expect(() => preview.pressed("Accept and apply")).toThrow("no button");
    const accepted = await visitor.press(await review(third), "Accept");
    expect([accepted.status, accepted.texts(".problem")]).toEqual([
      409,
      [expect.stringContaining("or accept it with")],
    ]);
    const { fields, action } = before.pressed("Accept");
    fields.set("action", "apply");
    const refused = await visitor.post(action, Object.fromEntries(fields));
    expect([refused.status, refused.texts(".problem")]).toEqual([409, [expect.stringContaining("not there any more")]]);
    expect(refused.says).toContain("Could not be applied");
  });

  it("of two reviewers at once one decides, and the other is told", async () => {
    const feedbackId = await scene.submit([await scene.notMentioned()]);
    const page = await review(feedbackId);
    const ends = await Promise.all(
      ["Accept", "Reject", "Accept", "Reject"].map((button) => visitor.press(page, button)),
    );
    const status = await statusOf(feedbackId);
    expect(ends.map((end) => end.status)).toEqual(status === "accepted" ? [200, 409, 200, 409] : [409, 200, 409, 200]);
  });

  it("goes on with the next that is open, and from the last to the first", async () => {
    const { submit, notMentioned } = scene;
    const [first, second] = [await submit([await notMentioned()]), await submit([await notMentioned()])];
    expect((await next(await review(first))).path).toBe(`/console/reviews/${second}`);
    const wrapped = await next(await review(second));
    expect(wrapped.title).toMatch(/^Feedback #/);
    expect(Number(wrapped.title.slice("Feedback #".length))).toBeLessThan(second);
    await edge.context.pool.query(sql.typeAlias("void")`update feedback set status = 'rejected' where id <> ${second}`);
    const over = await next(await review(second));
    expect([over.title, over.texts(".flash")]).toEqual(["Reviews", ["No other feedback is open."]]);
    expect((await visitor.get("/console/reviews")).texts(".flash")).toEqual([]);
  });
});
