import * as wf from "@temporalio/workflow";
import { searchAttributes } from "./searchAttributes.ts";

let reportedStage: string | null = null;

/** Shows the operator what goes on; the stage is also what workflows are searched by. */
export function report(stage: string, details: string): void {
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${details}`);
  if (stage === reportedStage) return;
  reportedStage = stage;
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: stage }]);
}
