import { z } from "zod";
import type { CarriedStep } from "../domain/review/carrying.ts";
import { type ReviewVerb, reviewVerbs } from "../domain/review/states.ts";
import type { Fields } from "./feedback.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const outcomes = ["done", "repeated", "refused"] as const satisfies readonly CarriedStep["outcome"][];

const numbers = z.array(z.string()).transform((ids) => ids.map(Number));

const commandFields = z.object({
  id: z.string(),
  feedback_id: count,
  verb: z.enum(reviewVerbs),
  correction_ids: numbers.nullable(),
  note: z.string().nullable(),
  change: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.record(z.string(), z.unknown()))
    .nullable(),
  actor: z.string(),
  requested_at: timestamp,
  outcome: z.enum(outcomes).nullable(),
  refusal: z.string().nullable(),
  moved_ids: numbers.nullable(),
});
const shapeCommand = (row: z.output<typeof commandFields>) => ({
  commandId: row.id,
  feedbackId: row.feedback_id,
  verb: row.verb,
  /** Null: all that can take the step. */
  correctionIds: row.correction_ids,
  note: row.note,
  change: row.change,
  actor: row.actor,
  requestedAt: row.requested_at,
  /** Null: not carried out yet. */
  outcome: row.outcome,
  refusal: row.refusal,
  movedIds: row.moved_ids ?? [],
});
const commandRow = commandFields.transform(shapeCommand);
/** What somebody asked to be done with a feedback, and what came of it. */
export type ReviewCommand = z.output<typeof commandRow>;

const takenRow = commandFields
  .extend({ actor_name: z.string().nullable() })
  .transform((row) => ({ ...shapeCommand(row), actorName: row.actor_name }));
/** The same with the name of the key that asked for it; null where that was none. */
export type TakenReviewCommand = z.output<typeof takenRow>;

const columns = sql.fragment`review_command.id, feedback_id, verb, correction_ids::text[], note, change::text, actor, requested_at, outcome,
  refusal, moved_ids::text[]`;

export interface NewReviewCommand {
  commandId: string;
  feedbackId: number;
  verb: ReviewVerb;
  correctionIds: readonly number[] | null;
  note: string | null;
  change: Fields | null;
  actor: string;
}

/** Keeps what somebody asked for, once for its id. */
export async function insertReviewCommand(db: Queryable, command: NewReviewCommand): Promise<void> {
  const { correctionIds, change } = command;
  await db.query(sql.typeAlias("void")`
    insert into review_command (id, feedback_id, verb, correction_ids, note, change, actor)
    values (${command.commandId}, ${command.feedbackId}, ${command.verb},
      ${correctionIds === null ? null : sql.array([...correctionIds], "int8")}, ${command.note},
      ${change === null ? null : JSON.stringify(change)}::json, ${command.actor})
    on conflict (id) do nothing`);
}

export async function readReviewCommand(db: Queryable, commandId: string): Promise<ReviewCommand | null> {
  return db.maybeOne(sql.type(commandRow)`select ${columns} from review_command where id = ${commandId}`);
}

/** The same, held by this transaction, so that it is carried out once. */
export async function lockReviewCommand(transaction: Transaction, commandId: string): Promise<ReviewCommand | null> {
  return transaction.maybeOne(sql.type(commandRow)`
    select ${columns} from review_command where id = ${commandId} for no key update`);
}

/** Says what came of a command. */
export async function endReviewCommand(
  transaction: Transaction,
  commandId: string,
  end: { outcome: CarriedStep["outcome"]; refusal: string | null; movedIds: readonly number[] },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update review_command set outcome = ${end.outcome}, refusal = ${end.refusal}, moved_ids = ${sql.array([...end.movedIds], "int8")},
      carried_at = now() where id = ${commandId}`);
}

/** What was done with a feedback, in order; repeats, which changed nothing, are left out. */
export async function listReviewCommands(db: Queryable, feedbackId: number): Promise<readonly TakenReviewCommand[]> {
  return db.any(sql.type(takenRow)`
    select ${columns}, api_key.name as actor_name from review_command left join api_key on api_key.id = review_command.actor
    where feedback_id = ${feedbackId} and outcome <> 'repeated' order by requested_at, review_command.id`);
}
