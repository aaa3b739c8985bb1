import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { pino } from "pino";
import { z } from "zod";
import { createFeedbackActivities } from "../../activities/feedback.ts";
import { createWorkflowCarrier } from "../../adapters/reviews/workflowCarrier.ts";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { newId } from "../../domain/ids.ts";
import {
  feedbackReviewWorkflowId,
  type ReviewCarrier,
  type ReviewStep,
  type StepName,
} from "../../domain/review/carrying.ts";
import type { ReviewStatus, ReviewVerb } from "../../domain/review/states.ts";
import type { Caller } from "../../services/context.ts";
import { keepCommand } from "../../services/feedback/keepCommand.ts";
import { readOwnFeedback } from "../../services/feedback/read.ts";
import { submitFeedback } from "../../services/feedback/submit.ts";
import { type ReviewAsk, takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { withdrawFeedback } from "../../services/feedback/withdraw.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { startReview } from "../../workers/reviewStarts.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { keepHistory, stepSummaries } from "../builders/histories.ts";
import { countAcceptedUpdates, historyText } from "../builders/readHistory.ts";
import { createNamespace, registerSearchAttributes } from "../builders/transcriptionWorkers.ts";
import { startTimeSkippingServer } from "../environment/temporal.ts";

let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let caller: Caller;
let feedbackId: number;
let people: { right: number; wrong: number };
beforeAll(async () => {
  [context, bundle] = await Promise.all([createTestContext(), bundleWorkflows()]);
  caller = await createCaller(context);
});
afterAll(() => context?.close());
beforeEach(async () => {
  people = { right: await createEntity(context), wrong: await createEntity(context) };
  feedbackId = await submit(1);
});

const secret = "a note that no history may hold";

/** Feedback about so many mentions that are another entity's. */
async function submit(corrections: number): Promise<number> {
  const videoId = await createVideo(context);
  const ids: number[] = [];
  for (let n = 0; n < corrections; n += 1)
    ids.push(await createMention(context, { videoId, entityId: people.wrong, startSeconds: n * 10 }));
  const submission = {
    type: "mentions",
    query: { q: secret },
    notes: secret,
    corrections: ids.map((id) => ({
      itemId: mentionId(id),
      itemKind: "mention" as const,
      issueType: "wrong_entity",
      reason: secret,
      suggestedChange: { entity_id: entityId(people.right) },
      notes: null,
      observedRank: null,
    })),
  } as const;
  const { feedbackId } = await context.pool.transaction((tx) => submitFeedback(tx, caller, submission));
  return feedbackId;
}

async function whileWorking<T>(environment: TestWorkflowEnvironment, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: createFeedbackActivities({ context }),
    maxCachedWorkflows: 100,
  });
  return worker.runUntil(work());
}

const record = () => readOwnFeedback(context.pool, caller, feedbackId);
const statuses = async () => (await record()).corrections.map(({ status }) => status);
const mentionsOf = (id: number) =>
  context.pool.oneFirst(sql.type(z.object({ n: z.bigint().transform(Number) }))`
    select mention_count as n from entity where id = ${id}`);
const accept: ReviewAsk = { action: "decide", decision: "accepted", change: null, note: secret };
const reject: ReviewAsk = { action: "decide", decision: "rejected", change: null, note: secret };
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

const command = async (verb: ReviewVerb) => {
  const commandId = newId("reviewCommand");
  await keepCommand(context, {
    commandId,
    feedbackId,
    verb,
    correctionIds: null,
    note: null,
    change: null,
    actor: "test",
  });
  return commandId;
};
const becomes = async (status: ReviewStatus) => {
  while ((await record()).status !== status) await new Promise((resolve) => setTimeout(resolve, 50));
};
const untold = () =>
  context.pool.exists(sql.typeAlias("void")`select from outbox where subject = ${String(feedbackId)}`);

describe("on a real server", () => {
  let environment: TestWorkflowEnvironment;
  let carrier: ReviewCarrier;
  beforeAll(async () => {
    environment = await createNamespace();
    carrier = createWorkflowCarrier(environment.client);
  });
  afterAll(() => environment?.teardown());

  const take = (ask: ReviewAsk, correctionIds: number[] | null = null) =>
    takeReviewStep(context, carrier, { feedbackId, correctionIds, ask, actor: "key_reviewer" });
  const begin = () => startReview(context.pool, environment.client, feedbackId);
  const handle = () => environment.client.workflow.getHandle(feedbackReviewWorkflowId(feedbackId));
  const update = (name: StepName, step: ReviewStep) =>
    handle().executeUpdate<unknown, [ReviewStep]>(name, { args: [step] });
  const accepted = () => countAcceptedUpdates(handle());
  const details = async () =>
    z.object({ currentDetails: z.string() }).parse(await handle().query("__temporal_workflow_metadata")).currentDetails;
  const detailsSay = async (text: string) => {
    while (!(await details()).includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  it("carries a review from its start to its end, step by step, and nothing that people wrote", async () => {
    await whileWorking(environment, async () => {
      await begin();
      await begin();
      await take({ action: "request_information", note: secret });
      expect(await statuses()).toEqual(["needs_information"]);
      await take({ action: "supply_information", note: secret });
      await take(accept);
      await take({ action: "apply" });
      expect([await statuses(), await mentionsOf(people.right)]).toEqual([["applied"], 1]);
      await take({ action: "revert" });
      expect([await statuses(), await mentionsOf(people.right)]).toEqual([["reverted"], 0]);
      await take({ action: "apply" });
      expect(await accepted()).toBe(6);
      const description = await handle().describe();
      expect(await description.staticSummary()).toBe(`Review of feedback ${feedbackId} (mentions)`);
      expect(await description.staticDetails()).toContain(`reviews show ${feedbackId}`);
      expect(description.searchAttributes).toMatchObject({
        MediaAccountId: [caller.accountId],
        MediaFeedbackId: [String(feedbackId)],
        MediaStage: ["applied"],
      });
      const currentDetails = await details();
      const [correction] = (await record()).corrections;
      for (const told of ["**applied**", `correction ${correction?.correctionId}: applied`, "It waits for people"])
        expect(currentDetails).toContain(told);
      expect((await stepSummaries(handle())).filter((summary) => !summary.startsWith("read"))).toEqual(
        ["requestInformation", "supplyInformation", "decide", "apply", "revert", "apply"].map((name) =>
          expect.stringMatching(new RegExp(`^${name}, command rvc_`)),
        ),
      );
      expect(await historyText(handle())).not.toContain(secret);
      await keepHistory(environment, feedbackReviewWorkflowId(feedbackId), "feedback-review-applied-again");
    });
  });

  it("an update that is no transition is refused by its validator, before anything of it is in the history", async () => {
    await whileWorking(environment, async () => {
      await begin();
      const step = { decision: null, correctionIds: null };
      await expect(update("apply", { ...step, commandId: await command("apply") })).rejects.toMatchObject({
        cause: { type: "illegal_transition" },
      });
      await expect(
        update("decide", { commandId: await command("accept"), decision: "accepted", correctionIds: [999_999] }),
      ).rejects.toMatchObject({ cause: { type: "illegal_transition" } });
      expect([await accepted(), await statuses()]).toEqual([0, ["pending_review"]]);
      expect(await codeOf(take({ action: "revert" }))).toBe("illegal_transition");
      expect(await codeOf(take(accept, [999_999]))).toBe("correction_not_found");
      expect(await statuses()).toEqual(["pending_review"]);
    });
  });

  it("of two reviewers at once one decides, and a double click is one decision", async () => {
    await whileWorking(environment, async () => {
      await begin();
      const ends = await Promise.all([take(accept), take(reject), take(accept), take(reject)].map(codeOf));
      const [status] = await statuses();
      const won = status === "accepted" ? [0, 2] : [1, 3];
      expect(ends.map((end, n) => [n, end])).toEqual(
        ends.map((_, n) => [n, won.includes(n) ? "done" : "illegal_transition"]),
      );
      const decided = await context.pool.oneFirst(sql.type(z.object({ n: z.bigint().transform(Number) }))`
        select count(*) as n from review_command where feedback_id = ${feedbackId} and outcome = 'done'`);
      expect(decided).toBe(1);
    });
  });

  it("people act by signal from Temporal UI alone, and a signal that is none does no harm", async () => {
    await whileWorking(environment, async () => {
      await begin();
      for (const [name, input, says] of [
        ["apply", undefined, `The last step, apply, was refused: \`reviews show ${feedbackId}\` says why.`],
        ["decide", {}, "The last signal, decide, did nothing: its input has no `decision` that is known"],
        ["decide", "accepted", "has no `decision` that is known"],
        ["decide", { decision: "accepted", correctionIds: "all" }, "its `correctionIds` are no list of numbers"],
        ["decide", { decision: "accepted", correctionIds: [] }, "its `correctionIds` name none"],
      ] as const) {
        await handle().signal(name, input);
        await detailsSay(says);
      }
      await handle().signal("decide", { decision: "accepted" });
      await becomes("accepted");
      expect(await details()).not.toContain("The last");
      await handle().signal("apply");
      await becomes("applied");
      await handle().signal("revert");
      await becomes("reverted");
      const actors = await context.pool.anyFirst(sql.type(z.object({ actor: z.string() }))`
        select distinct actor from review_command where feedback_id = ${feedbackId}`);
      expect(actors).toEqual(["temporal"]);
      await keepHistory(environment, feedbackReviewWorkflowId(feedbackId), "feedback-review-signals");
    });
  });

  it("ends when all is rejected or withdrawn; what nobody carried was taken without it, and it is told", async () => {
    await whileWorking(environment, async () => {
      await begin();
      await take(reject);
      expect(await handle().result()).toEqual({ status: "rejected" });
      await keepHistory(environment, feedbackReviewWorkflowId(feedbackId), "feedback-review-rejected");
      expect(await codeOf(take(accept))).toBe("illegal_transition");

      feedbackId = await submit(1);
      await begin();
      await context.pool.transaction((tx) => withdrawFeedback(context, tx, caller, feedbackId));
      expect((await handle().describe()).status.name).toBe("RUNNING");
      await begin();
      expect(await handle().result()).toEqual({ status: "withdrawn" });
    });
  });

  it("a step goes on without Temporal, and the outbox starts what it had not", async () => {
    await takeReviewStep(context, null, { feedbackId, correctionIds: null, ask: accept, actor: "key_reviewer" });
    const dispatcher = new OutboxDispatcher({
      context,
      client: environment.client,
      databaseUrl: context.databaseUrl,
      logger: pino({ level: "silent" }),
    });
    try {
      await whileWorking(environment, async () => {
        while (await untold()) await new Promise((resolve) => setTimeout(resolve, 50));
        await update("apply", { commandId: await command("apply"), decision: null, correctionIds: null });
        expect(await statuses()).toEqual(["applied"]);
      });
    } finally {
      await dispatcher.stop();
    }
  });

  it("begins a new run before its history grows long, and knows where it stood", async () => {
    await whileWorking(environment, async () => {
      feedbackId = await submit(2);
      await begin();
      const first = (await handle().describe()).runId;
      for (let n = 0; n < 201; n += 1) await handle().signal("refresh");
      while ((await handle().describe()).runId === first) await new Promise((resolve) => setTimeout(resolve, 50));
      await take(accept);
      expect((await handle().describe()).historyLength).toBeLessThan(100);
      await expect(
        update("decide", { commandId: await command("reject"), decision: "rejected", correctionIds: null }),
      ).rejects.toMatchObject({ cause: { type: "illegal_transition" } });
      await take({ action: "apply" });
      expect(await statuses()).toEqual(["applied", "applied"]);
    });
  }, 60_000);
});

describe("with time skipped", () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await startTimeSkippingServer();
    await registerSearchAttributes(environment);
  });
  afterAll(() => environment?.teardown());

  it("a feedback that waited for 400 days is decided and applied", async () => {
    await whileWorking(environment, async () => {
      const started = await environment.currentTimeMs();
      await startReview(context.pool, environment.client, feedbackId);
      await environment.sleep("400 days");
      expect((await environment.currentTimeMs()) - started).toBeGreaterThanOrEqual(400 * 86_400_000);
      const carrier = createWorkflowCarrier(environment.client);
      const take = (ask: ReviewAsk) =>
        takeReviewStep(context, carrier, { feedbackId, correctionIds: null, ask, actor: "key_reviewer" });
      await take(accept);
      await take({ action: "apply" });
      expect([await statuses(), await mentionsOf(people.right)]).toEqual([["applied"], 1]);
      await keepHistory(environment, feedbackReviewWorkflowId(feedbackId), "feedback-review-400-days");
    });
  });
});
