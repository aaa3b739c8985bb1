import { z } from "zod";
import { feedbackTypes } from "../../../domain/review/issues.ts";
import { openStatuses, reviewStatuses } from "../../../domain/review/states.ts";
import { listReviews } from "../../../services/feedback/listReviews.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { idParameter } from "../ids.ts";
import { queuedReview, shapeQueued } from "./schema.ts";

const position = z.tuple([z.int()]).transform(([after]) => after);

export const listReviewQueue = operation({
  id: "listReviews",
  method: "get",
  path: "/internal/reviews",
  tag: "Reviews",
  summary: "The queue of feedback",
  description: "A review's workflow in Temporal UI is `feedback-<feedback_id>`.",
  access: internalAccess,
  params: none,
  query: z.strictObject({
    status: z
      .enum([...reviewStatuses, "open"])
      .optional()
      .meta({
        description: "Left out: any. `open`: what waits for a decision, for information, or to be applied.",
      }),
    type: z.enum(feedbackTypes).optional().meta({ description: "Left out: any." }),
    account_id: idParameter("Whose.", "usr_01k4z8m3v9f0k8xqj7t2w5n6cd").optional(),
    key_id: idParameter("By which key.", "key_01k4z8m3v9f0k8xqj7t2w5n6cd").optional(),
    order: z.enum(["oldest", "newest"]).default("oldest").meta({ description: "Which come first." }),
    ...pageParameters,
  }),
  responses: {
    200: { description: "A page of the queue.", json: listOf(queuedReview).meta({ id: "ReviewQueue" }) },
  },
  async handle({ context, query, cursors }) {
    const { limit, cursor, order, status, type, account_id: accountId, key_id: keyId } = query;
    const binding = { operation: "listReviews", order, status, type, accountId, keyId };
    const after = cursors.open(binding, cursor, position);
    const statuses = status === undefined ? reviewStatuses : status === "open" ? openStatuses : [status];
    const filter = { statuses, type: type ?? null, accountId: accountId ?? null, keyId: keyId ?? null };
    const { reviews, hasMore } = await listReviews(context, filter, { order, limit, after });
    const last = reviews.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.feedbackId]) : null;
    return { status: 200, json: { data: reviews.map(shapeQueued), has_more: hasMore, next_cursor } };
  },
});
