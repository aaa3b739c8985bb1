import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { readFeedback } from "../../database/feedback.ts";
import { readReviewCommand } from "../../database/reviewCommands.ts";
import { newId } from "../../domain/ids.ts";
import { effectOf, feedbackTypes, isIssueOf, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../../services/context.ts";
import { carryOut } from "../../services/feedback/carryOut.ts";
import { keepCommand } from "../../services/feedback/keepCommand.ts";
import { killProcess, type RunningProcess, startProcess } from "../builders/childProcess.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { correctionIn, createAcceptedFeedback, createReviewedScene, issuesOf } from "../builders/reviewedScene.ts";
import { seededRandom } from "../builders/seededRandom.ts";

const killsEach = 3;
const random = seededRandom(17);
let context: TestContext;
let caller: Caller;
let next: Promise<RunningProcess>;
let halfWay = 0;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context);
  next = start();
});
afterAll(async () => {
  (await next).child.kill("SIGKILL");
  await context.close();
});

const start = () => startProcess("test/builders/reviewStepProcess.ts", { DATABASE_URL: context.databaseUrl });
/** A process that has nothing to do yet, while the one after it starts. */
async function takeProcess(): Promise<RunningProcess> {
  const taken = await next;
  next = start();
  return taken;
}

/** Whether a transaction that applies or reverts has begun to change rows, and not ended. */
const isHalfWay = () =>
  context.pool.exists(sql.typeAlias("void")`
    select from pg_locks where relation = any ('{review_row,reviewed_evidence}'::regclass[]) and mode = 'RowExclusiveLock' and granted
      and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`);
const statusesOf = async (feedbackId: number) =>
  new Set((await readFeedback(context.pool, feedbackId, null))?.corrections.map(({ status }) => status));

/** Has a process carry the step out, and kills it at a random moment from the first changed row on. */
async function carryOutAndKill(commandId: string, lastsMilliseconds: number): Promise<void> {
  const taken = await takeProcess();
  const done = once(taken.child, "message").then(() => true);
  taken.child.send(commandId);
  while (!(await Promise.race([isHalfWay(), done])));
  await sleep(random() * lastsMilliseconds);
  const isCaught = await isHalfWay();
  await killProcess(taken);
  // Whoever carries it out next waits for the lock of the one that was killed, until the server has seen that it is gone.
  while (await isHalfWay()) await sleep(5);
  if (isCaught && (await outcomeOf(commandId)) === null) halfWay += 1;
}

const outcomeOf = async (commandId: string) => (await readReviewCommand(context.pool, commandId))?.outcome ?? null;

const dataTypes = feedbackTypes.map((type) => {
  const kind = itemKindOf(type);
  const issues = issuesOf(type).filter((issue) => isIssueOf(kind, issue) && effectOf(kind, issue) === "reads");
  return { type, issues, named: issues.join(", ") };
});

describe("a step that its process dies at, by kill -9, is carried out whole or not at all, and once", () => {
  it.each(dataTypes)(
    "$type: $named",
    async ({ type, issues }) => {
      const corrections = [];
      for (const issue of issues)
        corrections.push(correctionIn(await createReviewedScene(context, caller, 10), type, issue));
      const feedbackId = await createAcceptedFeedback(context, caller, type, corrections);
      const initial = await readableState(context);
      const begun = (await readFeedback(context.pool, feedbackId, null))?.version ?? 0;
      let lastsMilliseconds = 100;
      const ends: string[][][] = [];
      for (const [turn, verb] of (["apply", "revert"] as const).entries()) {
        const [from, to] = verb === "apply" ? ["accepted", "applied"] : ["applied", "reverted"];
        const before = await readableState(context);
        const commandId = newId("reviewCommand");
        const rest = { correctionIds: null, note: null, change: null, actor: "test" };
        await keepCommand(context, { commandId, feedbackId, verb, ...rest });
        const states: string[][][] = [];
        for (let kill = 0; kill < killsEach && (await outcomeOf(commandId)) === null; kill += 1) {
          await carryOutAndKill(commandId, lastsMilliseconds);
          const isDone = (await outcomeOf(commandId)) !== null;
          expect(await statusesOf(feedbackId)).toEqual(new Set([isDone ? to : from]));
          states.push(isDone ? before : await readableState(context));
        }
        for (const state of states) expect(state).toEqual(before);
        const at = performance.now();
        expect((await carryOut(context, commandId)).outcome).toBe("done");
        if (turn === 0) lastsMilliseconds = performance.now() - at;
        const end = await readableState(context);
        expect(await statusesOf(feedbackId)).toEqual(new Set([to]));
        expect((await carryOut(context, commandId)).snapshot.version).toBe(begun + turn + 1);
        expect(await readableState(context)).toEqual(end);
        ends.push(end);
      }
      expect(ends[0]).not.toEqual(initial);
      expect(ends[1]).toEqual(initial);
    },
    120_000,
  );

  it("and most of them died half-way, so that this shows something", () => {
    expect(halfWay).toBeGreaterThan(dataTypes.length);
  });
});
