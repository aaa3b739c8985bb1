import {
  type ActiveTracker,
  insertOccurrences,
  listActiveTrackers,
  listMatchable,
  listMatchableById,
  listWatched,
  type MatchableMention,
  type NewOccurrence,
  type TrackerPosition,
} from "../../database/matching.ts";
import type { Transaction } from "../../database/pool.ts";
import { compileFilters, type FilteredMention, trackerFilters } from "../../domain/filters/trackerFilters.ts";
import { newId } from "../../domain/ids.ts";
import { filtered, shownOf } from "./shownMention.ts";

/** Trackers looked at in one go: what bounds the memory of a burst. */
const batchSize = 1000;
const start: TrackerPosition = { entityId: 0, trackerId: "" };

/** What videos said before a write, by mention: ask for it in the same transaction, before the first row is touched. */
export type EvidenceBefore = ReadonlyMap<number, MatchableMention>;

export async function readEvidenceBefore(
  transaction: Transaction,
  videoIds: readonly string[],
): Promise<EvidenceBefore> {
  return byId(await listMatchable(transaction, videoIds));
}

/** As `readEvidenceBefore`, where it is known which mentions the write is about to take away. */
export async function readMentionsBefore(
  transaction: Transaction,
  mentionIds: readonly number[],
): Promise<EvidenceBefore> {
  return byId(await listMatchableById(transaction, mentionIds));
}

function byId(mentions: readonly MatchableMention[]): EvidenceBefore {
  return new Map(mentions.map((mention) => [mention.mentionId, mention]));
}

/**
 * Fires the trackers that what has just been written in a video is news to, in the transaction that wrote it; returns how many fired. A
 * mention is news to a tracker that it did not match before the write: a new one, or one whose words or scores have changed since. So what
 * was said while a tracker was paused, or did not exist, fires nothing when the video is looked at again. A tracker fires once for a video,
 * ever, however many mentions match (decisions.md "Occurrence"). Merged entities are one. Its cost depends on the trackers of the entities
 * spoken of, not on how many there are; they are taken in batches, so its memory does not depend on either.
 * `writtenIds`: the mentions that were written, where that is known; null looks at all of the video.
 */
export async function matchTrackers(
  transaction: Transaction,
  videoId: string,
  before: EvidenceBefore,
  writtenIds: readonly number[] | null = null,
): Promise<number> {
  const mentions =
    writtenIds === null
      ? await listMatchable(transaction, [videoId])
      : await listMatchableById(transaction, writtenIds);
  const news = newsOf(mentions, before);
  if (news.size === 0) return 0;
  const watched = await listWatched(transaction, [...news.keys()]);
  const newsByEntity = new Map(
    watched.map(({ entityId, canonicalId }) => [entityId, news.get(canonicalId) ?? []] as const),
  );
  let fired = 0;
  for (let after = start; ;) {
    const entityIds = [...newsByEntity.keys()].filter((entityId) => entityId >= after.entityId);
    if (entityIds.length === 0) return fired;
    const trackers = await listActiveTrackers(transaction, { entityIds, videoId, after, limit: batchSize });
    const occurrences = trackers.flatMap(
      (tracker) => occurrenceOf(tracker, newsByEntity.get(tracker.entityId) ?? []) ?? [],
    );
    if (occurrences.length > 0) fired += await insertOccurrences(transaction, occurrences);
    const last = trackers.at(-1);
    if (trackers.length < batchSize || last === undefined) return fired;
    after = last;
  }
}

/** A mention that is new or has changed, with what it was. */
interface News {
  mention: MatchableMention;
  now: FilteredMention;
  was: FilteredMention | null;
}

function newsOf(mentions: readonly MatchableMention[], before: EvidenceBefore): Map<number, News[]> {
  const news = new Map<number, News[]>();
  for (const mention of mentions) {
    const old = before.get(mention.mentionId);
    if (old !== undefined && looksAlike(old, mention)) continue;
    const found = { mention, now: filtered(mention), was: old === undefined ? null : filtered(old) };
    const known = news.get(mention.canonicalId);
    if (known === undefined) news.set(mention.canonicalId, [found]);
    else known.push(found);
  }
  return news;
}

/** Whether filters see no difference. */
function looksAlike(a: MatchableMention, b: MatchableMention): boolean {
  return (
    a.quote === b.quote &&
    a.contextBefore === b.contextBefore &&
    a.contextAfter === b.contextAfter &&
    a.isAppearance === b.isAppearance &&
    a.appearanceRole === b.appearanceRole &&
    a.inAd === b.inAd &&
    a.sentimentScore === b.sentimentScore &&
    a.confidence === b.confidence &&
    a.channelId === b.channelId &&
    a.language === b.language
  );
}

function occurrenceOf(tracker: ActiveTracker, news: readonly News[]): NewOccurrence | null {
  const filters = trackerFilters.safeParse(JSON.parse(tracker.filters));
  // Filters of another release that this one cannot read stop their tracker, not the index.
  if (!filters.success) return null;
  const passes = compileFilters(filters.data);
  const matching = news.filter(({ now, was }) => passes(now) && (was === null || !passes(was)));
  const shown = shownOf(matching.map(({ mention }) => mention));
  return shown === null
    ? null
    : {
        alertId: newId("alert"),
        eventId: newId("event"),
        trackerId: tracker.trackerId,
        kind: shown.isAppearance ? "appearance" : "mention",
        mentionId: shown.mentionId,
        mentionCount: matching.length,
      };
}
