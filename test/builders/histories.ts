import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { WorkflowHandle } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { testEnvironment } from "../environment/addresses.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const folder = path.join(repository, "test/workflows/histories");

/** What Temporal UI says beside each activity of a workflow. */
export async function stepSummaries(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes, userMetadata }) =>
    activityTaskScheduledEventAttributes && userMetadata?.summary?.data
      ? [String(JSON.parse(Buffer.from(userMetadata.summary.data).toString()))]
      : [],
  );
}

/**
 * Keeps the history of a finished workflow, when RECORD_HISTORIES names the release it is of. Histories of released versions stay for
 * ever: they are what running workflows look like to new code.
 */
export async function keepHistory(
  environment: TestWorkflowEnvironment,
  workflowId: string,
  name: string,
): Promise<void> {
  const release = process.env["RECORD_HISTORIES"];
  if (release === undefined) return;
  const where = ["--address", environment.address, "--namespace", environment.namespace ?? "default"];
  const show = ["workflow", "show", "--workflow-id", workflowId, "--output", "json", ...where];
  const { stdout } = await promisify(execFile)(testEnvironment().temporalCli, show, { maxBuffer: 64 * 1024 * 1024 });
  await mkdir(path.join(folder, release), { recursive: true });
  // Stack traces name the folder the code lay in, which is nobody's business.
  await writeFile(path.join(folder, release, `${name}.json`), stdout.replaceAll(`${repository}/`, ""));
}
