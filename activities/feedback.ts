import type { CarriedStep, ReviewSnapshot } from "../domain/review/carrying.ts";
import type { ReviewVerb } from "../domain/review/states.ts";
import type { ServiceContext } from "../services/context.ts";
import { carryOut } from "../services/feedback/carryOut.ts";
import { keepCommand } from "../services/feedback/keepCommand.ts";
import { readSnapshot } from "../services/feedback/readSnapshot.ts";
import { withHeartbeats } from "./heartbeats.ts";

export type FeedbackActivities = ReturnType<typeof createFeedbackActivities>;

/** Steps of the review of a feedback. Each may run twice: a command is carried out once. */
export function createFeedbackActivities({ context }: { context: ServiceContext }) {
  return {
    readReview: (feedbackId: number): Promise<ReviewSnapshot> => readSnapshot(context, feedbackId),

    async carryOutReviewStep(commandId: string): Promise<CarriedStep> {
      const { outcome, snapshot } = await withHeartbeats(() => carryOut(context, commandId));
      return { outcome, snapshot };
    },

    /** A step that somebody asked for by a signal, in Temporal UI. */
    async carryOutReviewSignal(signal: {
      commandId: string;
      feedbackId: number;
      verb: ReviewVerb;
      correctionIds: number[] | null;
    }): Promise<CarriedStep> {
      const { outcome, snapshot } = await withHeartbeats(async () => {
        await keepCommand(context, { ...signal, note: null, change: null, actor: "temporal" });
        return carryOut(context, signal.commandId);
      });
      return { outcome, snapshot };
    },
  };
}
