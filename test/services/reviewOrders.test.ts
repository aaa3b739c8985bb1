import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readFeedback } from "../../database/feedback.ts";
import { type SqlFragment, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { type FeedbackType, feedbackTypes, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { previewReview } from "../../services/feedback/preview.ts";
import type { SubmittedCorrection } from "../../services/feedback/submit.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { codeAndMessage } from "../builders/refusals.ts";
import { correctionIn, createAcceptedFeedback, createReviewedScene, issuesOf } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());

const step = (feedbackId: number, action: "apply" | "revert", correctionIds: readonly number[] | null = null) =>
  takeReviewStep(context, null, { feedbackId, correctionIds, ask: { action }, actor: "test" });

/** Takes a step; the reason where it is refused, and then nothing has changed. */
async function attempt(...[feedbackId, action, ids]: Parameters<typeof step>): Promise<string | null> {
  const before = await readableState(context);
  const refusal = await codeAndMessage(step(feedbackId, action, ids));
  if (refusal === null) return null;
  expect(refusal[0]).toBe("illegal_transition");
  expect(refusal[1]).toMatch(/\w \w.*\.$/);
  expect(await readableState(context)).toEqual(before);
  return refusal[1];
}

async function correctionIdsOf(feedbackId: number): Promise<number[]> {
  const feedback = await readFeedback(context.pool, feedbackId, null);
  return (feedback?.corrections ?? []).map(({ correctionId }) => correctionId);
}

const notMentioned = { issueType: "not_mentioned", suggestedChange: null };

describe("corrections of the same items", () => {
  it("applied in any order, and reverted in any order as far as no later one sits on them, leave nothing behind", async () => {
    let refused = 0;
    let reverted = 0;
    const seeds = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 90 }), seeds, async (seconds, stream) => {
        const next = () => Number(stream.next().value);
        const shuffled = <T>(all: readonly T[]) =>
          all
            .map((one) => ({ one, at: next() }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ one }) => one);
        const scene = await createReviewedScene(context, caller, seconds);
        const feedback = [];
        for (const type of feedbackTypes) {
          // Each of its own, as many of them exclude each other.
          for (const issue of shuffled(issuesOf(type)))
            feedback.push(await createAcceptedFeedback(context, caller, type, [correctionIn(scene, type, issue)]));
        }
        const before = await readableState(context);
        const applied = [];
        for (const each of shuffled(feedback)) if ((await attempt(each, "apply")) === null) applied.push(each);
        expect(applied.length).toBeGreaterThan(10);
        for (let left = applied; left.length > 0;) {
          const still = [];
          for (const each of shuffled(left))
            if ((await attempt(each, "revert")) === null) reverted += 1;
            else still.push(each);
          // What was applied last has nothing on it.
          expect(still.length).toBeLessThan(left.length);
          refused += still.length;
          left = still;
        }
        expect(await readableState(context)).toEqual(before);
      }),
      { numRuns: 6 },
    );
    expect(refused).toBeGreaterThan(0);
    expect(reverted).toBeGreaterThan(40);
  }, 240_000);

  it("of one feedback are reverted together, the last applied first", async () => {
    const scene = await createReviewedScene(context, caller, 10);
    const quotes: SubmittedCorrection[] = [];
    for (const quote of ["First.", "Second.", "Third."])
      quotes.push({ ...correctionIn(scene, "mentions", "wrong_quote"), suggestedChange: { quote } });
    const feedbackId = await createAcceptedFeedback(context, caller, "mentions", quotes);
    const before = await readableState(context);
    const [first = 0, second = 0, third = 0] = await correctionIdsOf(feedbackId);
    for (const ids of [[second], [third, first]]) expect((await step(feedbackId, "apply", ids)).status).toBeDefined();
    expect(await attempt(feedbackId, "revert", [second])).toMatch(/was changed again since \(quote\)/);
    const preview = await previewReview(context, { feedbackId, correctionIds: null, action: "revert", change: null });
    expect(preview.corrections.map(({ refusal }) => refusal)).toEqual([null, null, null]);
    expect((await step(feedbackId, "revert")).status).toBe("reverted");
    expect(await readableState(context)).toEqual(before);
  });

  it("are reverted last first where a later one brought back what an earlier one left", async () => {
    const scene = await createReviewedScene(context, caller, 20);
    const [status, hidden, again] = ["wrong_status", "not_a_sponsor", "missing"].map((issue) =>
      correctionIn(scene, "channel_sponsors", issue),
    );
    if (status === undefined || hidden === undefined || again === undefined) throw new Error("no such corrections");
    again.suggestedChange = { ...again.suggestedChange, entity_id: entityId(scene.company) };
    const corrections = [status, hidden, again];
    const feedbackId = await createAcceptedFeedback(context, caller, "channel_sponsors", corrections);
    const ids = await correctionIdsOf(feedbackId);
    const before = await readableState(context);
    for (const id of ids) expect(await attempt(feedbackId, "apply", [id])).toBeNull();
    expect(await attempt(feedbackId, "revert", ids.slice(0, 1))).toBe(
      `Correction ${ids[2]} changed the same since; revert that first.`,
    );
    for (const id of ids.toReversed()) expect(await attempt(feedbackId, "revert", [id])).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });

  it("are applied together or not at all, with the one that cannot be", async () => {
    const scene = await createReviewedScene(context, caller, 10);
    const quote = correctionIn(scene, "mentions", "wrong_quote");
    const role = correctionIn(scene, "appearances", "wrong_appearance_role");
    const other = { ...quote, itemId: role.itemId };
    const feedbackId = await createAcceptedFeedback(context, caller, "mentions", [quote, other]);
    const [first = 0, second = 0] = await correctionIdsOf(feedbackId);
    const gone = await createAcceptedFeedback(context, caller, "mentions", [{ ...other, ...notMentioned }]);
    await step(gone, "apply");
    expect(await attempt(feedbackId, "apply")).toMatch(`Correction ${second}: The row that it is about is not there`);
    const before = await readableState(context);
    expect(await attempt(feedbackId, "apply", [first])).toBeNull();
    expect(await attempt(feedbackId, "revert", [first])).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });
});

describe("what is changed by others meanwhile", () => {
  interface Changed {
    id: number;
    itemId: string;
    company: number;
    other: number;
  }
  const laterChanges: readonly {
    type: FeedbackType;
    issue: string;
    how: (of: Changed) => SqlFragment;
  }[] = [
    {
      type: "mentions",
      issue: "wrong_quote",
      how: ({ id }) => sql.fragment`update mention set quote = 'Else.' where id = ${id}`,
    },
    {
      type: "mentions",
      issue: "wrong_entity",
      how: ({ id, other }) => sql.fragment`update mention set entity_id = ${other} where id = ${id}`,
    },
    { type: "mentions", issue: "wrong_timestamp", how: ({ id }) => sql.fragment`delete from mention where id = ${id}` },
    {
      type: "appearances",
      issue: "wrong_appearance_role",
      how: ({ id }) => sql.fragment`update mention set appearance_role = 'panelist' where id = ${id}`,
    },
    {
      type: "recommendations",
      issue: "wrong_offer",
      how: ({ id }) => sql.fragment`update recommendation set offer = 'Else.' where id = ${id}`,
    },
    {
      type: "entities",
      issue: "wrong_url",
      how: ({ id }) => sql.fragment`update entity set url = 'https://else.example' where id = ${id}`,
    },
    {
      type: "entities",
      issue: "wrong_name",
      how: ({ id }) => sql.fragment`update entity set name = 'Else' where id = ${id}`,
    },
    {
      type: "entities",
      issue: "missing_alias",
      how: ({ id }) => sql.fragment`delete from entity_name where entity_id = ${id} and is_alias`,
    },
    {
      type: "monitor_alert",
      issue: "wrong_timestamp",
      how: ({ itemId }) => sql.fragment`update alert_occurrence set start_seconds = 1 where id = ${itemId}`,
    },
    {
      type: "channel_sponsors",
      issue: "wrong_status",
      how: ({ company }) => sql.fragment`update sponsor_review set ad_reads_added = 7 where entity_id = ${company}`,
    },
    {
      type: "entities_search",
      issue: "missing_result",
      how: () => sql.fragment`delete from search_review`,
    },
  ];

  it.each(laterChanges)("stops the revert of $type $issue, with the reason", async ({ type, issue, how }) => {
    const scene = await createReviewedScene(context, caller, 10);
    const feedbackId = await createAcceptedFeedback(context, caller, type, [correctionIn(scene, type, issue)]);
    await step(feedbackId, "apply");
    const itemId = scene.items[itemKindOf(type)];
    const changed = {
      id: Number(itemId.slice(4)),
      itemId,
      company: scene.company,
      other: await createEntity(context),
    };
    await context.pool.query(sql.typeAlias("void")`${how(changed)}`);
    expect(await attempt(feedbackId, "revert")).toMatch(/since|not there any more/);
    expect((await readFeedback(context.pool, feedbackId, null))?.status).toBe("applied");
  });

  it("does not, where it is another merge of the same entities, stop the revert of what it does not touch", async () => {
    const scene = await createReviewedScene(context, caller, 10);
    const feedbackId = await createAcceptedFeedback(context, caller, "mentions", [
      correctionIn(scene, "mentions", "wrong_entity"),
    ]);
    const other = await createEntity(context, { type: "organization" });
    await context.pool.transaction((tx) => mergeEntities(tx, scene.company, other));
    const before = await readableState(context);
    await step(feedbackId, "apply");
    expect(await attempt(feedbackId, "revert")).toBeNull();
    expect(await readableState(context)).toEqual(before);
  });
});
