import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { mentionId } from "../../domain/evidence.ts";
import type { ReviewCarrier } from "../../domain/review/carrying.ts";
import { carryOut } from "../../services/feedback/carryOut.ts";
import { createMention } from "../builders/evidence.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type Item, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let now = new Date();
/** What carries steps; the API goes on without where it answers false. */
let carry: ReviewCarrier["carry"];
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
    clock: () => now,
    carrier: { carry: (...asked) => carry(...asked) },
  });
});
afterAll(() => edge.close());
beforeEach(async () => {
  carry = async () => false;
  scene = await createReviewScene(edge);
});

describe("a decision", () => {
  it("is for the corrections it names, and the feedback rolls up", async () => {
    const { submit, review, accept, show, notMentioned } = scene;
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
    const { videoId, company, submit, review, read, companyId, personId } = scene;
    const id = mentionId(await createMention(edge.context, { videoId, entityId: company }));
    const vague: Item = { kind: "mention", id, issue: "wrong_entity" };
    const feedbackId = await submit([vague]);
    const decide = async (body: Record<string, unknown>) => {
      const { status, json } = await review(feedbackId, "decide", body);
      return [status, json.error?.code ?? json.status];
    };
    const changed = (change: Record<string, unknown>) => decide({ decision: "accepted_with_changes", change });
    expect(await decide({ decision: "accepted" })).toEqual([400, "invalid_body"]);
    expect(await decide({ decision: "accepted_with_changes" })).toEqual([400, "invalid_body"]);
    expect(await decide({ decision: "rejected", change: { entity_id: personId } })).toEqual([400, "invalid_body"]);
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
    const { data } = await read(`/v1/entities/${companyId}/mentions`);
    expect(data.map((each: { quote: string }) => each.quote)).toEqual(["What was said."]);
  });

  it("is repeated with its Idempotency-Key byte for byte, and refused for another with it", async () => {
    const { submit, review, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned()]);
    const headers = { "idempotency-key": `decide ${feedbackId}` };
    const first = await review(feedbackId, "decide", { decision: "accepted" }, headers);
    await review(feedbackId, "apply");
    const again = await review(feedbackId, "decide", { decision: "accepted" }, headers);
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    const other = await review(feedbackId, "decide", { decision: "rejected" }, headers);
    expect(other.json.error.code).toBe("idempotency_conflict");
  });

  it("whose API process dies before it answers is found done by the repeat, once, whatever others did since", async () => {
    const { submit, review, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned()]);
    const headers = { "idempotency-key": `decide ${feedbackId}` };
    const decide = (decision: string) => review(feedbackId, "decide", { decision }, headers);
    const { promise: dead, resolve: end } = Promise.withResolvers<void>();
    const { promise: carried, resolve: wasCarried } = Promise.withResolvers<void>();
    carry = async (_feedbackId, _name, { commandId }) => {
      await carryOut(edge.context, commandId);
      wasCarried();
      await dead;
      return true;
    };
    const first = decide("accepted");
    await carried;
    carry = async () => false;
    const early = await decide("accepted");
    expect([early.status, early.json.error.code, early.headers.get("retry-after")]).toEqual([
      409,
      "idempotency_in_progress",
      "1",
    ]);
    expect((await decide("rejected")).json.error.code).toBe("idempotency_conflict");
    expect((await review(feedbackId, "apply")).json.status).toBe("applied");

    now = new Date(now.getTime() + 60_000);
    expect((await decide("rejected")).json.error.code).toBe("idempotency_conflict");
    const again = await decide("accepted");
    expect([again.status, again.json.status]).toEqual([200, "applied"]);
    // One that was only slow answers what was answered meanwhile, as every repeat does.
    end();
    for (const late of [await first, await decide("accepted")])
      expect([late.text, late.headers.get("idempotency-replayed")]).toEqual([again.text, "true"]);
    expect(await stepsOf(feedbackId)).toEqual(["accept done", "apply done"]);
  });

  it("whose API process dies before anything was done of it is taken by the repeat", async () => {
    const { submit, review, show, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned()]);
    const headers = { "idempotency-key": `decide ${feedbackId}` };
    const decide = () => review(feedbackId, "decide", { decision: "accepted" }, headers);
    carry = async () => {
      throw new Error("the connection broke");
    };
    expect((await decide()).status).toBe(500);
    expect((await show(feedbackId)).status).toBe("pending_review");
    carry = async () => false;
    const [done, again] = [await decide(), await decide()];
    expect([done.status, done.json.status, again.text]).toEqual([200, "accepted", done.text]);
    expect(await stepsOf(feedbackId)).toEqual(["accept done"]);
  });

  it("that is refused leaves its Idempotency-Key free", async () => {
    const { submit, review, accept, notMentioned } = scene;
    const feedbackId = await submit([await notMentioned()]);
    const headers = { "idempotency-key": `apply ${feedbackId}` };
    const apply = () => review(feedbackId, "apply", undefined, headers);
    expect((await apply()).json.error.code).toBe("illegal_transition");
    await accept(feedbackId);
    expect((await apply()).json.status).toBe("applied");
    expect((await apply()).headers.get("idempotency-replayed")).toBe("true");
    const other = { "idempotency-key": `decide ${feedbackId}` };
    expect((await review(feedbackId, "decide", { decision: "maybe" }, other)).status).toBe(400);
    expect((await review(feedbackId, "revert", undefined, other)).json.status).toBe("reverted");
  });

  it("of many at once is one", async () => {
    const { submit, review, show, notMentioned } = scene;
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

/** What was done with a feedback, refusals included. */
async function stepsOf(feedbackId: number): Promise<readonly string[]> {
  return edge.context.pool.anyFirst(sql.type(z.object({ step: z.string() }))`
    select concat_ws(' ', verb, outcome) as step from review_command where feedback_id = ${feedbackId} order by requested_at, id`);
}
