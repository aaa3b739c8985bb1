import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { z } from "zod";
import { createRelatedEntitiesActivities } from "../../activities/relatedEntities.ts";
import { sql } from "../../database/pool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { ensureSchedules } from "../../workers/schedules.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { relatedEntities } from "../../workflows/relatedEntities.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { keepHistory } from "../builders/histories.ts";
import { differencesOfSets } from "../builders/relatedSets.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
beforeAll(async () => {
  [environment, context, bundle] = await Promise.all([
    createNamespace(),
    createTestContext({ settings: { relatedLists: { heavyMentions: 5, videosPerStep: 3 } } }),
    bundleWorkflows(),
  ]);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

type Activities = ReturnType<typeof createRelatedEntitiesActivities>;

async function whileWorking<T>(work: () => Promise<T>, changed: Partial<Activities> = {}): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: { ...createRelatedEntitiesActivities({ context }), ...changed },
  });
  return worker.runUntil(work());
}

let runs = 0;
async function run(): Promise<{ workflowId: string; result: Awaited<ReturnType<typeof relatedEntities>> }> {
  runs += 1;
  const workflowId = `related-entities-${runs}`;
  const handle = await environment.client.workflow.start<typeof relatedEntities>("relatedEntities", {
    workflowId,
    taskQueue: taskQueues.workflows,
    args: [],
  });
  return { workflowId, result: await handle.result() };
}

async function addVideos(videos: number, entityIds: readonly number[]): Promise<void> {
  for (let n = 0; n < videos; n += 1) {
    const videoId = await createVideo(context);
    for (const entityId of entityIds) await createMention(context, { videoId, entityId });
  }
}

const setsByState = () =>
  context.pool.any(sql.type(z.object({ state: z.string(), sets: z.number() }))`
    select state, count(*)::int4 as sets from relation_set group by state order by state`);

describe("the workflow", () => {
  let topic: number;
  let products: number[];
  beforeAll(async () => {
    topic = await createEntity(context, { type: "topic" });
    products = [
      await createEntity(context, { type: "product" }),
      await createEntity(context, { type: "product" }),
      await createEntity(context, { type: "product" }),
    ];
    await addVideos(8, [topic, ...products]);
  });

  it("counts what is mentioned much, once and for all that came before", async () => {
    const { workflowId, result } = await whileWorking(run);
    // the topic and its three products, which have topics
    expect(result).toMatchObject({ changes: 32, built: 4 });
    const { differences, rows } = await differencesOfSets(context);
    expect([differences, rows]).toEqual([[], 3 * 6]);
    const described = await environment.client.workflow.getHandle(workflowId).describe();
    expect(described.searchAttributes["MediaStage"]).toEqual(["done"]);
    await keepHistory(environment, workflowId, "related-entities");
  });

  it("adds what came since, in batches, without counting anew", async () => {
    await addVideos(7, [topic, ...products.slice(1)]);
    const { result } = await whileWorking(run);
    expect(result).toMatchObject({ changes: 21, built: 0 });
    expect((await differencesOfSets(context)).differences).toEqual([]);
  });

  it("counts those first that a merge has left uncounted", async () => {
    const big = await createEntity(context, { type: "topic" });
    const videoId = await createVideo(context);
    await context.pool.query(sql.typeAlias("void")`
      insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
      select video.id, ${big}, channel_id, published_at, 'topic', n, n, '', 1, 'import' from video, generate_series(1, 501) as n where video.id = ${videoId}`);
    await addVideos(1, [big, ...products]);
    await context.pool.transaction((transaction) => mergeEntities(transaction, big, topic));
    // that of the topic, and those of the products that the topic stands in
    expect(await setsByState()).toEqual([
      { state: "gone", sets: 4 },
      { state: "wanted", sets: 4 },
    ]);
    const { result } = await whileWorking(run);
    expect(result.built).toBe(4);
    expect((await differencesOfSets(context)).differences).toEqual([]);
    expect((await setsByState()).find(({ state }) => state === "wanted")).toBeUndefined();
  });

  it("leaves nothing half-done when a step dies in the middle and is repeated", async () => {
    await addVideos(6, [topic, ...products, await createEntity(context, { type: "topic" })]);
    const real = createRelatedEntitiesActivities({ context });
    const deaths = { applyEvidenceChanges: 0, buildWantedSet: 0 };
    /** Before its work, and after its work was committed but before that is known. */
    const dying =
      <T>(name: keyof typeof deaths, step: () => Promise<T>) =>
      async (): Promise<T> => {
        deaths[name] += 1;
        if (deaths[name] === 1) throw new Error("died before");
        const result = await step();
        if (deaths[name] === 2) throw new Error("died after");
        return result;
      };
    // the connection of a count that is under way is cut
    let cut = false;
    const cutting = async () => {
      if (cut) return real.buildWantedSet();
      cut = true;
      const broken = real.buildWantedSet();
      await context.pool.query(sql.typeAlias("void")`
        select from (select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state <> 'idle') as ended`);
      return broken;
    };
    await whileWorking(run, {
      applyEvidenceChanges: dying("applyEvidenceChanges", real.applyEvidenceChanges),
      buildWantedSet: dying("buildWantedSet", cutting),
    });
    expect(Math.min(...Object.values(deaths))).toBeGreaterThan(2);
    const { sets, differences } = await differencesOfSets(context);
    expect([sets, differences]).toEqual([5, []]);
  });

  it("is started every minute, one run at a time", async () => {
    await ensureSchedules(environment.client);
    const { spec, policies } = await environment.client.schedule.getHandle("related-entities").describe();
    expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
    expect(policies.overlap).toBe("SKIP");
  });
});
