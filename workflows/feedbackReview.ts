import * as wf from "@temporalio/workflow";
import type { FeedbackActivities } from "../activities/feedback.ts";
import {
  type CarriedStep,
  type FeedbackReviewInput,
  type ReviewSnapshot,
  type ReviewStep,
  type StepName,
  stepNames,
  verbOfStep,
} from "../domain/review/carrying.ts";
import { isOver, planStep } from "../domain/review/states.ts";
import { report } from "./report.ts";

/** What a signal is given. Left out: all corrections that can take the step. */
type SignalInput = { decision?: string; correctionIds?: number[] };

const patiently = { initialInterval: "1 second", backoffCoefficient: 2, maximumInterval: "1 minute" } as const;

/** After so many steps a new run begins, so that no history grows long. */
const stepsPerRun = 200;

/**
 * Carries the review of one feedback, for as long as people take: it waits for their steps, has each carried out in Postgres, and ends when
 * nothing can happen any more. Postgres decides: a row lock lets one decision through at a time, and what this workflow knows of the
 * feedback only refuses early what could not be done. Steps come as updates, from the API, or as signals, from people in Temporal UI. Notes
 * and changes never come near this history: they lie in Postgres under the ids that updates carry.
 */
export async function feedbackReview(input: FeedbackReviewInput): Promise<{ status: string }> {
  const { feedbackId } = input;
  let { snapshot } = input;
  let steps = 0;
  let refusal: string | null = null;
  const learn = (next: ReviewSnapshot) => {
    if (next.version > snapshot.version) snapshot = next;
    show(feedbackId, snapshot, refusal);
  };
  const ended = (name: StepName, { outcome, snapshot: next }: CarriedStep, otherwise: string | null = null) => {
    refusal =
      outcome === "refused"
        ? `The last step, ${name}, was refused: \`reviews show ${feedbackId}\` says why.`
        : otherwise;
    learn(next);
  };

  for (const name of stepNames) {
    wf.setHandler(
      wf.defineUpdate<CarriedStep, [ReviewStep]>(name),
      async ({ commandId }) => {
        steps += 1;
        const carried = await activities(`${name}, command ${commandId}`).carryOutReviewStep(commandId);
        ended(name, carried);
        return carried;
      },
      { validator: (step) => requireLegal(snapshot, name, step) },
    );
    wf.setHandler(wf.defineSignal<[SignalInput?]>(name), async (signal) => {
      steps += 1;
      const verb = verbOfStep(name, signal?.decision ?? null);
      const correctionIds = signal?.correctionIds ?? null;
      const told = (what: string) => `The last signal, ${name}, did nothing: ${what}.`;
      if (verb === null || !areNumbers(correctionIds)) {
        refusal = told(
          verb === null
            ? 'its input has no `decision` that is known; send {"decision": "accepted"} or {"decision": "rejected"}'
            : "its `correctionIds` are no list of numbers; send such as [7, 8], or leave them out for all",
        );
        return show(feedbackId, snapshot, refusal);
      }
      const command = { commandId: wf.uuid4(), feedbackId, verb, correctionIds };
      const carried = await activities(`${name}, by signal`).carryOutReviewSignal(command);
      const namesNone = told("its `correctionIds` name none; leave them out for all");
      ended(name, carried, correctionIds?.length === 0 ? namesNone : null);
    });
  }
  wf.setHandler(wf.defineSignal("refresh"), async () => {
    steps += 1;
    learn(await activities("read where the feedback stands").readReview(feedbackId));
  });

  show(feedbackId, snapshot, refusal);
  const isFull = () => steps >= stepsPerRun || wf.workflowInfo().continueAsNewSuggested;
  const over = () => isOver(snapshot.corrections.map(({ status }) => status));
  await wf.condition(() => (over() || isFull()) && wf.allHandlersFinished());
  if (over()) return { status: snapshot.status };
  return wf.continueAsNew<typeof feedbackReview>({ ...input, snapshot, earlierRuns: input.earlierRuns + 1 });
}

function activities(summary: string) {
  return wf.proxyActivities<FeedbackActivities>({
    startToCloseTimeout: "10 minutes",
    heartbeatTimeout: "10 seconds",
    retry: patiently,
    summary,
  });
}

function requireLegal(
  snapshot: ReviewSnapshot,
  name: StepName,
  { commandId, correctionIds, decision }: ReviewStep,
): void {
  const verb = verbOfStep(name, decision);
  if (typeof commandId !== "string" || verb === null) throw illegal("The update names no command, or no decision.");
  const plan = planStep(snapshot.corrections, verb, correctionIds);
  if (plan.kind === "unknown") throw illegal(`The feedback has no correction ${plan.correctionId}.`);
  if (plan.kind === "refused") throw illegal(plan.reason);
}

/** People type signals by hand. */
function areNumbers(ids: unknown): boolean {
  return ids === null || (Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id)));
}

function illegal(reason: string): wf.ApplicationFailure {
  return wf.ApplicationFailure.nonRetryable(reason, "illegal_transition");
}

function show(feedbackId: number, { status, corrections }: ReviewSnapshot, refusal: string | null): void {
  const list = corrections.map((each) => `- correction ${each.correctionId}: ${each.status}`).join("\n");
  const refused = refusal === null ? "" : `\n\n${refusal}`;
  report(
    status,
    `${list}\n\nIt waits for people. Send a signal: \`decide\` with {"decision": "accepted" | "rejected", "correctionIds": […]}, \`requestInformation\`, \`supplyInformation\`, \`withdraw\`, \`apply\` or \`revert\`; without \`correctionIds\` it is for all that can take the step. Notes, and changes to what is suggested, go by \`reviews decide ${feedbackId}\`. Terminated, it is started anew by the next step.${refused}`,
  );
}
