import { z } from "zod";
import { type CorrectionKind, correctionKinds, type Speaker } from "../domain/corrections/types.ts";
import { appearanceRoles } from "../domain/evidence.ts";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const headRow = z
  .object({ revision: z.number(), seq: z.number(), unlocked: z.boolean() })
  .transform((row) => ({ revision: row.revision, seq: row.seq, isUnlocked: row.unlocked }));
/** A transcript that one writer holds: others wait for it to end. */
export type LockedTranscript = z.output<typeof headRow>;

/** Holds a transcript to the end of the transaction, so that its corrections are made one after the other; null where there is none. */
export async function lockTranscript(
  transaction: Transaction,
  videoId: string,
  accountId: string | null,
): Promise<LockedTranscript | null> {
  return transaction.maybeOne(sql.type(headRow)`
    select revision, seq,
      exists (select from transcript_unlock where transcript_unlock.video_id = transcript.video_id and account_id = ${accountId}) as unlocked
    from transcript where video_id = ${videoId} for update`);
}

export async function saveRevision(
  transaction: Transaction,
  videoId: string,
  { revision, seq }: { revision: number; seq: number },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update transcript set revision = ${revision}, seq = ${seq} where video_id = ${videoId}`);
}

interface NewEntry {
  id: string;
  videoId: string;
  seq: number;
  revision: number;
  /** Null: a reviewer. */
  accountId: string | null;
  note: string | null;
}

export interface NewCorrection extends NewEntry {
  kind: CorrectionKind;
  /** JSON, as it was asked for. */
  asked: string;
  speaker: { before: Speaker | null; after: Speaker | null } | null;
  /** Of what it replaced. */
  positions: { from: string; to: string } | null;
}

/** Adds a correction to the log; returns the time that it is dated. */
export async function insertCorrection(transaction: Transaction, entry: NewCorrection): Promise<Date> {
  return transaction.oneFirst(sql.type(z.object({ created_at: timestamp }))`
    insert into transcript_correction (id, video_id, seq, revision, kind, account_id, asked, note, speaker, from_position, to_position)
    values (${entry.id}, ${entry.videoId}, ${entry.seq}, ${entry.revision}, ${entry.kind}, ${entry.accountId}, ${entry.asked}::jsonb,
      ${entry.note}, ${entry.speaker === null ? null : JSON.stringify(entry.speaker)}::jsonb, ${entry.positions?.from ?? null},
      ${entry.positions?.to ?? null})
    returning created_at`);
}

/** Adds to the log that a correction is taken back. */
export async function insertWithdrawal(
  transaction: Transaction,
  entry: NewEntry & { withdrawsId: string },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into transcript_correction (id, video_id, seq, revision, kind, withdraws_id, account_id, asked, note)
    values (${entry.id}, ${entry.videoId}, ${entry.seq}, ${entry.revision}, 'withdrawal', ${entry.withdrawsId}, ${entry.accountId}, '{}', ${entry.note})`);
}

const speaker = z.object({
  id: z.string(),
  label: z.string(),
  entityId: z.number().nullable(),
  role: z.enum(appearanceRoles).nullable(),
});
const correctionRow = z
  .object({
    id: z.string(),
    video_id: z.string(),
    seq: z.number(),
    revision: z.number(),
    kind: z.enum(correctionKinds),
    account_id: z.string().nullable(),
    asked: z.record(z.string(), z.json()),
    note: z.string().nullable(),
    speaker: z.object({ before: speaker.nullable(), after: speaker.nullable() }).nullable(),
    from_position: z.string().nullable(),
    to_position: z.string().nullable(),
    created_at: timestamp,
    withdrawn_seq: z.number().nullable(),
    withdrawn_revision: z.number().nullable(),
    withdrawn_at: timestamp.nullable(),
    withdrawn_by_reviewer: z.boolean().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    videoId: row.video_id,
    seq: row.seq,
    revision: row.revision,
    kind: row.kind,
    accountId: row.account_id,
    asked: row.asked,
    note: row.note,
    speaker: row.speaker,
    positions:
      row.from_position === null || row.to_position === null ? null : { from: row.from_position, to: row.to_position },
    createdAt: row.created_at,
    withdrawal:
      row.withdrawn_seq === null || row.withdrawn_revision === null || row.withdrawn_at === null
        ? null
        : {
            seq: row.withdrawn_seq,
            revision: row.withdrawn_revision,
            createdAt: row.withdrawn_at,
            isByReviewer: row.withdrawn_by_reviewer === true,
          },
  }));
/** A correction of the log, and whether it was taken back. */
export type CorrectionRecord = z.output<typeof correctionRow>;

const select = sql.fragment`
  select entry.id, entry.video_id, entry.seq, entry.revision, entry.kind, entry.account_id, entry.asked, entry.note, entry.speaker,
    entry.from_position, entry.to_position, entry.created_at, undone.seq as withdrawn_seq, undone.revision as withdrawn_revision,
    undone.created_at as withdrawn_at, undone.account_id is null as withdrawn_by_reviewer
  from transcript_correction as entry left join transcript_correction as undone on undone.withdraws_id = entry.id`;

export async function readCorrection(db: Queryable, id: string): Promise<CorrectionRecord | null> {
  return db.maybeOne(sql.type(correctionRow)`${select} where entry.id = ${id} and entry.kind <> 'withdrawal'`);
}

/** The corrections of a transcript before an entry of its log, newest first. */
export async function listCorrections(
  db: Queryable,
  videoId: string,
  { beforeSeq, limit }: { beforeSeq: number | null; limit: number },
): Promise<readonly CorrectionRecord[]> {
  const before = beforeSeq === null ? sql.fragment`` : sql.fragment`and entry.seq < ${beforeSeq}`;
  return db.any(sql.type(correctionRow)`
    ${select} where entry.video_id = ${videoId} and entry.kind <> 'withdrawal' ${before} order by entry.seq desc limit ${limit}`);
}

/** Whether a rewrite that stands, made after the entry `seq`, spans these places and what is on both sides of them. */
export async function isSpanned(
  db: Queryable,
  videoId: string,
  { seq, from, to }: { seq: number; from: string; to: string },
): Promise<boolean> {
  return db.exists(sql.typeAlias("void")`
    select from transcript_correction as later
    where video_id = ${videoId} and kind = 'segment_rewrite' and seq > ${seq} and from_position < ${from} and to_position > ${to}
      and not exists (select from transcript_correction as undone where undone.withdraws_id = later.id)`);
}
