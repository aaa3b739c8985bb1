import type { MarkedRows } from "../../database/imports/evidence.ts";
import type { Transaction } from "../../database/pool.ts";
import { listSettled, type SettledEvidence } from "../../database/reviewedEvidence.ts";
import { settledBy, type SettledKind } from "../../domain/review/settled.ts";

interface PlacedRow {
  video_id: string;
  entity: number;
  start_seconds: number | null;
  end_seconds: number | null;
}

/** Marks the rows that tell of places where reviewers have settled what there is, as indexing reads it. Under `shareForEvidence`. */
export async function markSettled<Row extends PlacedRow>(
  transaction: Transaction,
  rows: readonly Row[],
  kindOf: (row: Row) => SettledKind,
): Promise<MarkedRows<Row>> {
  const settled = await listSettled(transaction, [...new Set(rows.map(({ video_id }) => video_id))]);
  const kinds = new Set(rows.map(kindOf));
  const settledIds = settled.flatMap(({ kind, rowId }) => (rowId !== null && kinds.has(kind) ? [rowId] : []));
  const isSettled = testOf(settled);
  return { rows: rows.map((row) => (isSettled(row, kindOf(row)) ? { ...row, settled: true } : row)), settledIds };
}

function testOf(settled: readonly SettledEvidence[]): (row: PlacedRow, kind: SettledKind) => boolean {
  const canonicalOf = new Map<number, number>();
  const places = settled.flatMap(({ canonicalId: entityId, memberIds, ...place }) => {
    if (entityId === null) return [];
    for (const memberId of memberIds) canonicalOf.set(memberId, entityId);
    return [{ ...place, entityId, isRetimed: false }];
  });
  const tests = new Map(
    [...Map.groupBy(places, ({ videoId }) => videoId)].map(([videoId, ofVideo]) => [videoId, settledBy(ofVideo)]),
  );
  return ({ video_id, entity, start_seconds, end_seconds }, kind) => {
    const entityId = canonicalOf.get(entity);
    const place = { kind, startSeconds: start_seconds, endSeconds: end_seconds, words: null };
    return entityId !== undefined && tests.get(video_id)?.({ ...place, entityId }) === true;
  };
}
