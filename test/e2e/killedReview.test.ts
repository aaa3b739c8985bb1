import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { feedbackReviewWorkflowId } from "../../domain/review/carrying.ts";
import { effectOf, feedbackTypes, isIssueOf, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { readOwnFeedback } from "../../services/feedback/read.ts";
import { startReview } from "../../workers/reviewStarts.ts";
import { killProcess } from "../builders/childProcess.ts";
import { createCaller, type TestContext } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { correctionIn, createAcceptedFeedback, createReviewedScene, issuesOf } from "../builders/reviewedScene.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { createWorkerGround, type WorkerGround } from "../builders/workerProcess.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(300_000);
const random = seededRandom(11);
/** Each of its issue types so often, so that a step takes long enough to be killed at. */
const times = 2;
let ground: WorkerGround;
let context: TestContext;
let caller: Caller;
beforeAll(async () => {
  ground = await createWorkerGround();
  ({ context } = ground);
  caller = await createCaller(context);
});
afterAll(() => ground?.close());

/** Accepted feedback of each type about everything that changes what reads answer, each with its workflow. */
async function createReviews(): Promise<number[]> {
  const reviews: number[] = [];
  for (const type of feedbackTypes) {
    const kind = itemKindOf(type);
    const issues = issuesOf(type).filter((issue) => isIssueOf(kind, issue) && effectOf(kind, issue) === "reads");
    const corrections = [];
    for (const issue of Array.from({ length: times }, () => issues).flat())
      corrections.push(correctionIn(await createReviewedScene(context, caller, 10), type, issue));
    const feedbackId = await createAcceptedFeedback(context, caller, type, corrections);
    await startReview(context.pool, ground.environment.client, feedbackId);
    reviews.push(feedbackId);
  }
  return reviews;
}

const statusesOf = async (feedbackId: number) => [
  ...new Set((await readOwnFeedback(context.pool, caller, feedbackId)).corrections.map(({ status }) => status)),
];
/** Steps that have begun to change rows, and not ended. */
const halfWay = () =>
  context.pool.oneFirst(sql.type(z.object({ count }))`
    select count(distinct pid) from pg_locks
    where relation = any ('{review_row,reviewed_evidence}'::regclass[]) and mode = 'RowExclusiveLock' and granted
      and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`);

it("applies and reverts reviews of all types whole and once each, with the worker killed (kill -9) at moments of it", async () => {
  const reviews = await createReviews();
  const before = await readableState(context);
  let worker = await ground.startWorker();
  let caught = 0;
  const seen: string[][][] = [];
  const kill = async () => {
    await killProcess(worker);
    await eventually(async () => (await halfWay()) === 0);
    for (const feedbackId of reviews) expect(await statusesOf(feedbackId)).toHaveLength(1);
  };
  for (const [verb, wanted] of [
    ["apply", "applied"],
    ["revert", "reverted"],
  ] as const) {
    for (const feedbackId of reviews)
      await ground.environment.client.workflow.getHandle(feedbackReviewWorkflowId(feedbackId)).signal(verb);
    const isDone = async () => (await Promise.all(reviews.map(statusesOf))).every(([status]) => status === wanted);
    // Once as it changes rows, once at any moment.
    await eventually(async () => (await halfWay()) > 0);
    await sleep(random() * 50);
    caught += await halfWay();
    await kill();
    worker = await ground.startWorker();
    await sleep(random() * 2000);
    await kill();
    worker = await ground.startWorker();
    await eventually(isDone);
    seen.push(await readableState(context));
  }
  await kill();
  expect(caught).toBeGreaterThan(0);
  expect(seen[0]).not.toEqual(before);
  expect(seen[1]).toEqual(before);
  const commands = await context.pool.any(sql.type(
    z.object({ verb: z.string(), outcome: z.string().nullable(), count }),
  )`
    select verb, outcome, count(*) from review_command where verb in ('apply', 'revert') group by verb, outcome order by verb`);
  expect(commands).toEqual([
    { verb: "apply", outcome: "done", count: reviews.length },
    { verb: "revert", outcome: "done", count: reviews.length },
  ]);
});
