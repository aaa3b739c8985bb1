import type { Pool, Queryable, Transaction } from "../../database/pool.ts";
import {
  type EntityCounts,
  listAlertsOn,
  readCanonicalIds,
  readEntityCounts,
  readTouched,
} from "../../database/reviewImpact.ts";
import type { JournalEntry, JournalTable, RowImage } from "../../database/reviewRows.ts";
import { entityId } from "../../domain/entities.ts";

/** What a step did to the rows of one correction. */
export interface MeasuredStep {
  correctionId: number;
  /** Why it could not be taken; then nothing changed. */
  refusal: string | null;
  entries: readonly JournalEntry[];
}

export interface CountChange {
  entityId: number;
  before: Omit<EntityCounts, "entityId" | "slug">;
  after: Omit<EntityCounts, "entityId" | "slug">;
}

/** The report that reviewers see before they decide. */
export interface Impact {
  corrections: readonly MeasuredStep[];
  counts: readonly CountChange[];
  /** Ids of alerts that show what changes, at most 100. */
  alertIds: readonly string[];
  /** Reads of the API that answer otherwise. */
  pages: readonly string[];
}

/** Measures what was done in the transaction against what everybody else still sees. */
export async function measureImpact(
  outside: Pool,
  transaction: Transaction,
  steps: readonly MeasuredStep[],
): Promise<Impact> {
  const entries = steps.flatMap((step) => step.entries);
  const idsIn = (table: JournalTable) =>
    numbers(entries.filter((entry) => entry.table === table).map(({ key }) => key["id"]));
  const rows = { mentionIds: idsIn("mention"), recommendationIds: idsIn("recommendation") };
  const [before, after] = [await readTouched(outside, rows), await readTouched(transaction, rows)];
  const named = numbers(entries.flatMap(namedEntities));
  const entityIds = [
    ...new Set([
      ...before.entityIds,
      ...after.entityIds,
      ...(await readCanonicalIds(outside, named)),
      ...(await readCanonicalIds(transaction, named)),
    ]),
  ];
  const alertsShown = await listAlertsOn(outside, rows.mentionIds);
  const alertsChanged = entries.flatMap(({ table, key }) => (table === "alert_occurrence" ? [String(key["id"])] : []));
  return {
    corrections: steps,
    counts: await compareCounts(outside, transaction, entityIds),
    alertIds: [...new Set([...alertsShown, ...alertsChanged])],
    pages: pagesOf(entries, {
      entityIds,
      videoIds: [...before.videoIds, ...after.videoIds],
      channelIds: rows.recommendationIds.length === 0 ? [] : [...before.channelIds, ...after.channelIds],
    }),
  };
}

function numbers(values: readonly unknown[]): number[] {
  return [...new Set(values.map(Number))].filter((value) => Number.isSafeInteger(value) && value > 0);
}

function namedEntities({ table, key, after }: JournalEntry): unknown[] {
  switch (table) {
    case "entity":
      return [key["id"]];
    case "entity_name":
    case "known_advertiser":
    case "sponsor_review":
    case "search_review":
      return [key["entity_id"]];
    case "merge":
      return [key["entity_id"], after?.["into_id"]];
    case "mention":
    case "recommendation":
    case "alert_occurrence":
    case "review_finding":
      return [];
  }
}

async function compareCounts(
  outside: Queryable,
  inside: Queryable,
  entityIds: readonly number[],
): Promise<CountChange[]> {
  const after = new Map((await readEntityCounts(inside, entityIds)).map((counts) => [counts.entityId, counts]));
  const before = await readEntityCounts(outside, entityIds);
  return before.flatMap((was) => {
    const is = after.get(was.entityId) ?? was;
    const isSame =
      was.mentionCount === is.mentionCount &&
      was.appearanceCount === is.appearanceCount &&
      was.commercialCount === is.commercialCount;
    return isSame ? [] : [{ entityId: was.entityId, before: countsOf(was), after: countsOf(is) }];
  });
}

function countsOf({ mentionCount, appearanceCount, commercialCount }: EntityCounts) {
  return { mentionCount, appearanceCount, commercialCount };
}

function pagesOf(
  entries: readonly JournalEntry[],
  touched: { entityIds: readonly number[]; videoIds: readonly string[]; channelIds: readonly string[] },
): string[] {
  const tables = new Set(entries.map(({ table }) => table));
  const spoken = tables.has("mention") || tables.has("merge");
  const commercial = tables.has("recommendation") || tables.has("merge");
  const sponsored = entries.flatMap(({ key }) => ("channel_id" in key ? [String(key["channel_id"])] : []));
  const searches = entries.flatMap(({ table, key }) => (table === "search_review" ? [searchPage(key)] : []));
  return [
    ...new Set([
      ...touched.entityIds.flatMap((id) => [
        `/v1/entities/${entityId(id)}`,
        ...(spoken ? [`/v1/entities/${entityId(id)}/mentions`] : []),
        ...(commercial ? [`/v1/entities/${entityId(id)}/recommendations`] : []),
      ]),
      ...touched.videoIds.map((id) => `/v1/transcripts/${id}`),
      ...[...touched.channelIds, ...sponsored].map((id) => `/v1/channels/${encodeURIComponent(id)}/sponsors`),
      ...searches,
      ...(tables.has("alert_occurrence") ? ["/v1/monitors/{id}/alerts"] : []),
    ]),
  ];
}

function searchPage(key: RowImage): string {
  return `/v1/entities/search?q=${encodeURIComponent(String(key["key"]))}`;
}
