import { z } from "zod";
import {
  type FeedbackType,
  feedbackTypes,
  type IssueType,
  issueTypes,
  type ItemKind,
  itemKinds,
} from "../domain/review/issues.ts";
import type { ReviewSnapshot } from "../domain/review/carrying.ts";
import { type ReviewStatus, reviewStatuses } from "../domain/review/states.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const jsonText = z.string().transform((text): unknown => JSON.parse(text));
const fields = z.record(z.string(), z.unknown());
/** Fields of a JSON object, as it was given. */
export type Fields = Readonly<Record<string, unknown>>;

const correctionRow = z
  .object({
    id: count,
    feedback_id: count,
    item_kind: z.enum(itemKinds),
    item_id: z.string(),
    item_canonical_id: count.nullable(),
    issue_type: z.enum(issueTypes),
    reason: z.string().nullable(),
    suggested_change: jsonText.pipe(fields).nullable(),
    notes: z.string().nullable(),
    observed_rank: z.number().nullable(),
    status: z.enum(reviewStatuses),
    resolved_issue_type: z.enum(issueTypes).nullable(),
    resolved_change: jsonText.pipe(fields).nullable(),
    resolution_note: z.string().nullable(),
    created_at: timestamp,
  })
  .transform((row) => ({
    correctionId: row.id,
    feedbackId: row.feedback_id,
    itemKind: row.item_kind,
    itemId: row.item_id,
    /** What the entity that it is about read as when it was submitted; null: it is about none, or that was not kept. */
    itemCanonicalId: row.item_canonical_id,
    issueType: row.issue_type,
    reason: row.reason,
    suggestedChange: row.suggested_change,
    notes: row.notes,
    observedRank: row.observed_rank,
    status: row.status,
    /** How a reviewer resolves it; null: as it was suggested. */
    resolution:
      row.resolved_issue_type === null ? null : { issueType: row.resolved_issue_type, change: row.resolved_change },
    resolutionNote: row.resolution_note,
    createdAt: row.created_at,
  }));
/** One thing that is said to be wrong, and what became of that. */
export type Correction = z.output<typeof correctionRow>;

const feedbackRow = z
  .object({
    id: count,
    account_id: z.string(),
    key_id: z.string(),
    type: z.enum(feedbackTypes),
    query: jsonText.pipe(fields),
    notes: z.string().nullable(),
    status: z.enum(reviewStatuses),
    version: z.number(),
    created_at: timestamp,
  })
  .transform((row) => ({
    feedbackId: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    type: row.type,
    query: row.query,
    notes: row.notes,
    status: row.status,
    version: row.version,
    createdAt: row.created_at,
  }));
/** A feedback without its corrections. */
type FeedbackHead = z.output<typeof feedbackRow>;
export type Feedback = FeedbackHead & { corrections: readonly Correction[] };

export const feedbackColumns = sql.fragment`feedback.id, feedback.account_id, feedback.key_id, feedback.type, feedback.query::text as query,
  feedback.notes, feedback.status, feedback.version, feedback.created_at`;
export const feedbackHeadRow = feedbackRow;

interface NewCorrection {
  itemKind: ItemKind;
  itemId: string;
  issueType: IssueType;
  reason: string | null;
  suggestedChange: Fields | null;
  notes: string | null;
  observedRank: number | null;
}

export interface NewFeedback {
  accountId: string;
  keyId: string;
  type: FeedbackType;
  query: Fields;
  notes: string | null;
  requestId: string;
  corrections: readonly NewCorrection[];
}

/** Keeps a feedback that waits for review; returns its number. */
export async function insertFeedback(transaction: Transaction, feedback: NewFeedback): Promise<number> {
  const feedbackId = await transaction.oneFirst(sql.type(z.object({ id: count }))`
    insert into feedback (account_id, key_id, type, query, notes, status, request_id)
    values (${feedback.accountId}, ${feedback.keyId}, ${feedback.type}, ${JSON.stringify(feedback.query)}::json, ${feedback.notes},
      'pending_review', ${feedback.requestId})
    returning id`);
  const rows = feedback.corrections.map((correction, position) => [
    position,
    correction.itemKind,
    correction.itemId,
    correction.issueType,
    correction.reason,
    correction.suggestedChange === null ? null : JSON.stringify(correction.suggestedChange),
    correction.notes,
    correction.observedRank,
  ]);
  await transaction.query(sql.typeAlias("void")`
    insert into feedback_correction (feedback_id, position, key_id, item_kind, item_id, item_canonical_id, issue_type, reason, suggested_change, notes, observed_rank)
    select ${feedbackId}, told.position, ${feedback.keyId}, told.item_kind, told.item_id,
      (select coalesce(canonical_id, id) from entity where id = substring(told.item_id from '^ent_([0-9]{1,15})$')::int8), told.issue_type, told.reason, told.suggested_change::json,
      told.notes, told.observed_rank
    from ${sql.unnest(rows, ["int4", "text", "text", "text", "text", "text", "text", "int4"])}
      as told (position, item_kind, item_id, issue_type, reason, suggested_change, notes, observed_rank)
    order by told.position`);
  return feedbackId;
}

/** A feedback with its corrections in the order of the submission; null where there is none, or, with an account, where it is another's. */
export async function readFeedback(
  db: Queryable,
  feedbackId: number,
  accountId: string | null,
): Promise<Feedback | null> {
  const ofAccount = accountId === null ? sql.fragment`` : sql.fragment`and account_id = ${accountId}`;
  const head = await db.maybeOne(sql.type(feedbackRow)`
    select ${feedbackColumns} from feedback where id = ${feedbackId} ${ofAccount}`);
  return head === null ? null : { ...head, corrections: await listCorrections(db, feedbackId) };
}

/** The same, locked against other reviewers until the end of the transaction. */
export async function lockFeedback(transaction: Transaction, feedbackId: number): Promise<Feedback | null> {
  const head = await transaction.maybeOne(sql.type(feedbackRow)`
    select ${feedbackColumns} from feedback where id = ${feedbackId} for no key update`);
  return head === null ? null : { ...head, corrections: await listCorrections(transaction, feedbackId) };
}

async function listCorrections(db: Queryable, feedbackId: number): Promise<readonly Correction[]> {
  return db.any(sql.type(correctionRow)`
    select id, feedback_id, item_kind, item_id, item_canonical_id, issue_type, reason, suggested_change::text, notes, observed_rank, status, resolved_issue_type,
      resolved_change::text, resolution_note, created_at
    from feedback_correction where feedback_id = ${feedbackId} order by position`);
}

/** Where a locked feedback stands. */
export function snapshotOf(feedback: Feedback): ReviewSnapshot {
  return {
    version: feedback.version,
    status: feedback.status,
    corrections: feedback.corrections.map(({ correctionId, status }) => ({ correctionId, status })),
  };
}

export interface CorrectionMove {
  correctionIds: readonly number[];
  status: ReviewStatus;
  /** Undefined: as before. */
  resolution?: { issueType: IssueType; change: Fields | null };
  resolutionNote?: string | null;
}

/** Moves corrections of a locked feedback, and the feedback to what they roll up to. */
export async function moveCorrections(
  transaction: Transaction,
  feedbackId: number,
  move: CorrectionMove,
  rolledUp: ReviewStatus,
): Promise<void> {
  const { resolution, resolutionNote } = move;
  const resolved =
    resolution === undefined
      ? sql.fragment``
      : sql.fragment`, resolved_issue_type = ${resolution.issueType},
          resolved_change = ${resolution.change === null ? null : JSON.stringify(resolution.change)}::json`;
  const noted = resolutionNote == null ? sql.fragment`` : sql.fragment`, resolution_note = ${resolutionNote}`;
  await transaction.query(sql.typeAlias("void")`
    update feedback_correction set status = ${move.status} ${resolved} ${noted} where id = any(${sql.array([...move.correctionIds], "int8")})`);
  await transaction.query(sql.typeAlias("void")`
    update feedback set status = ${rolledUp}, version = version + 1 where id = ${feedbackId}`);
}
