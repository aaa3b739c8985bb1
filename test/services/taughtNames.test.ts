import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { acceptName, undoName } from "../../services/teaching/decide.ts";
import { previewName } from "../../services/teaching/preview.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { carryAll, createMisheardName } from "../builders/taughtNames.ts";

const rounds = 3;
const editedAtOnce = 4;
let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  context = await createTestContext({ connections: 20 });
  caller = await createCaller(context, { tier: "enterprise" });
});
afterAll(() => context.close());

it("people, reviewers and the workflow at once never wait for each other in a circle, and end where they began", async () => {
  const scene = await createMisheardName(context, caller, rounds + editedAtOnce);
  await scene.teach();
  const id = await scene.taughtId();
  const accept = () =>
    context.pool.transaction((tx) => acceptName(tx, id, { withAlias: true, videoIds: null }, "key_test"));
  const editAndUndo = async (videoId: string) => {
    const correctionId = await scene.teach(videoId);
    await context.pool.transaction((tx) => undoCorrection(tx, correctionId, null));
  };
  const failures: string[] = [];
  const told = (work: Promise<unknown>) =>
    work.catch((error: Error & { code?: string }) => failures.push(error.code ?? error.message));
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    work.push(told(accept()), told(previewName(context, id, { limit: 10, after: null })));
    for (const videoId of scene.videoIds.slice(round + 1, round + 1 + editedAtOnce))
      work.push(told(editAndUndo(videoId)));
    work.push(told(carryAll(context, id)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    work.push(told(context.pool.transaction((tx) => undoName(tx, id))), told(carryAll(context, id)));
  }
  await Promise.all(work);
  // Refused: an edit of what is corrected meanwhile, and a decision that comes too early or too late.
  expect(failures.filter((each) => !["anchor_mismatch", "illegal_transition"].includes(each))).toEqual([]);
  const deadlocks = sql.type(z.object({ n: count }))`
    select deadlocks as n from pg_stat_database where datname = current_database()`;
  expect(await context.pool.oneFirst(deadlocks)).toBe(0);
  await told(context.pool.transaction((tx) => undoName(tx, id)));
  await carryAll(context, id);
  for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
});
