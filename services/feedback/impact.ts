import type { Pool, Queryable, Transaction } from "../../database/pool.ts";
import {
  type EntityCounts,
  listAlertsOn,
  listMonitorsOf,
  readCanonicalIds,
  readEntityCounts,
  readFoundBy,
  readTouched,
} from "../../database/reviewImpact.ts";
import type { JournalEntry, JournalTable } from "../../database/reviewRows.ts";
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
  /** Reads of the API that answer otherwise; of the names, searches and channels of a merged entity, at most 100 each. */
  pages: readonly string[];
}

/** What a transaction that took steps sees, before it is rolled back. */
export interface SeenInside {
  steps: readonly MeasuredStep[];
  counts: readonly EntityCounts[];
  found: Found;
}

/** What the rows of the steps are, and are found by. */
interface Found {
  entityIds: readonly number[];
  personSlugs: readonly string[];
  videoIds: readonly string[];
  channelIds: readonly string[];
  names: readonly string[];
  searchKeys: readonly string[];
  alertIds: readonly string[];
}

/** Looks at what the steps did from inside their transaction. */
export async function lookInside(transaction: Transaction, steps: readonly MeasuredStep[]): Promise<SeenInside> {
  const entries = steps.flatMap((step) => step.entries);
  const found = await findRows(transaction, entries);
  const named = numbers(entries.flatMap(namedEntities));
  const entityIds = new Set([...found.entityIds, ...named, ...(await readCanonicalIds(transaction, named))]);
  return { steps, found, counts: await readEntityCounts(transaction, [...entityIds]) };
}

async function findRows(db: Queryable, entries: readonly JournalEntry[]): Promise<Found> {
  const rows = rowsOf(entries);
  const touched = await readTouched(db, rows);
  const merges = entries.filter(({ table }) => table === "merge");
  const merged = await readFoundBy(db, numbers(merges.map(({ key }) => key["entity_id"])));
  // Only those of the two that read on their own have appearances of theirs.
  const { personSlugs } = await readFoundBy(db, numbers(merges.flatMap(namedEntities)));
  return {
    entityIds: touched.entityIds,
    personSlugs: [...touched.personSlugs, ...personSlugs],
    videoIds: touched.videoIds,
    channelIds: [...(rows.recommendationIds.length === 0 ? [] : touched.channelIds), ...merged.channelIds],
    names: merged.names,
    searchKeys: merged.searchKeys,
    alertIds: await listAlertsOn(db, rows.mentionIds),
  };
}

/** Compares that with what everybody else sees, once it is rolled back. */
export async function measureImpact(pool: Pool, { steps, counts, found }: SeenInside): Promise<Impact> {
  const entries = steps.flatMap((step) => step.entries);
  const before = await findRows(pool, entries);
  const alertsChanged = entries.flatMap(({ table, key }) => (table === "alert_occurrence" ? [String(key["id"])] : []));
  const entityIds = counts.map((each) => each.entityId);
  return {
    corrections: steps,
    counts: compareCounts(await readEntityCounts(pool, entityIds), counts),
    alertIds: [...new Set([...before.alertIds, ...found.alertIds, ...alertsChanged])],
    pages: [
      ...new Set([
        ...pagesOf(entries, entityIds),
        ...[before, found].flatMap(pagesOfFound),
        ...(await listMonitorsOf(pool, alertsChanged)).map((id) => `/v1/monitors/${id}/alerts`),
      ]),
    ],
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

function pagesOf(entries: readonly JournalEntry[], entityIds: readonly number[]): string[] {
  const tables = new Set(entries.map(({ table }) => table));
  const spoken = tables.has("mention") || tables.has("merge");
  const commercial = tables.has("recommendation") || tables.has("merge");
  return [
    ...entityIds.flatMap((id) => [
      `/v1/entities/${entityId(id)}`,
      ...(spoken ? [`/v1/entities/${entityId(id)}/mentions`] : []),
      ...(commercial ? [`/v1/entities/${entityId(id)}/recommendations`] : []),
    ]),
    ...entries.flatMap(({ table, key, before, after }) => {
      if (table === "search_review") return [searchPage(String(key["key"]))];
      if (table === "entity_name")
        return [before, after].flatMap((image) => (image === null ? [] : namePages(String(image["name"]))));
      return "channel_id" in key ? [sponsorPage(String(key["channel_id"]))] : [];
    }),
  ];
}

function pagesOfFound({ personSlugs, videoIds, channelIds, names, searchKeys }: Found): string[] {
  return [
    ...personSlugs.map((slug) => `/v1/people/${slug}/appearances`),
    ...videoIds.map((id) => `/v1/transcripts/${id}`),
    ...channelIds.map(sponsorPage),
    ...names.flatMap(namePages),
    ...searchKeys.map(searchPage),
  ];
}

function sponsorPage(channelId: string): string {
  return `/v1/channels/${encodeURIComponent(channelId)}/sponsors`;
}

function namePages(name: string): string[] {
  return [`/v1/entities/lookup?name=${encodeURIComponent(name)}`, searchPage(name)];
}

function searchPage(q: string): string {
  return `/v1/entities/search?q=${encodeURIComponent(q)}`;
}
