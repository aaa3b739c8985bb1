import {
  type EvidenceOrigin,
  listDetectedCommercials,
  listDetectedMentions,
  lockEvidence,
  lockNamed,
  type PlacedEvidence,
  recordVideoIndex,
  replaceCommercials,
  replaceMentions,
  type StoredCommercial,
  type StoredMention,
} from "../../database/detectedEvidence.ts";
import type { Transaction } from "../../database/pool.ts";
import { listSettled } from "../../database/reviewedEvidence.ts";
import { type EvidencePlace, matchKept } from "../../domain/keptIds.ts";
import { type Settled, settledBy, type SettledKind } from "../../domain/review/settled.ts";
import type { TextPlace } from "../../domain/textPlace.ts";
import { matchTrackers, readMentionsBefore } from "../alerts/matchTrackers.ts";

export type NewMention = Omit<StoredMention, "continues">;
export type NewCommercial = Omit<StoredCommercial, "continues">;

/** What was detected in a video, or in a part of it that was looked at anew. Entities are canonical ones. */
export interface VideoEvidence {
  videoId: string;
  origin: EvidenceOrigin;
  /** The rows in whose place it stands, and where the `words` of mentions of them are said now; null: all of the video. */
  replaces: {
    mentionIds: readonly number[];
    commercialIds: readonly number[];
    words: ReadonlyMap<number, TextPlace>;
  } | null;
  mentions: readonly NewMention[];
  commercials: readonly NewCommercial[];
}

/**
 * Makes this the video's detected evidence, in the caller's transaction: what stayed keeps its id, what is gone disappears, imported rows
 * and what reviewers settled are left alone, and readers see the old evidence or the new, never a part. Trackers that it is news to fire.
 * Run twice, the second run changes nothing that can be read.
 */
export async function replaceEvidence(transaction: Transaction, evidence: VideoEvidence): Promise<void> {
  const { videoId, origin, replaces } = evidence;
  await lockEvidence(transaction, videoId);
  const settled = await readSettled(transaction, videoId, origin);
  const mentionsBefore = (await listDetectedMentions(transaction, videoId, replaces?.mentionIds ?? null)).filter(
    ({ id }) => !settled.mentionIds.has(id),
  );
  const mentions = evidence.mentions.filter(
    (mention) => !settled.isSettled(mention.isAppearance ? "appearance" : "mention", mention),
  );
  const commercialsBefore = (
    await listDetectedCommercials(transaction, videoId, replaces?.commercialIds ?? null)
  ).filter(({ id }) => !settled.commercialIds.has(id));
  const commercials = evidence.commercials.filter((commercial) => !settled.isSettled("commercial", commercial));
  const touched = [...mentionsBefore, ...mentions, ...commercialsBefore, ...commercials];
  if (touched.length > 0) await lockNamed(transaction, [...new Set(touched.map(({ entityId }) => entityId))]);
  const goneIds = mentionsBefore.map(({ id }) => id);
  const before = await readMentionsBefore(transaction, goneIds);
  const writtenIds = await replaceMentions(transaction, videoId, origin, {
    goneIds,
    mentions: continued(
      mentionsBefore,
      mentions,
      ({ isAppearance }) => (isAppearance ? "appearance" : "mention"),
      replaces?.words,
    ),
  });
  await replaceCommercials(transaction, videoId, origin, {
    goneIds: commercialsBefore.map(({ id }) => id),
    commercials: continued(commercialsBefore, commercials, ({ mentionClass }) => mentionClass),
  });
  await recordVideoIndex(transaction, videoId, origin);
  await matchTrackers(transaction, videoId, before, writtenIds);
}

/** What reviewers settled in the video: rows that stand, and the places where detection has no say any more. */
async function readSettled(transaction: Transaction, videoId: string, { source }: EvidenceOrigin) {
  const settled = await listSettled(transaction, [videoId]);
  const idsOf = (wanted: (kind: SettledKind) => boolean) =>
    new Set(settled.flatMap(({ kind, rowId }) => (rowId !== null && wanted(kind) ? [rowId] : [])));
  const retimed = new Set(settled.map(({ ofMentionId, canonicalId }) => `${ofMentionId} ${canonicalId}`));
  const places = settled.flatMap(
    ({ kind, rowId, canonicalId: entityId, startSeconds, endSeconds, words }): readonly Settled[] =>
      entityId === null || words?.isGone === true
        ? []
        : [{ kind, entityId, startSeconds, endSeconds, words, isRetimed: retimed.has(`${rowId} ${entityId}`) }],
  );
  const test = settledBy(places);
  return {
    mentionIds: idsOf((kind) => kind !== "commercial"),
    commercialIds: idsOf((kind) => kind === "commercial"),
    isSettled: (
      kind: SettledKind,
      { entityId, startSeconds, endSeconds, segmentId, charStart, charEnd }: NewMention | NewCommercial,
    ) => {
      const words = source === "speech" ? { segmentId, charStart, charEnd } : null;
      return test({ kind, entityId, startSeconds, endSeconds, words });
    },
  };
}

/** Joins each new piece to the row it continues, whose own entity it keeps: that may be one that was merged into the detected one. */
function continued<T extends { entityId: number; startSeconds: number; endSeconds: number } & TextPlace>(
  before: readonly PlacedEvidence[],
  after: readonly T[],
  kindOf: (piece: T) => string,
  words: ReadonlyMap<number, TextPlace> = new Map(),
): (T & { continues: { id: number; createdAt: Date } | null })[] {
  const kept = matchKept(
    before.map((row) => ({ ...placeOf(row, row.canonicalId, row.kind), words: words.get(row.id) ?? null })),
    after.map((piece) => ({ ...placeOf(piece, piece.entityId, kindOf(piece)), words: piece })),
  );
  return after.map((piece, position) => {
    const row = before[kept[position] ?? -1];
    return row === undefined
      ? { ...piece, continues: null }
      : { ...piece, entityId: row.entityId, continues: { id: row.id, createdAt: row.createdAt } };
  });
}

/** A person appears once in a video: wherever that is told, it is the same appearance. */
function placeOf(
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
  entityId: number,
  kind: string,
): Omit<EvidencePlace, "words"> {
  const group = `${entityId} ${kind}`;
  return kind === "appearance" ? { group, startSeconds: 0, endSeconds: 0 } : { group, startSeconds, endSeconds };
}
