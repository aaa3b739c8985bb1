import { listMatchableOfTime, listShown, type MatchableMention, type ShownMention } from "../../database/matching.ts";
import type { Queryable } from "../../database/pool.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { compileFilters, type TrackerFilters } from "../../domain/filters/trackerFilters.ts";
import { filtered, shownOf } from "../alerts/shownMention.ts";
import type { ServiceContext } from "../context.ts";
import { resolveWatched } from "./resolveWatched.ts";

const dayMilliseconds = 86_400_000;
const sampleSize = 10;

/** An alert that a tracker would have fired: the mention that it would show, of how many that matched in its video. */
interface PreviewedAlert {
  mention: MatchableMention & ShownMention;
  mentionCount: number;
}

export interface Preview {
  /** Name and number of the entity that it would watch. */
  entity: { numericId: number; name: string };
  occurrences: number;
  /** What they would have cost. */
  rows: number;
  /** UTC days, oldest first, `YYYY-MM-DD`. */
  byDay: { date: string; occurrences: number }[];
  /** The newest. */
  sample: PreviewedAlert[];
}

/**
 * What a tracker would have fired for the videos published today and on the `days - 1` days before it, as they are indexed now: one
 * occurrence a video. Stores nothing. A day at a time, so its memory is that of the busiest day. Throws `entity_not_found` as creation does.
 */
export async function previewTracker(
  { settings, clock }: ServiceContext,
  db: Queryable,
  asked: { entityName: string; entityType: EntityGroup; filters: TrackerFilters; days: number },
): Promise<Preview> {
  const { entity, memberIds } = await resolveWatched(db, asked.entityName, asked.entityType);
  const passes = compileFilters(asked.filters);
  const now = clock();
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  const byDay: Preview["byDay"] = [];
  const newest: { mention: MatchableMention; mentionCount: number }[] = [];
  for (let daysAgo = 0; daysAgo < asked.days; daysAgo += 1) {
    const from = new Date(today - daysAgo * dayMilliseconds);
    const to = daysAgo === 0 ? new Date(now.getTime() + 1) : new Date(from.getTime() + dayMilliseconds);
    const mentions = await listMatchableOfTime(db, memberIds, { from, to });
    const byVideo = Map.groupBy(
      mentions.filter((mention) => passes(filtered(mention))),
      ({ videoId }) => videoId,
    );
    byDay.unshift({ date: from.toISOString().slice(0, 10), occurrences: byVideo.size });
    for (const matching of byVideo.values()) {
      if (newest.length === sampleSize) break;
      const mention = shownOf(matching);
      if (mention !== null) newest.push({ mention, mentionCount: matching.length });
    }
  }
  const occurrences = byDay.reduce((sum, day) => sum + day.occurrences, 0);
  return {
    entity,
    occurrences,
    rows: occurrences * settings.prices.alertOccurrenceRows,
    byDay,
    sample: await withMedia(db, newest),
  };
}

async function withMedia(
  db: Queryable,
  alerts: readonly { mention: MatchableMention; mentionCount: number }[],
): Promise<PreviewedAlert[]> {
  const shown = await listShown(
    db,
    alerts.map(({ mention }) => mention.mentionId),
  );
  const byMention = new Map(shown.map((each) => [each.mentionId, each]));
  return alerts.flatMap(({ mention, mentionCount }) => {
    const more = byMention.get(mention.mentionId);
    return more === undefined ? [] : [{ mention: { ...mention, ...more }, mentionCount }];
  });
}
