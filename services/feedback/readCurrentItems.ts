import type { Entity } from "../../database/entities.ts";
import type { Correction, Feedback, Fields } from "../../database/feedback.ts";
import type { Queryable } from "../../database/pool.ts";
import {
  listReviewedAlerts,
  listReviewedMentions,
  listReviewedRecommendations,
  listReviewedSponsors,
  readReviewedEntities,
  type ReviewedAlert,
  type ReviewedMention,
  type ReviewedRecommendation,
  type ReviewedSponsor,
  type SponsorPair,
} from "../../database/reviewEvidence.ts";
import { numberOf } from "./effects/effect.ts";

/** What the index says now of the item that a correction is about. */
export type CurrentItem =
  | { kind: "mention"; mention: ReviewedMention }
  | { kind: "recommendation"; recommendation: ReviewedRecommendation }
  | { kind: "entity"; entity: Entity }
  | { kind: "sponsor"; entity: Entity; channelId: string | null; sponsor: ReviewedSponsor | null }
  | { kind: "alert"; alert: ReviewedAlert };

/** A correction beside what the index says of its item. */
export interface Claim {
  correction: Correction;
  /** Null: it is not there any more. */
  current: CurrentItem | null;
}

/** What the index says of the items of a feedback's corrections, in their order; as many statements however many they are. */
export async function readCurrentItems(db: Queryable, { query, corrections }: Feedback): Promise<readonly Claim[]> {
  const alertIds = corrections.filter(({ itemKind }) => itemKind === "alert").map(({ itemId }) => itemId);
  const alerts = byKey(await listReviewedAlerts(db, alertIds), ({ alertId }) => alertId);
  const numbersOf = (prefix: string) =>
    corrections.filter(({ itemId }) => itemId.startsWith(prefix)).map(({ itemId }) => numberOf(itemId));
  const mentions = byKey(await listReviewedMentions(db, numbersOf("men_")), ({ mentionId }) => mentionId);
  const recommendations = byKey(
    await listReviewedRecommendations(db, numbersOf("com_")),
    ({ recommendationId }) => recommendationId,
  );
  const entities = await readReviewedEntities(db, numbersOf("ent_"));
  const pairs = corrections.flatMap(({ itemId, itemKind, suggestedChange }) => {
    const entity = itemKind === "sponsor" ? entities.get(numberOf(itemId)) : undefined;
    const channelId = channelOf(query, suggestedChange);
    return entity === undefined || channelId === null ? [] : [{ channelId, entityId: entity.numericId }];
  });
  const sponsors = byKey(await listReviewedSponsors(db, pairs), pairKey);

  const currentOf = ({ itemId, itemKind, suggestedChange }: Correction): CurrentItem | null => {
    const alert = alerts.get(itemId);
    if (itemKind === "alert") return alert === undefined ? null : { kind: "alert", alert };
    const id = numberOf(itemId);
    const mention = mentions.get(id);
    if (itemId.startsWith("men_")) return mention === undefined ? null : { kind: "mention", mention };
    const recommendation = recommendations.get(id);
    if (itemId.startsWith("com_"))
      return recommendation === undefined ? null : { kind: "recommendation", recommendation };
    const entity = entities.get(id);
    if (entity === undefined) return null;
    if (itemKind !== "sponsor") return { kind: "entity", entity };
    const channelId = channelOf(query, suggestedChange);
    const sponsor = channelId === null ? undefined : sponsors.get(pairKey({ channelId, entityId: entity.numericId }));
    return { kind: "sponsor", entity, channelId, sponsor: sponsor ?? null };
  };
  return corrections.map((correction) => ({ correction, current: currentOf(correction) }));
}

function byKey<K, T>(rows: readonly T[], keyOf: (row: T) => K): ReadonlyMap<K, T> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Of a sponsor. */
function channelOf(query: Fields, suggestedChange: Fields | null): string | null {
  const asked = suggestedChange?.["channel_id"] ?? query["channel_id"];
  return typeof asked === "string" ? asked : null;
}

function pairKey({ channelId, entityId }: SponsorPair): string {
  return `${entityId} ${channelId}`;
}
