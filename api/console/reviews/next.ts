import { z } from "zod";
import { openStatuses } from "../../../domain/review/states.ts";
import { listReviews } from "../../../services/feedback/listReviews.ts";
import { readFields } from "../fields.ts";
import type { ConsoleRoute } from "../route.ts";

const asked = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, "must be the number of a feedback")
    .transform(Number),
});
const filter = { statuses: openStatuses, type: null, accountId: null, keyId: null };

/** Leads to the oldest open feedback after one, or, after the last of them, to the oldest of all. */
export const nextRoute: ConsoleRoute = {
  id: "consoleNextReview",
  method: "get",
  path: "/reviews/next",
  async answer({ context, query }) {
    const { after } = readFields(asked, query);
    for (const start of [after, null]) {
      const { reviews } = await listReviews(context, filter, { order: "oldest", limit: 2, after: start });
      const next = reviews.find(({ feedbackId }) => feedbackId !== after);
      if (next !== undefined) return { redirect: `/console/reviews/${next.feedbackId}` };
    }
    return { redirect: "/console/reviews", flash: "No other feedback is open." };
  },
};
