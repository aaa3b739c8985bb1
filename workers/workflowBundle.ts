import path from "node:path";
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from "@temporalio/worker";

const workflowsPath = path.join(import.meta.dirname, "../workflows/index.ts");

const quiet = () => undefined;

/** The code of all workflows as the sandbox runs it; tests replay saved histories against the same bundle. */
export async function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    logger: { trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error, log: quiet },
  });
}
