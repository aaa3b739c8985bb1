import { ApiError } from "../../../domain/errors.ts";
import { nameReviewed } from "../../../services/feedback/nameEntities.ts";
import { readReview } from "../../../services/feedback/readReview.ts";
import { readNumber } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { type ChangeDraft, changeForm } from "./changeForm.ts";
import { correctionCard } from "./correction.ts";
import { decide } from "./decide.ts";
import { history } from "./history.ts";
import { movedBy } from "./possible.ts";
import { submission } from "./submission.ts";

/** A step that was not taken, with what was written for it. */
export interface FailedStep {
  problem: string;
  draft:
    | { kind: "decision"; note: string }
    /** Accepting one of the corrections as something else. */
    | { kind: "change"; correctionId: number; change: ChangeDraft };
}

export const reviewRoute: ConsoleRoute = {
  id: "consoleReview",
  method: "get",
  path: "/reviews/:feedbackId",
  answer: async (asked) => ({ page: await reviewPage(asked, null) }),
};

/** A feedback with all that decides on it: the claim beside the evidence, who submitted it, what was done and what can be. */
export async function reviewPage(asked: ConsoleAsked, failed: FailedStep | null): Promise<ConsolePage> {
  const { context, session } = asked;
  const feedbackId = feedbackOf(asked);
  const { feedback, evidence, reputation, history: commands } = await readReview(context, feedbackId);
  const names = await nameReviewed(context, evidence);
  const draft = failed?.draft;
  const { videoMomentUrl } = context.settings;
  const content = html`
    ${failed === null ? null : html`<p class="problem" role="alert">${failed.problem}</p>`}
    ${submission(feedback, reputation, context.clock())}
    ${evidence.map(({ correction, evidence }) => {
      const isDrafted = draft?.kind === "change" && draft.correctionId === correction.correctionId;
      const isOpen = movedBy([correction], "accept_with_changes").length > 0;
      const form = isOpen ? changeForm(session, correction, isDrafted ? draft.change : null) : null;
      return correctionCard({ correction, evidence, names, videoMomentUrl, form });
    })}
    ${decide(session, feedback, draft?.kind === "decision" ? draft.note : "")}
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      ${history(commands, session)}
    </section>
  `;
  return { title: `Feedback #${feedbackId}`, section: "reviews", content };
}

/** The feedback that a path names. Throws `feedback_not_found` for what is no number. */
export function feedbackOf({ params }: ConsoleAsked): number {
  const feedbackId = readNumber(params["feedbackId"]);
  if (feedbackId === null) throw new ApiError("feedback_not_found");
  return feedbackId;
}
