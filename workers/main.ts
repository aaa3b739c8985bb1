import { runWorkers } from "./run.ts";
import { createWorkflowsWorker } from "./workflows.ts";

await runWorkers("workflows", createWorkflowsWorker);
