import { readFile } from "node:fs/promises";
import { DefaultLogger, Runtime, Worker } from "@temporalio/worker";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";

/** Replays the history files given as arguments on today's code; prints `[{file, error}]`. A process of its own, as protobuf's JSON does not run under jest. */
Runtime.install({ logger: new DefaultLogger("ERROR") });
const bundle = await bundleWorkflows();
const results: { file: string; error: string | null }[] = [];
for (const file of process.argv.slice(2)) {
  try {
    await Worker.runReplayHistory({ workflowBundle: bundle }, JSON.parse(await readFile(file, "utf8")));
    results.push({ file, error: null });
  } catch (error) {
    results.push({ file, error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown" });
  }
}
console.log(JSON.stringify(results));
