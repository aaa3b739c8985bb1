import type { Client } from "@temporalio/client";
import type { Queryable } from "../database/pool.ts";
import { readTaughtName } from "../database/taughtNames.ts";
import { entityId } from "../domain/entities.ts";
import { nameTeachingWorkflowId } from "../domain/teaching/states.ts";
import type { nameTeaching } from "../workflows/nameTeaching.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/** Starts the workflow that carries a taught name, or tells the running one of the decision. True when there is nothing left to tell. */
export async function startNameTeaching(db: Queryable, client: Client, taughtNameId: number): Promise<boolean> {
  const name = await readTaughtName(db, taughtNameId);
  if (name === null) return true;
  await client.workflow.signalWithStart<typeof nameTeaching>("nameTeaching", {
    workflowId: nameTeachingWorkflowId(taughtNameId),
    taskQueue: taskQueues.workflows,
    args: [taughtNameId],
    signal: "decided",
    signalArgs: [],
    staticSummary: `Taught name ${taughtNameId} of ${entityId(name.entity.numericId)}`,
    staticDetails: `Corrects the videos that say the same wrong words. Read it with \`GET /internal/taught-names/${taughtNameId}\`.`,
    typedSearchAttributes: [
      { key: searchAttributes.entity, value: entityId(name.entity.numericId) },
      { key: searchAttributes.stage, value: name.status },
    ],
  });
  return true;
}
