import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readEntity } from "../../database/entities.ts";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import type { Caller } from "../../services/context.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { resolveImages } from "../../services/images/resolve.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createAcceptedFeedback } from "../builders/reviewedScene.ts";

let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
});
afterAll(() => context.close());

const found = "https://images.example/found.png";
/** Looks at every page anew. */
async function look(): Promise<void> {
  await context.pool.query(sql.typeAlias("void")`update entity set image_checked_at = '2020-01-01Z'`);
  await resolveImages(context, { find: async () => found }, new AbortController().signal);
}

it.each([null, "https://images.example/right.png"])(
  "an image that reviewers said is right (%s) stays, whatever its page shows, until that is reverted",
  async (image) => {
    const id = await createEntity(context, { url: "https://pages.example/" });
    const imageOf = async () => (await readEntity(context.pool, id))?.imageUrl;
    const correction = {
      itemId: entityId(id),
      itemKind: "entity",
      issueType: "wrong_image",
      reason: null,
      suggestedChange: { image_url: image },
      notes: null,
      observedRank: null,
    } as const;
    await look();
    expect(await imageOf()).toBe(found);
    const feedbackId = await createAcceptedFeedback(context, caller, "entities", [correction]);
    const take = (action: "apply" | "revert") =>
      takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: { action }, actor: "test" });
    await take("apply");
    await look();
    expect(await imageOf()).toBe(image);
    await take("revert");
    expect(await imageOf()).toBe(found);
    await context.pool.query(sql.typeAlias("void")`update entity set image_url = null where id = ${id}`);
    await look();
    expect(await imageOf()).toBe(found);
  },
);
