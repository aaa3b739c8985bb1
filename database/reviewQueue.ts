import { z } from "zod";
import { type FeedbackType, issueTypes, itemKinds } from "../domain/review/issues.ts";
import { type ReviewStatus, reviewStatuses } from "../domain/review/states.ts";
import { feedbackColumns, feedbackHeadRow } from "./feedback.ts";
import { count, type Queryable, type SqlFragment, sql } from "./pool.ts";

const queuedCorrection = z
  .object({
    id: z.number(),
    status: z.enum(reviewStatuses),
    item_kind: z.enum(itemKinds),
    item_id: z.string(),
    issue_type: z.enum(issueTypes),
  })
  .transform((row) => ({
    correctionId: row.id,
    status: row.status,
    itemKind: row.item_kind,
    itemId: row.item_id,
    issueType: row.issue_type,
  }));
const queuedRow = z
  .object({ corrections: z.array(queuedCorrection) })
  .and(feedbackHeadRow)
  .transform(({ corrections, ...head }) => ({ ...head, corrections }));
/** A feedback as the queue shows it. */
export type QueuedFeedback = z.output<typeof queuedRow>;

export interface QueueFilter {
  /** At least one. */
  statuses: readonly ReviewStatus[];
  type: FeedbackType | null;
  accountId: string | null;
  keyId: string | null;
}

export interface QueuePage {
  order: "oldest" | "newest";
  limit: number;
  /** Number of the last feedback of the page before. */
  after: number | null;
}

/** A page of the queue. */
export async function listQueue(
  db: Queryable,
  filter: QueueFilter,
  page: QueuePage,
): Promise<readonly QueuedFeedback[]> {
  return db.any(sql.type(queuedRow)`${queueStatement(filter, page)}`);
}

/** The statement of `listQueue`, so that its plan can be looked at. Of each status no more is read than the page holds. */
export function queueStatement({ statuses, type, accountId, keyId }: QueueFilter, page: QueuePage): SqlFragment {
  const isOldest = page.order === "oldest";
  const direction = isOldest ? sql.fragment`asc` : sql.fragment`desc`;
  // A range instead of an equality: the planner then keeps to an index in the order of statuses, whatever it thinks of how many there are.
  const behind = isOldest
    ? sql.fragment`(status, id) > (wanted.status, ${page.after ?? -1}) and status <= wanted.status`
    : sql.fragment`(status, id) < (wanted.status, ${page.after ?? Number.MAX_SAFE_INTEGER}) and status >= wanted.status`;
  const conditions = [
    behind,
    ...(type === null ? [] : [sql.fragment`type = ${type}`]),
    ...(accountId === null ? [] : [sql.fragment`account_id = ${accountId}`]),
    ...(keyId === null ? [] : [sql.fragment`key_id = ${keyId}`]),
  ];
  return sql.fragment`
    with page as materialized (
      select listed.id from unnest(${sql.array([...statuses], "text")}) as wanted (status) cross join lateral (
        select id from feedback where ${sql.join(conditions, sql.fragment` and `)} order by status ${direction}, id ${direction} limit ${page.limit}
      ) as listed
      order by listed.id ${direction} limit ${page.limit}
    )
    select ${feedbackColumns}, (
      select coalesce(json_agg(json_build_object('id', id, 'status', status, 'item_kind', item_kind, 'item_id', item_id, 'issue_type', issue_type)
        order by position), '[]')
      from feedback_correction where feedback_id = feedback.id
    ) as corrections
    from page join feedback on feedback.id = page.id order by page.id ${direction}`;
}

const reputationRow = z
  .object({ submitted: count, accepted: count, rejected: count, reverted: count })
  .transform((row) => ({ ...row }));
/** What became of the corrections that a key submitted: `accepted` whatever came after, `reverted` those of them that are taken back now. */
export type Reputation = z.output<typeof reputationRow>;

export async function readReputation(db: Queryable, keyId: string): Promise<Reputation> {
  return db.one(sql.type(reputationRow)`
    select count(*) as submitted, count(*) filter (where status in ('accepted', 'accepted_with_changes', 'applied', 'reverted')) as accepted,
      count(*) filter (where status = 'rejected') as rejected, count(*) filter (where status = 'reverted') as reverted
    from feedback_correction where key_id = ${keyId}`);
}
