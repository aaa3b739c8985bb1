import { type ReviewedCorrection, type ReviewStatus, type ReviewVerb, verbOf } from "./states.ts";

/** Where a feedback stands: of two snapshots the one with the higher version is newer. */
export interface ReviewSnapshot {
  version: number;
  status: ReviewStatus;
  corrections: ReviewedCorrection[];
}

/** What the workflow of a feedback is started with: ids and states, never what people wrote. */
export interface FeedbackReviewInput {
  feedbackId: number;
  accountId: string;
  snapshot: ReviewSnapshot;
  /** How many runs of this workflow came before. */
  earlierRuns: number;
}

/** A step that somebody asked for. Note and change lie in Postgres under `commandId`. */
export interface ReviewStep {
  commandId: string;
  /** Of a step that is a decision; null for others. */
  decision: string | null;
  /** Null: all that can take the step. */
  correctionIds: number[] | null;
}

/** What an update of the workflow answers. */
export interface CarriedStep {
  outcome: "done" | "repeated" | "refused";
  snapshot: ReviewSnapshot;
}

/** Names of the workflow's signals and updates (architecture.md, "Workflows"). */
export const stepNames = ["decide", "requestInformation", "supplyInformation", "withdraw", "apply", "revert"] as const;
export type StepName = (typeof stepNames)[number];

/** The step that a verb is. */
export function stepNameOf(verb: ReviewVerb): StepName {
  switch (verb) {
    case "accept":
    case "accept_with_changes":
    case "reject":
      return "decide";
    case "request_information":
      return "requestInformation";
    case "supply_information":
      return "supplyInformation";
    case "withdraw":
    case "apply":
    case "revert":
      return verb;
  }
}

/** The verb of a step; null for a decision that is none. */
export function verbOfStep(name: StepName, decision: string | null): ReviewVerb | null {
  switch (name) {
    case "decide":
      return verbOf(decision);
    case "requestInformation":
      return "request_information";
    case "supplyInformation":
      return "supply_information";
    case "withdraw":
    case "apply":
    case "revert":
      return name;
  }
}

/** One workflow a feedback: the id of architecture.md "Workflows". */
export function feedbackReviewWorkflowId(feedbackId: number): string {
  return `feedback-${feedbackId}`;
}

/** Hands a step to the workflow of a feedback. */
export interface ReviewCarrier {
  /** false: nobody carried it out, and whoever asks has to. */
  carry(feedbackId: number, name: StepName, step: ReviewStep): Promise<boolean>;
}
