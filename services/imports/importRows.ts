import type { Transaction } from "../../database/pool.ts";
import { refusedData } from "../../database/imports/refusedData.ts";
import type { ServiceContext } from "../context.ts";

/** A line of a file as it was read: a row, or why it is refused. */
export type Entry<Row> = { line: number; sizeBytes: number } & ({ row: Row } | { reason: string });

export interface Reject {
  line: number;
  reason: string;
}

export interface ImportReport {
  /** Lines that made something new. */
  imported: number;
  /** Lines that changed what was there. Those that found all as they say are in neither count. */
  updated: number;
  /** Lines of which all or a part was left as reviewers settled it. */
  settled: number;
  rejected: number;
  /** The first `listedRejects` of them. */
  rejects: readonly Reject[];
}

/** What became of rows; `refused` names them by their place among the rows given. */
export interface Written {
  imported: number;
  updated: number;
  settled: number;
  refused: readonly { index: number; reason: string }[];
}

/** How one kind of row is stored. */
export interface RowWriter<Row> {
  /** Stores the rows, all but those that it refuses. They share no key. */
  write: (transaction: Transaction, rows: readonly Row[]) => Promise<Written>;
  /** What the row is found by and must be alone with (`needs`, first of all what says which row it is), and what it may change (`claims`). */
  keysOf: (row: Row) => { needs: readonly string[]; claims: readonly string[] };
  /** How many batches may be under way at once; more than one only where no row needs an earlier one. */
  batchesAtOnce: number;
}

export interface ImportOptions {
  /** Told of every reject, batch by batch; rejects past the listed ones are kept nowhere else. */
  onRejects?: ((rejects: readonly Reject[]) => Promise<void>) | undefined;
  maxBatchLines?: number;
}

/** How many rejects a report lists. */
export const listedRejects = 1000;
const maxBatchBytes = 4 * 1024 * 1024;

/** The import ended early; what was stored until then stays, and the same import can simply be run again. */
class ImportStopped extends Error {
  override readonly name = "ImportStopped";
  constructor(line: number, cause: unknown) {
    const why = (cause instanceof Error ? cause.message : String(cause)).replace(/[.]+$/, "");
    super(
      line === 0
        ? `nothing could be read: ${why}.`
        : `stopped at about line ${line}: ${why}. Batches before it are kept; run the same import again to go on.`,
      { cause },
    );
  }
}

interface Batch<Row> {
  rows: Row[];
  lines: number[];
  rejects: Reject[];
  /** By key, the index of the row that claimed it. */
  claims: Map<string, number>;
  /** Lines that repeat a row of the batch word for word. */
  repeats: { line: number; of: number }[];
  sizeBytes: number;
}

/**
 * Stores rows as they are read, in batches of one transaction each, the next being read while others are written; memory is bounded by the
 * batches under way. Safe to repeat and to resume: what is there already is left as it is. Throws `ImportStopped`.
 */
export async function importRows<Row>(
  context: Pick<ServiceContext, "pool">,
  writer: RowWriter<Row>,
  source: AsyncIterable<readonly Entry<Row>[]>,
  { onRejects, maxBatchLines = 5000 }: ImportOptions = {},
): Promise<ImportReport> {
  const report = { imported: 0, updated: 0, settled: 0, rejected: 0, rejects: [] as Reject[] };
  const underWay = new Map<Batch<Row>, Promise<void>>();
  let batch = newBatch<Row>();
  let failure: unknown;
  let line = 0;

  const store = async (stored: Batch<Row>) => {
    const written = await writeBatch(context, writer, stored.rows);
    const reasons = new Map(written.refused.map(({ index, reason }) => [index, reason]));
    const rejects = [...stored.rejects];
    for (const [index, reason] of reasons) rejects.push({ line: stored.lines[index] ?? 0, reason });
    for (const { line, of } of stored.repeats) {
      const reason = reasons.get(of);
      if (reason !== undefined) rejects.push({ line, reason });
    }
    rejects.sort((a, b) => a.line - b.line);
    report.imported += written.imported;
    report.updated += written.updated;
    report.settled += written.settled;
    report.rejected += rejects.length;
    report.rejects.push(...rejects.slice(0, listedRejects - report.rejects.length));
    if (rejects.length > 0) await onRejects?.(rejects);
  };
  const waitForRoom = async (most: number) => {
    while (underWay.size > most) await Promise.race(underWay.values());
    if (failure !== undefined) throw failure;
  };
  const dispatch = async () => {
    const full = batch;
    batch = newBatch();
    await waitForRoom(writer.batchesAtOnce - 1);
    const stored = store(full)
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => underWay.delete(full));
    underWay.set(full, stored);
  };
  const settle = async () => {
    if (batch.rows.length > 0 || batch.rejects.length > 0) await dispatch();
    await waitForRoom(0);
  };

  /** A row is stored after all earlier ones that it may meet, so that the outcome is that of one line at a time. */
  const isClaimed = (needs: readonly string[]) => {
    for (const need of needs) {
      if (batch.claims.has(need)) return true;
      for (const other of underWay.keys()) if (other.claims.has(need)) return true;
    }
    return false;
  };

  try {
    for await (const entries of source) {
      for (const entry of entries) {
        ({ line } = entry);
        if ("reason" in entry) batch.rejects.push({ line, reason: entry.reason });
        else {
          const { needs, claims } = writer.keysOf(entry.row);
          const repeated = repeats(batch, needs[0], entry.row);
          if (repeated !== null) batch.repeats.push({ line, of: repeated });
          else {
            if (isClaimed(needs)) await settle();
            for (const claim of claims) batch.claims.set(claim, batch.rows.length);
            batch.rows.push(entry.row);
            batch.lines.push(line);
          }
        }
        batch.sizeBytes += entry.sizeBytes;
        const lines = batch.rows.length + batch.rejects.length + batch.repeats.length;
        if (lines >= maxBatchLines || batch.sizeBytes >= maxBatchBytes) await dispatch();
      }
    }
    await settle();
  } catch (error) {
    await Promise.allSettled(underWay.values());
    throw new ImportStopped(line, error);
  }
  report.rejects.sort((a, b) => a.line - b.line);
  return report;
}

function newBatch<Row>(): Batch<Row> {
  return { rows: [], lines: [], rejects: [], claims: new Map(), repeats: [], sizeBytes: 0 };
}

/** Index of the batch's row that says the same, if there is one. */
function repeats<Row>(batch: Batch<Row>, key: string | undefined, row: Row): number | null {
  const index = key === undefined ? undefined : batch.claims.get(key);
  if (index === undefined) return null;
  return JSON.stringify(batch.rows[index]) === JSON.stringify(row) ? index : null;
}

/** Rows that the database refuses without their writer having foreseen it are found by halving, so that they take no good ones with them. */
async function writeBatch<Row>(
  context: Pick<ServiceContext, "pool">,
  writer: RowWriter<Row>,
  rows: readonly Row[],
): Promise<Written> {
  if (rows.length === 0) return { imported: 0, updated: 0, settled: 0, refused: [] };
  try {
    return await context.pool.transaction((transaction) => writer.write(transaction, rows));
  } catch (error) {
    const reason = refusedData(error);
    if (reason === null) throw error;
    if (rows.length === 1) return { imported: 0, updated: 0, settled: 0, refused: [{ index: 0, reason }] };
    const half = Math.ceil(rows.length / 2);
    const first = await writeBatch(context, writer, rows.slice(0, half));
    const second = await writeBatch(context, writer, rows.slice(half));
    return {
      imported: first.imported + second.imported,
      updated: first.updated + second.updated,
      settled: first.settled + second.settled,
      refused: [...first.refused, ...second.refused.map(({ index, reason }) => ({ index: index + half, reason }))],
    };
  }
}
