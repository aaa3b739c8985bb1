import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { entityId } from "../../domain/entities.ts";
import type { Caller } from "../../services/context.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { resolveEntity } from "../../services/entities/resolveEntity.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { readableState } from "../builders/readableState.ts";
import { codeAndMessage } from "../builders/refusals.ts";
import { createAcceptedFeedback } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
let entities: number[];
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  entities = await createEntities(5);
});

/** Companies, each with a mention and an ad of its own in one video. */
async function createEntities(many: number): Promise<number[]> {
  const videoId = await createVideo(context);
  const ids: number[] = [];
  for (let n = 0; n < many; n += 1) {
    const id = await createEntity(context, { type: "organization" });
    await createMention(context, { videoId, entityId: id, startSeconds: n * 10 });
    await createRecommendation(context, { videoId, entityId: id, startSeconds: n * 10 });
    ids.push(id);
  }
  return ids;
}

/** Feedback, accepted, that says that `from` is `into`. */
const sameAs = (from: number, into: number) =>
  createAcceptedFeedback(context, caller, "entities", [
    {
      itemId: entityId(from),
      itemKind: "entity",
      issueType: "duplicate_entity",
      reason: null,
      suggestedChange: { canonical_id: entityId(into) },
      notes: null,
      observedRank: null,
    },
  ]);
/** The reason where the step is refused, and then nothing has changed. */
async function take(feedbackId: number, action: "apply" | "revert"): Promise<string | null> {
  const before = await readableState(context);
  const work = takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });
  const refusal = await codeAndMessage(work);
  if (refusal === null) return null;
  expect(refusal[0]).toBe("illegal_transition");
  expect(await readableState(context)).toEqual(before);
  return refusal[1];
}
const readAs = async () => {
  const read = [];
  for (const id of entities) {
    const { entity } = await resolveEntity(context.pool, { by: "id", id });
    read.push(entities.indexOf(entity.numericId));
  }
  return read;
};

describe("a merge that reviewers made", () => {
  it("comes out of the middle of a chain with what was merged into it, and back in", async () => {
    const [a = 0, b = 0, c = 0] = entities;
    const before = await readableState(context);
    const [first, second] = [await sameAs(a, b), await sameAs(c, a)];
    await take(first, "apply");
    await take(second, "apply");
    expect(await readAs()).toEqual([1, 1, 1, 3, 4]);
    expect(await take(first, "revert")).toBeNull();
    expect(await readAs()).toEqual([0, 1, 0, 3, 4]);
    expect(await take(first, "apply")).toBeNull();
    expect(await readAs()).toEqual([1, 1, 1, 3, 4]);
    expect(await take(first, "revert")).toBeNull();
    expect(await take(second, "revert")).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });

  it("does not come out from under a later one, by a reviewer or by an operator, which is named", async () => {
    const [a = 0, b = 0, c = 0, d = 0] = entities;
    const before = await readableState(context);
    const [first, second] = [await sameAs(a, b), await sameAs(b, c)];
    await take(first, "apply");
    await take(second, "apply");
    expect(await take(first, "revert")).toBe(
      `${entityId(b)} was merged since, and reads as ${entityId(c)}; that merge goes first.`,
    );
    expect(await take(second, "revert")).toBeNull();
    expect(await take(first, "revert")).toBeNull();
    expect(await readableState(context)).toEqual(before);
    await take(first, "apply");
    await context.pool.transaction((transaction) => mergeEntities(transaction, a, d));
    expect(await take(first, "revert")).toContain(`reads as ${entityId(d)}`);
  });

  it("is refused where it would close a circle, and says so before and after it is reverted", async () => {
    const [a = 0, b = 0] = entities;
    const [there, back] = [await sameAs(a, b), await sameAs(b, a)];
    await take(there, "apply");
    expect(await take(back, "apply")).toContain("one entity already");
    await take(there, "revert");
    expect(await take(back, "apply")).toBeNull();
    expect(await take(there, "apply")).toContain("one entity already");
    expect(await readAs()).toEqual([0, 0, 2, 3, 4]);
  });

  it("in any order with others leaves nothing behind once all are taken back", async () => {
    let refused = 0;
    const pair = fc.tuple(fc.nat(4), fc.nat(4)).filter(([from, into]) => from !== into);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(pair, { minLength: 3, maxLength: 7, selector: String }),
        fc.infiniteStream(fc.nat(6)),
        async (pairs, picks) => {
          entities = await createEntities(5);
          const before = await readableState(context);
          const accepted: number[] = [];
          for (const [from, into] of pairs) accepted.push(await sameAs(entities[from] ?? 0, entities[into] ?? 0));
          const applied: number[] = [];
          for (const feedbackId of accepted) if ((await take(feedbackId, "apply")) === null) applied.push(feedbackId);
          while (applied.length > 0) {
            const at = Number(picks.next().value) % applied.length;
            const [picked = 0] = applied.splice(at, 1);
            if ((await take(picked, "revert")) === null) continue;
            refused += 1;
            applied.push(picked);
            // What was merged last has nothing on it, wherever it stands by now.
            const last = Math.max(...applied);
            if ((await take(last, "revert")) === null) applied.splice(applied.indexOf(last), 1);
          }
          expect(await readableState(context)).toEqual(before);
          expect(await readAs()).toEqual([0, 1, 2, 3, 4]);
        },
      ),
      { numRuns: 12 },
    );
    expect(refused).toBeGreaterThan(0);
  }, 120_000);
});
