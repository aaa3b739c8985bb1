/** States of a channel's sponsor (decisions.md, "Entities and search"). */
export const sponsorStatuses = ["active", "lapsed", "known"] as const;
export type SponsorStatus = (typeof sponsorStatuses)[number];

/** A sponsor is active while it was seen in so many days. */
const activeDays = 90;
/** How many ad reads a sponsor of the default list has at least. */
export const defaultMinAdReads = 3;

/** Sponsors that were seen at or after this moment are active. */
export function activeSince(now: Date): Date {
  return new Date(now.getTime() - activeDays * 86_400_000);
}

/**
 * A sponsor's status: active when any of its commercial rows on the channel is recent; of the others, curated advertisers are known and
 * the rest has lapsed. `lastSeenAt` is null where it was never seen, or only in videos without a date; `judgedAt` is what counts instead
 * where reviewers said another status, else null.
 */
export function sponsorStatus(
  sponsor: { lastSeenAt: Date | null; judgedAt: Date | null; isKnownAdvertiser: boolean },
  now: Date,
): SponsorStatus {
  const countsAt = sponsor.judgedAt ?? sponsor.lastSeenAt;
  if (countsAt !== null && countsAt >= activeSince(now)) return "active";
  return sponsor.isKnownAdvertiser ? "known" : "lapsed";
}

/** Where levels of ad reads begin, after level 0 at 0. As `channel_sponsor.ad_read_level` in the database has them. */
const levelStarts = [1, 3, 12, 48, 192];

/** A run of sponsors that are stored together, newest first, of which a list takes those inside the bounds. */
export interface SponsorRun {
  isKnown: boolean;
  level: number;
  minAdReads: number;
  /** That count as seen from then on; null: no bound. */
  from: Date | null;
  /** That count as seen before then; null: no bound. */
  before: Date | null;
}

/** The runs that a list is merged from. Known sponsors are listed whatever their ad reads are. */
export function sponsorRuns(narrowing: {
  status: SponsorStatus | null;
  minAdReads: number;
  activeSince: Date;
}): SponsorRun[] {
  const { status, minAdReads, activeSince: cutoff } = narrowing;
  const known = runs(true, { minAdReads: 0, from: null, before: cutoff });
  switch (status) {
    case "active":
      return [true, false].flatMap((isKnown) => runs(isKnown, { minAdReads, from: cutoff, before: null }));
    case "lapsed":
      return runs(false, { minAdReads, from: null, before: cutoff });
    case "known":
      return known;
    case null:
      return [
        ...runs(false, { minAdReads, from: null, before: null }),
        ...runs(true, { minAdReads, from: cutoff, before: null }),
        ...known,
      ];
  }
}

function runs(isKnown: boolean, { minAdReads, from, before }: Omit<SponsorRun, "isKnown" | "level">): SponsorRun[] {
  return levels(minAdReads).map((level) => ({ isKnown, level, minAdReads, from, before }));
}

/** The levels of sponsors with fewer ad reads than the start of a level. */
export function levelsBelow(levelStart: number): number[] {
  return Array.from({ length: lowestLevel(levelStart) }, (_, level) => level);
}

function levels(minAdReads: number): number[] {
  const lowest = lowestLevel(minAdReads);
  return Array.from({ length: levelStarts.length + 1 - lowest }, (_, index) => lowest + index);
}

function lowestLevel(minAdReads: number): number {
  return levelStarts.filter((start) => start <= minAdReads).length;
}
