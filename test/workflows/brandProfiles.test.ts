import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { z } from "zod";
import { createUpkeepActivities } from "../../activities/upkeep.ts";
import { sumStaleBrandProfiles } from "../../database/brandProfiles.ts";
import { count, sql } from "../../database/pool.ts";
import { sumBrandProfiles } from "../../services/brandProfiles/sum.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { ensureSchedules } from "../../workers/schedules.ts";
import type { brandProfiles } from "../../workflows/brandProfiles.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { createBrand, createRows } from "../builders/commerce.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { createRecommendation, createVideo } from "../builders/evidence.ts";
import { keepHistory } from "../builders/histories.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
beforeAll(async () => {
  [environment, context] = await Promise.all([createNamespace(), createTestContext()]);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

const stale = () =>
  context.pool.oneFirst(
    sql.type(z.object({ count }))`select count(*) from brand_profile where stale_since is not null`,
  );
const totalReads = (entityId: number) =>
  context.pool.maybeOneFirst(
    sql.type(z.object({ count }))`select total_ad_reads as count from brand_profile where entity_id = ${entityId}`,
  );

describe("brand profiles", () => {
  it("are summed up by a schedule, batch by batch, every 30 seconds", async () => {
    const brands: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const id = await createBrand(context, `Brand ${n}`);
      await createRows(
        context,
        id,
        Array.from({ length: n + 1 }, () => ({})),
      );
      brands.push(id);
    }
    expect([await stale(), await Promise.all(brands.map(totalReads))]).toEqual([5, [0, 0, 0, 0, 0]]);
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      namespace: environment.namespace ?? "default",
      taskQueue: taskQueues.workflows,
      workflowBundle: await bundleWorkflows(),
      activities: {
        ...createUpkeepActivities({ context }),
        sumBrandProfiles: () => sumBrandProfiles(context, 2),
      },
    });
    await worker.runUntil(async () => {
      const handle = await environment.client.workflow.start<typeof brandProfiles>("brandProfiles", {
        workflowId: "brand-profiles-now",
        taskQueue: taskQueues.workflows,
      });
      expect(await handle.result()).toEqual({ summed: 5 });
      expect((await handle.describe()).searchAttributes["MediaStage"]).toEqual(["done"]);
      await keepHistory(environment, "brand-profiles-now", "brand-profiles");
    });
    expect([await stale(), await Promise.all(brands.map(totalReads))]).toEqual([0, [1, 2, 3, 4, 5]]);
    await ensureSchedules(environment.client);
    const { spec, policies } = await environment.client.schedule.getHandle("brand-profiles").describe();
    expect([spec.intervals, policies.overlap]).toMatchObject([[{ every: 30_000 }], "SKIP"]);
  });

  it("that are being written are left to the next time, which then finds what was written", async () => {
    const entityId = await createBrand(context, "Written meanwhile");
    await createRows(context, entityId, [{}]);
    await sumStaleBrandProfiles(context.pool, 100);
    const videoId = await createVideo(context, {});
    await createRecommendation(context, { videoId, entityId });
    const [added, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = context.pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias("void")`
        insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, confidence, source)
        select id, ${entityId}, channel_id, now(), 'ad_read', 1, 'import' from video where id = ${videoId}`);
      added.resolve();
      await looked.promise;
    });
    await added.promise;
    expect([await sumStaleBrandProfiles(context.pool, 100), await stale()]).toEqual([0, 1]);
    looked.resolve();
    await writing;
    expect([await sumStaleBrandProfiles(context.pool, 100), await totalReads(entityId)]).toEqual([1, 3]);
  });
});
