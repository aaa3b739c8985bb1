import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { newId } from "../../domain/ids.ts";
import { changeSchemas } from "../../domain/review/changes.ts";
import { effectOf, feedbackTypes, isIssueOf, itemKindOf } from "../../domain/review/issues.ts";
import type { ReviewVerb } from "../../domain/review/states.ts";
import type { Caller } from "../../services/context.ts";
import { carryOut } from "../../services/feedback/carryOut.ts";
import { keepCommand } from "../../services/feedback/keepCommand.ts";
import { previewReview } from "../../services/feedback/preview.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { correctionIn, createAcceptedFeedback, createReviewedScene, issuesOf } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
const open = async () => {
  context = await createTestContext();
  caller = await createCaller(context);
};
const close = () => context.close();

const step = (feedbackId: number, action: "apply" | "revert") =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });

const recorded = new Set(["should_split", "irrelevant", "wrong_rank", "late_alert"]);

// A database for each type: all of it is compared, time and again.
describe.each(feedbackTypes)("what a correction of type %s changes", (type) => {
  beforeAll(open);
  afterAll(close);

  it.each(issuesOf(type))(
    "comes out again as it was: %s, applied, applied again, previewed and reverted",
    async (issue) => {
      const kind = itemKindOf(type);
      if (!isIssueOf(kind, issue)) throw new Error("the catalogue contradicts itself");
      const table = recorded.has(issue) ? "record" : "reads";
      expect([issue, effectOf(kind, issue)]).toEqual([issue, table]);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 90 }), fc.boolean(), async (seconds, twice) => {
          const scene = await createReviewedScene(context, caller, seconds);
          const feedbackId = await createAcceptedFeedback(context, caller, type, [correctionIn(scene, type, issue)]);
          const before = await readableState(context);

          const asked = { feedbackId, correctionIds: null, action: "apply", change: null } as const;
          const impact = await previewReview(context, asked);
          expect(impact.corrections).toEqual([expect.objectContaining({ refusal: null, effect: table })]);
          const touched = impact.corrections[0]?.entries.map((entry) => entry.table) ?? [];
          expect(touched.length).toBeGreaterThan(0);
          // What says that it only records does only that; what says that reads change changes more.
          expect(touched.every((name) => name === "review_finding")).toBe(table === "record");
          expect(await readableState(context)).toEqual(before);

          expect((await step(feedbackId, "apply")).status).toBe("applied");
          const applied = await readableState(context);
          expect(applied).not.toEqual(before);
          await step(feedbackId, "apply");
          expect(await readableState(context)).toEqual(applied);

          expect((await step(feedbackId, "revert")).status).toBe("reverted");
          expect(await readableState(context)).toEqual(before);
          if (!twice) return;
          expect((await step(feedbackId, "apply")).status).toBe("applied");
          await step(feedbackId, "revert");
          expect(await readableState(context)).toEqual(before);
        }),
        { numRuns: 2 },
      );
    },
    60_000,
  );

  it("is said of every issue of the catalogue", () => {
    expect(Object.keys(changeSchemas[itemKindOf(type)])).toEqual(issuesOf(type));
  });
});

describe("a step", () => {
  beforeAll(open);
  afterAll(close);

  it("is carried out once, however often and by how many the same command is run", async () => {
    const scene = await createReviewedScene(context, caller, 10);
    const feedbackId = await createAcceptedFeedback(context, caller, "mentions", [
      correctionIn(scene, "mentions", "wrong_entity"),
    ]);
    const command = async (verb: ReviewVerb) => {
      const commandId = newId("reviewCommand");
      const rest = { correctionIds: null, note: null, change: null, actor: "test" };
      await keepCommand(context, { commandId, feedbackId, verb, ...rest });
      const ends = await Promise.all(Array.from({ length: 5 }, () => carryOut(context, commandId)));
      expect(new Set(ends.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
      return ends[0]?.snapshot.version ?? 0;
    };
    const applied = await command("apply");
    expect(await command("revert")).toBe(applied + 1);
  });
});
