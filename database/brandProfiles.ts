import { z } from "zod";
import { type Queryable, sql, timestamp } from "./pool.ts";

/** Columns of an entity's brand profile, for statements that left join `brand_profile`; null where it has none. */
export const brandProfileColumns = sql.fragment`brand_profile.total_ad_reads::int4, brand_profile.total_endorsements::int4,
  brand_profile.unique_shows::int4, brand_profile.first_seen_at, brand_profile.last_seen_at, brand_profile.channels_as_sponsor::int4`;

export const brandProfileFields = {
  total_ad_reads: z.number().nullable(),
  total_endorsements: z.number().nullable(),
  unique_shows: z.number().nullable(),
  first_seen_at: timestamp.nullable(),
  last_seen_at: timestamp.nullable(),
  channels_as_sponsor: z.number().nullable(),
};
const brandProfileRow = z.object(brandProfileFields);

/** Totals of commercial rows, disputed ones left out. Times are those of publication; null before they are summed up, or where none is known. */
export interface CommercialTotals {
  adReads: number;
  endorsements: number;
  /** Channels with commercial rows. */
  shows: number;
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
  /** Channels whose curated advertiser it is. */
  channelsAsSponsor: number;
}

export function shapeBrandProfile(row: z.output<typeof brandProfileRow>): CommercialTotals | null {
  const { total_ad_reads, total_endorsements, unique_shows, channels_as_sponsor } = row;
  if (total_ad_reads === null || total_endorsements === null || unique_shows === null || channels_as_sponsor === null)
    return null;
  return {
    adReads: total_ad_reads,
    endorsements: total_endorsements,
    shows: unique_shows,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    channelsAsSponsor: channels_as_sponsor,
  };
}

/** Sums up so many of the brand profiles whose commercial rows have changed, the oldest change first; returns how many. */
export async function sumStaleBrandProfiles(db: Queryable, limit: number): Promise<number> {
  return db.oneFirst(sql.type(z.object({ summed: z.number() }))`select sum_stale_brand_profiles(${limit}) as summed`);
}
