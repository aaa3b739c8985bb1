import type { Pool, Transaction } from "../../database/pool.ts";
import {
  type EntityCounts,
  listAlertsOn,
  readCanonicalIds,
  readEntityCounts,
  readTouched,
  type Touched,
} from "../../database/reviewImpact.ts";
import type { JournalEntry, JournalTable, RowImage } from "../../database/reviewRows.ts";
import { entityId } from "../../domain/entities.ts";
import type { IssueEffect } from "../../domain/review/issues.ts";

/** What a step did to the rows of one correction. */
export interface MeasuredStep {
  correctionId: number;
  effect: IssueEffect;
  /** Why it could not be taken; then nothing changed. */
  refusal: string | null;
  entries: readonly JournalEntry[];
}

interface CountChange {
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

/** What a transaction that took steps sees, before it is rolled back. */
export interface SeenInside {
  steps: readonly MeasuredStep[];
  counts: readonly EntityCounts[];
  touched: Touched;
}

/** Looks at what the steps did from inside their transaction. */
export async function lookInside(transaction: Transaction, steps: readonly MeasuredStep[]): Promise<SeenInside> {
  const entries = steps.flatMap((step) => step.entries);
  const touched = await readTouched(transaction, rowsOf(entries));
  const named = numbers(entries.flatMap(namedEntities));
  const entityIds = new Set([...touched.entityIds, ...named, ...(await readCanonicalIds(transaction, named))]);
  return { steps, touched, counts: await readEntityCounts(transaction, [...entityIds]) };
}

/** Compares that with what everybody else sees, once it is rolled back. */
export async function measureImpact(pool: Pool, { steps, counts, touched }: SeenInside): Promise<Impact> {
  const entries = steps.flatMap((step) => step.entries);
  const rows = rowsOf(entries);
  const before = await readTouched(pool, rows);
  const alertsShown = await listAlertsOn(pool, rows.mentionIds);
  const alertsChanged = entries.flatMap(({ table, key }) => (table === "alert_occurrence" ? [String(key["id"])] : []));
  const entityIds = counts.map((each) => each.entityId);
  return {
    corrections: steps,
    counts: compareCounts(await readEntityCounts(pool, entityIds), counts),
    alertIds: [...new Set([...alertsShown, ...alertsChanged])],
    pages: pagesOf(entries, {
      entityIds,
      videoIds: [...before.videoIds, ...touched.videoIds],
      channelIds: rows.recommendationIds.length === 0 ? [] : [...before.channelIds, ...touched.channelIds],
    }),
  };
}

function rowsOf(entries: readonly JournalEntry[]) {
  const idsIn = (table: JournalTable) =>
    numbers(entries.filter((entry) => entry.table === table).map(({ key }) => key["id"]));
  return { mentionIds: idsIn("mention"), recommendationIds: idsIn("recommendation") };
}

function numbers(values: readonly unknown[]): number[] {
  return [...new Set(values.map(Number))].filter((value) => Number.isSafeInteger(value) && value > 0);
}

function namedEntities({ table, key, before, after }: JournalEntry): unknown[] {
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
      return [before?.["entity_id"]];
    case "channel":
    case "alert_occurrence":
    case "review_finding":
      return [];
  }
}

function compareCounts(before: readonly EntityCounts[], after: readonly EntityCounts[]): CountChange[] {
  const afterById = new Map(after.map((counts) => [counts.entityId, counts]));
  return before.flatMap((was) => {
    const is = afterById.get(was.entityId) ?? was;
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
