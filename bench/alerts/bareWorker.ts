import path from "node:path";
import { Client, Connection } from "@temporalio/client";
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { z } from "zod";
import { deliveriesCapacity } from "../../workers/deliveries.ts";

/**
 * The floor of `bench alerts`: a worker of bare workflows with the options of the deliveries' worker. Told `{ prefix, workflows }`, it starts
 * so many, as many at once as the product's dispatcher does.
 */
const told = z.object({ prefix: z.string(), workflows: z.number() });
const address = process.env["TEMPORAL_ADDRESS"] ?? "";
const taskQueue = "bench-bare";
const startedTogether = 100;
const lanes = 2;

const quiet = () => undefined;
const logger = { trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error, log: quiet };
Runtime.install({ logger });
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: path.join(import.meta.dirname, "bareWorkflow.ts"),
  logger,
});
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle,
  activities: { answer: async (subject: string) => subject },
  ...deliveriesCapacity,
});
const client = new Client({ connection: await Connection.connect({ address }) });

process.on("message", (message) => {
  const { prefix, workflows } = told.parse(message);
  const left = Array.from({ length: workflows }, (_, index) => `${prefix}-${index}`);
  const lane = async () => {
    for (let ids = left.splice(0, startedTogether); ids.length > 0; ids = left.splice(0, startedTogether))
      await Promise.all(
        ids.map((workflowId) => client.workflow.start("bare", { workflowId, taskQueue, args: [workflowId] })),
      );
  };
  void Promise.all(Array.from({ length: lanes }, lane));
});
process.on("disconnect", () => process.exit());

process.send?.("ready");
await worker.run();
