import { z } from "zod";
import type { SponsorRun } from "../domain/sponsors.ts";
import { entityReferenceColumns, entityReferenceFields, shapeEntityReference } from "./entityReference.ts";
import { chargeFor, pricedBy, type Purchase } from "./metering.ts";
import { count, millisecondsOf, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";
import type { BoughtPage, PageOf } from "./recommendations.ts";

const sponsorRow = z
  .object({
    ...entityReferenceFields,
    ad_read_count: count,
    endorsement_count: count,
    first_seen_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    judged_at: timestamp.nullable(),
    promo_codes: z.array(z.string()),
    avg_confidence: z.number().nullable(),
    is_known: z.boolean(),
    latest_id: count.nullable(),
    sorted_at: z.number(),
    paid: z.boolean(),
  })
  .transform((row) => ({
    paid: row.paid,
    position: { sortedAt: row.sorted_at, entityId: row.entity_id },
    row: {
      entity: shapeEntityReference(row),
      adReadCount: row.ad_read_count,
      endorsementCount: row.endorsement_count,
      firstSeenAt: row.first_seen_at,
      lastSeenAt: row.last_seen_at,
      /** When it counts as last seen for its status, where reviewers say otherwise than its rows. */
      judgedAt: row.judged_at,
      promoCodes: row.promo_codes,
      averageConfidence: row.avg_confidence,
      isKnownAdvertiser: row.is_known,
      latestRecommendationId: row.latest_id,
    },
  }));
/** What a channel's commercial rows about an entity add up to; disputed rows do not count. */
export type Sponsor = z.output<typeof sponsorRow>["row"];

/** A place in a list of sponsors: `sortedAt` in epoch milliseconds. */
export interface SponsorPosition {
  sortedAt: number;
  entityId: number;
}

/** Which sponsors of a channel a list holds. */
export interface SponsorSelection {
  channelId: string;
  runs: readonly SponsorRun[];
}

/** Reads a page of a channel's sponsors, last seen first, and debits the price of each, as far as the account can pay. */
export async function buySponsors(
  db: Queryable,
  purchase: Purchase,
  selection: SponsorSelection,
  page: PageOf<SponsorPosition>,
): Promise<BoughtPage<Sponsor, SponsorPosition>> {
  const listed = await db.any(sql.type(sponsorRow)`${sponsorsStatement(purchase, selection, page)}`);
  const shown = listed.slice(0, page.limit);
  return {
    rows: shown.filter(({ paid }) => paid).map(({ row, position }) => ({ row, position })),
    found: shown.length,
    moreExist: listed.length > page.limit,
  };
}

/** The statement of `buySponsors`, so that its plan can be looked at. */
export function sponsorsStatement(
  purchase: Purchase,
  selection: SponsorSelection,
  page: PageOf<SponsorPosition>,
): SqlFragment {
  return sql.fragment`
    with ${found(selection, page)}, ${pricedBy(purchase, page.limit)}, ${chargeFor("sponsors")}
    select ${millisecondsOf(sql.fragment`found.sorted_at`)} as sorted_at, paid.n is not null as paid, ${entityReferenceColumns}, sponsor.ad_read_count, sponsor.endorsement_count,
      sponsor.first_seen_at, sponsor.last_seen_at, sponsor.judged_at, sponsor.promo_codes, sponsor.is_known, sponsor.latest_id,
      round(sponsor.confidence_sum / nullif(sponsor.row_count, 0), 4)::float8 as avg_confidence
    from found
    join channel_sponsor as sponsor on sponsor.channel_id = ${selection.channelId} and sponsor.entity_id = found.entity_id
    join entity on entity.id = found.entity_id
    left join paid on paid.n = found.n
    order by found.n`;
}

/** How many sponsors a page would hold, for quotes. */
export async function countSponsors(
  db: Queryable,
  selection: SponsorSelection,
  page: PageOf<SponsorPosition>,
): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count }))`
    with ${found(selection, page)} select count(*) from found where n <= ${page.limit}`);
}

/** A page and the row after it. */
function found({ channelId, runs }: SponsorSelection, page: PageOf<SponsorPosition>): SqlFragment {
  const of = (type: string, value: (run: SponsorRun) => boolean | number | string) => sql.array(runs.map(value), type);
  return sql.fragment`found as materialized (
    select (row_number() over (order by sorted_at desc, entity_id desc))::int4 as n, newest.* from newest_sponsors(
      ${channelId}, ${of("bool", (run) => run.isKnown)}, ${of("int2", (run) => run.level)}, ${of("int8", (run) => run.minAdReads)},
      ${of("timestamptz", (run) => run.from?.toISOString() ?? "-infinity")}, ${of("timestamptz", (run) => run.before?.toISOString() ?? "infinity")},
      ${page.after === null ? "infinity" : new Date(page.after.sortedAt).toISOString()}::timestamptz, ${page.after?.entityId ?? 0}::int8,
      ${page.limit + 1}::int4
    ) as newest
  )`;
}
