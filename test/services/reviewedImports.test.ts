import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import type { FeedbackType } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { filesOfIndex, importFiles } from "../builders/importedFiles.ts";
import { readableState } from "../builders/readableState.ts";
import { correctionIn, createAcceptedFeedback, createReviewedScene, issuesOf } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
const step = (feedbackId: number, action: "apply" | "revert") =>
  takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });
const nothing = { imported: 0, updated: 0, settled: 0, rejected: 0 };

/** A file that tells of the index as it was says nothing else of what these change: of merges, of sponsors, of what is missing. */
const saidByNoFile = new Set([
  "missing",
  "duplicate_entity",
  "should_split",
  "not_a_sponsor",
  "wrong_status",
  "wrong_count",
]);

describe.each(["mentions", "appearances", "recommendations", "channel_sponsors", "entities"] satisfies FeedbackType[])(
  "what a correction of type %s put right",
  (type) => {
    // A database for each type: all of it is compared, time and again.
    beforeAll(async () => {
      context = await createTestContext();
      caller = await createCaller(context);
    });
    afterAll(() => context.close());

    it.each(issuesOf(type))("stays when the same files are imported again, and can be reverted: %s", async (issue) => {
      const scene = await createReviewedScene(context, caller, 10);
      const ownerId = await createEntity(context);
      await context.pool.query(sql.typeAlias("void")`
      update entity set url = 'https://example.com/wrong', image_url = 'https://example.com/wrong.png', owner_id = ${ownerId}
      where type in ('organization', 'channel')`);
      for (const known of type === "entities" ? (["number", "name"] as const) : (["number"] as const)) {
        const files = await filesOfIndex(context, known);
        expect(await importFiles(context, files)).toEqual(nothing);
        const feedbackId = await createAcceptedFeedback(context, caller, type, [correctionIn(scene, type, issue)]);
        const before = await readableState(context);
        await step(feedbackId, "apply");
        const applied = await readableState(context);
        const { settled, ...changed } = await importFiles(context, files);
        expect(changed).toEqual({ imported: 0, updated: 0, rejected: 0 });
        expect(settled > 0).toBe(!saidByNoFile.has(issue));
        expect(await readableState(context)).toEqual(applied);
        expect((await step(feedbackId, "revert")).status).toBe("reverted");
        expect(await readableState(context)).toEqual(before);
        expect(await importFiles(context, files)).toEqual(nothing);
        expect(await readableState(context)).toEqual(before);
      }
    });
  },
);
