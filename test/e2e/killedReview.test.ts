import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import type { Caller } from "../../services/context.ts";
import { readOwnFeedback } from "../../services/feedback/read.ts";
import { submitFeedback } from "../../services/feedback/submit.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { feedbackReviewWorkflowId } from "../../domain/review/carrying.ts";
import { startReview } from "../../workers/reviewStarts.ts";
import { startProcess } from "../builders/childProcess.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { readableState } from "../builders/readableState.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(400_000);
const kills = 4;
const correctionsEach = 50;
let environment: TestWorkflowEnvironment;
let context: TestContext;
let caller: Caller;
let home: string;
beforeAll(async () => {
  [environment, context, home] = await Promise.all([
    createNamespace(),
    createTestContext(),
    mkdtemp(path.join(tmpdir(), "media-index-worker-")),
  ]);
  caller = await createCaller(context);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
  await rm(home, { recursive: true, force: true });
});

const startWorker = () =>
  startProcess("workers/main.ts", {
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace ?? "default",
  });

/** Feedback that is accepted, about mentions that are another entity's. */
async function acceptedFeedback(wrong: number, right: number): Promise<number> {
  const videoId = await createVideo(context);
  const corrections = [];
  for (let n = 0; n < correctionsEach; n += 1)
    corrections.push({
      itemId: mentionId(await createMention(context, { videoId, entityId: wrong, startSeconds: n * 10 })),
      itemKind: "mention" as const,
      issueType: "wrong_entity",
      reason: null,
      suggestedChange: { entity_id: entityId(right) },
      notes: null,
      observedRank: null,
    });
  const submission = { type: "mentions" as const, query: { q: "a" }, notes: null, corrections };
  const { feedbackId } = await context.pool.transaction((tx) => submitFeedback(tx, caller, submission));
  const ask = { action: "decide", decision: "accepted", change: null, note: null } as const;
  await takeReviewStep(context, null, { feedbackId, correctionIds: null, ask, actor: "test" });
  await startReview(context.pool, environment.client, feedbackId);
  return feedbackId;
}

const signal = (feedbackId: number, name: "apply" | "revert") =>
  environment.client.workflow.getHandle(feedbackReviewWorkflowId(feedbackId)).signal(name);
const statusesOf = async (feedbackId: number) => [
  ...new Set((await readOwnFeedback(context.pool, caller, feedbackId)).corrections.map(({ status }) => status)),
];
const mentionsOf = (id: number) =>
  context.pool.oneFirst(sql.type(z.object({ count }))`select mention_count as count from entity where id = ${id}`);

it(`applies and reverts whole reviews once each, with the worker killed at ${kills} moments of it`, async () => {
  const random = seededRandom(11);
  const wrong = await createEntity(context);
  const right = await createEntity(context);
  const reviews: number[] = [];
  for (let n = 0; n < kills; n += 1) reviews.push(await acceptedFeedback(wrong, right));
  const before = await readableState(context);
  for (const name of ["apply", "revert"] as const) {
    for (const feedbackId of reviews) await signal(feedbackId, name);
    const wanted = name === "apply" ? "applied" : "reverted";
    for (let round = 0; round < kills; round += 1) {
      const worker = await startWorker();
      await sleep(random() * 400);
      const ended = once(worker.child, "exit");
      worker.child.kill("SIGKILL");
      await ended;
      // Whenever it was killed, a review is applied whole or not at all.
      for (const feedbackId of reviews) expect(await statusesOf(feedbackId)).toHaveLength(1);
      expect((await mentionsOf(right)) % correctionsEach).toBe(0);
    }
    const last = await startWorker();
    await eventually(async () => (await Promise.all(reviews.map(statusesOf))).every(([status]) => status === wanted));
    last.child.kill("SIGKILL");
    expect(await mentionsOf(right)).toBe(name === "apply" ? kills * correctionsEach : 0);
  }
  expect(await readableState(context)).toEqual(before);
  const commands = await context.pool.oneFirst(sql.type(z.object({ count }))`
    select count(*) from review_command where verb in ('apply', 'revert') and outcome = 'done'`);
  expect(commands).toBe(2 * kills);
});
