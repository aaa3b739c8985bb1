import { z } from "zod";
import { count, type Queryable, sql, type SqlFragment, type Transaction } from "./pool.ts";

const evidenceColumns = [
  "video_id",
  "entity_id",
  "channel_id",
  "sorted_at",
  "start_seconds",
  "end_seconds",
  "confidence",
];
const originColumns = [
  "source",
  "transcript_revision",
  "segment_id",
  "char_start",
  "char_end",
  "detector_version",
  "created_at",
];

/** Tables whose rows reviews change, by what names a row and what of it can change. `copies` follow other tables and are no content. */
const tables = {
  mention: {
    key: ["id"],
    columns: [
      "id",
      ...evidenceColumns,
      "entity_type",
      "quote",
      "context_before",
      "context_after",
      "surface_form",
      "speaker_id",
      "speaker_name",
      "speaker_entity_id",
      "is_appearance",
      "appearance_role",
      "speaking_seconds",
      "in_ad",
      "sentiment_score",
      ...originColumns,
    ],
    copies: ["channel_id", "sorted_at", "entity_type"],
  },
  recommendation: {
    key: ["id"],
    columns: [
      "id",
      ...evidenceColumns,
      "mention_class",
      "verbatim_quote",
      "promo_code",
      "offer",
      "sentiment_score",
      "speaker_role",
      "conflict_status",
      "resolution",
      ...originColumns,
    ],
    copies: ["channel_id", "sorted_at"],
  },
  entity: {
    key: ["id"],
    columns: ["id", "name", "type", "url", "image_url", "image_settled", "owner_id"],
    copies: [],
  },
  channel: { key: ["id"], columns: ["id", "name", "name_settled"], copies: [] },
  alert_occurrence: {
    key: ["id"],
    columns: [
      "id",
      "video_id",
      "entity_id",
      "entity_name",
      "entity_type",
      "start_seconds",
      "end_seconds",
      "retracted_at",
    ],
    copies: [],
  },
  known_advertiser: { key: ["channel_id", "entity_id"], columns: ["channel_id", "entity_id"], copies: [] },
  sponsor_review: {
    key: ["channel_id", "entity_id"],
    columns: ["channel_id", "entity_id", "is_sponsor", "ad_reads_added", "status", "status_at"],
    copies: [],
  },
  search_review: { key: ["key", "entity_id"], columns: ["key", "entity_id", "verdict", "duplicate_of_id"], copies: [] },
  review_finding: {
    key: ["correction_id"],
    columns: ["correction_id", "issue_type", "item_id", "details", "recorded_at"],
    copies: [],
  },
} as const satisfies Record<string, { key: readonly string[]; columns: readonly string[]; copies: readonly string[] }>;
export type ReviewedTable = keyof typeof tables;
const reviewedTables = [
  "mention",
  "recommendation",
  "entity",
  "channel",
  "alert_occurrence",
  "known_advertiser",
  "sponsor_review",
  "search_review",
  "review_finding",
] as const satisfies readonly ReviewedTable[];

/** Columns of a row, as JSON has them. */
export type RowImage = Readonly<Record<string, unknown>>;
const imageRow = z.object({ image: z.record(z.string(), z.unknown()) });

/** Columns that follow other tables: they are restored to what those say then. */
export function copiesOf(table: ReviewedTable): readonly string[] {
  return tables[table].copies;
}

/** Lets one review at a time change rows: each touches many, in an order of its own, and two would stop each other. Held to the end. */
export async function lockReviewedRows(transaction: Transaction): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from pg_advisory_xact_lock(7431)`);
}

/** A row as it is, held against other writers; null where there is none. */
export async function lockRow(transaction: Transaction, table: ReviewedTable, key: RowImage): Promise<RowImage | null> {
  const { columns } = tables[table];
  const image = await transaction.maybeOneFirst(sql.type(imageRow)`
    select to_jsonb(image) as image from (
      select ${list(columns)} from ${sql.identifier([table])} where ${isRow(table, key)} for no key update
    ) as image`);
  return image;
}

/** Adds a row with all its columns. */
export async function insertRow(transaction: Transaction, table: ReviewedTable, image: RowImage): Promise<void> {
  const columns = tables[table].columns.filter((column) => column in image);
  await transaction.query(sql.typeAlias("void")`
    insert into ${sql.identifier([table])} (${list(columns)}) overriding system value
    select ${list(columns)} from ${populated(table, image)}`);
}

/** Changes the columns that are given. */
export async function updateRow(
  transaction: Transaction,
  table: ReviewedTable,
  key: RowImage,
  change: RowImage,
): Promise<void> {
  const columns = tables[table].columns.filter((column) => column in change);
  const set = sql.join(
    columns.map((column) => sql.fragment`${sql.identifier([column])} = told.${sql.identifier([column])}`),
    sql.fragment`, `,
  );
  await transaction.query(sql.typeAlias("void")`
    update ${sql.identifier([table])} set ${set} from ${populated(table, change)} where ${isRow(table, key)}`);
}

export async function deleteRow(transaction: Transaction, table: ReviewedTable, key: RowImage): Promise<void> {
  await transaction.query(sql.typeAlias("void")`delete from ${sql.identifier([table])} where ${isRow(table, key)}`);
}

function list(columns: readonly string[]): SqlFragment {
  return sql.fragment`${sql.join(
    columns.map((column) => sql.identifier([column])),
    sql.fragment`, `,
  )}`;
}

function populated(table: ReviewedTable, image: RowImage): SqlFragment {
  return sql.fragment`jsonb_populate_record(null::${sql.identifier([table])}, ${JSON.stringify(image)}::jsonb) as told`;
}

function isRow(table: ReviewedTable, key: RowImage): SqlFragment {
  const conditions = tables[table].key.map(
    (column) =>
      sql.fragment`${sql.identifier([table, column])} = (
        select ${sql.identifier([column])} from jsonb_populate_record(null::${sql.identifier([table])}, ${JSON.stringify(key)}::jsonb)
      )`,
  );
  return sql.fragment`${sql.join(conditions, sql.fragment` and `)}`;
}

/** Brings a row's copies to what its video and its entity say now. */
export async function alignCopies(
  transaction: Transaction,
  table: "mention" | "recommendation",
  id: number,
): Promise<void> {
  if (table === "recommendation") {
    await transaction.query(sql.typeAlias("void")`
      update recommendation set channel_id = coalesce(video.channel_id, recommendation.channel_id), sorted_at = coalesce(video.published_at, '0001-01-01Z')
      from video where recommendation.id = ${id} and video.id = recommendation.video_id
        and (recommendation.channel_id, recommendation.sorted_at)
          is distinct from (coalesce(video.channel_id, recommendation.channel_id), coalesce(video.published_at, '0001-01-01Z')::timestamptz(3))`);
    return;
  }
  await transaction.query(sql.typeAlias("void")`
    update mention set channel_id = coalesce(video.channel_id, mention.channel_id), sorted_at = coalesce(video.published_at, '0001-01-01Z'),
      entity_type = group_of_type(canonical.type)
    from video, entity join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    where mention.id = ${id} and video.id = mention.video_id and entity.id = mention.entity_id
      and (mention.channel_id, mention.sorted_at, mention.entity_type) is distinct from (coalesce(video.channel_id, mention.channel_id),
        coalesce(video.published_at, '0001-01-01Z')::timestamptz(3), group_of_type(canonical.type))`);
}

/** What a new row of evidence about an entity in a video begins with: its number, its copies, and where it is from. */
export async function newEvidenceRow(
  transaction: Transaction,
  table: "mention" | "recommendation",
  place: { videoId: string; entityId: number },
): Promise<RowImage | null> {
  const type = table === "mention" ? sql.fragment`, group_of_type(canonical.type) as entity_type` : sql.fragment``;
  return transaction.maybeOneFirst(sql.type(imageRow)`
    select to_jsonb(image) as image from (
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id, video.id as video_id, entity.id as entity_id, video.channel_id,
        coalesce(video.published_at, '0001-01-01Z')::timestamptz(3) as sorted_at, 'review' as source, now()::timestamptz(3) as created_at ${type}
      from video, entity join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
      where video.id = ${place.videoId} and video.channel_id is not null and entity.id = ${place.entityId}
    ) as image`);
}

/** Tables of the journal: rows of one, names of entities, and merges. */
export const journalTables = [...reviewedTables, "entity_name", "merge"] as const;
export type JournalTable = (typeof journalTables)[number];

const journalRow = z.object({
  id: count,
  table_name: z.enum(journalTables),
  row_key: z.record(z.string(), z.unknown()),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});
/** What applying a correction did to one row. Null: there was, or is, none. */
export interface JournalEntry {
  table: JournalTable;
  key: RowImage;
  before: RowImage | null;
  after: RowImage | null;
}

export async function insertJournalEntry(
  transaction: Transaction,
  correctionId: number,
  { table, key, before, after }: JournalEntry,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into review_row (correction_id, table_name, row_key, before, after)
    values (${correctionId}, ${table}, ${JSON.stringify(key)}::jsonb, ${json(before)}::jsonb, ${json(after)}::jsonb)`);
}

function json(image: RowImage | null): string | null {
  return image === null ? null : JSON.stringify(image);
}

/** What applying the correction changed that is still in force, the last change first. */
export async function listJournal(db: Queryable, correctionId: number): Promise<readonly JournalEntry[]> {
  const rows = await db.any(sql.type(journalRow)`
    select id, table_name, row_key, before, after from review_row where correction_id = ${correctionId} and reverted_at is null order by id desc`);
  return rows.map((row) => ({ table: row.table_name, key: row.row_key, before: row.before, after: row.after }));
}

/** Those of the corrections that changed something that is in force, the last applied first. */
export async function listLastApplied(db: Queryable, correctionIds: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ correction_id: count }))`
    select correction_id from review_row where correction_id = any(${sql.array([...correctionIds], "int8")}) and reverted_at is null
    group by correction_id order by max(id) desc`);
}

/**
 * The last correction that changed, of a row that this one changed too, the same columns after it, and is in force; null where none did.
 * A row that was added or removed is all of its columns.
 */
export async function readLaterCorrection(db: Queryable, correctionId: number): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ correction_id: count }))`
    select later.correction_id from review_row as mine
      join review_row as later using (table_name, row_key)
    where mine.correction_id = ${correctionId} and mine.reverted_at is null and later.reverted_at is null
      and later.id > mine.id and later.correction_id <> mine.correction_id
      and (mine.before is null or mine.after is null or later.before is null or later.after is null
        or exists (select from jsonb_object_keys(mine.after) as changed (name) where later.after ? changed.name))
    order by later.id desc limit 1`);
}

/** Says that all of that was taken back. */
export async function endJournal(transaction: Transaction, correctionId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update review_row set reverted_at = now() where correction_id = ${correctionId} and reverted_at is null`);
}
