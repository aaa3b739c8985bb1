import { listQueue, type QueuedFeedback, type QueueFilter, type QueuePage } from "../../database/reviewQueue.ts";
import type { ServiceContext } from "../context.ts";

/** A page of the reviewers' queue. */
export async function listReviews(
  { pool }: ServiceContext,
  filter: QueueFilter,
  page: QueuePage,
): Promise<{ reviews: readonly QueuedFeedback[]; hasMore: boolean }> {
  const found = await listQueue(pool, filter, { ...page, limit: page.limit + 1 });
  return { reviews: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
