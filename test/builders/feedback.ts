import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { newId } from "../../domain/ids.ts";
import type { ItemKind } from "../../domain/review/issues.ts";
import type { ServiceContext } from "../../services/context.ts";

/** An alert that fired for the account; returns its id. */
export async function createFiredAlert(
  { pool }: ServiceContext,
  accountId: string,
  alert: { videoId: string; entityId: number; mentionId?: number; monitorId?: string },
): Promise<string> {
  const alertId = newId("alert");
  await pool.query(sql.typeAlias("void")`
    insert into alert_occurrence (id, account_id, tracker_id, tracker_name, monitor_id, monitor_name, video_id, entity_id, entity_name,
      entity_type, event_id, kind, mention_id, mention_count, start_seconds, end_seconds, quote, confidence)
    select ${alertId}, ${accountId}, ${newId("tracker")}, 'Tracker', ${alert.monitorId ?? null}::text, ${alert.monitorId === undefined ? null : "Monitor"}::text,
      ${alert.videoId}, entity.id, entity.name, entity.type, ${newId("event")}, 'mention', ${alert.mentionId ?? 1}, 1, 10, 15, 'They spoke of it.', 0.9
    from entity where id = ${alert.entityId}`);
  return alertId;
}

export interface ChangeTargets {
  person: number;
  company: number;
  /** Rows beside the ones that corrections are about. */
  second: { mention: number; row: number };
  videoId: string;
  otherAlertId: string;
}

/** A change that fits the issue type, and says something else than what is there; undefined where it takes none. */
export function suggestedChange(
  kind: ItemKind,
  issue: string,
  targets: ChangeTargets,
): Record<string, unknown> | undefined {
  const { person, company, second, videoId, otherAlertId } = targets;
  const place = { start_seconds: 200, end_seconds: 205 };
  const missingRow = { video_id: videoId, entity_id: entityId(person), ...place };
  switch (issue) {
    case "wrong_class":
      return { mention_class: "endorsement" };
    case "wrong_entity":
    case "wrong_person":
    case "missing_result":
      return { entity_id: entityId(person) };
    case "wrong_promo_code":
      return { promo_code: "BETTER10" };
    case "wrong_offer":
      return { offer: "10 % off" };
    case "wrong_quote":
      return kind === "recommendation"
        ? { verbatim_quote: "What was really said." }
        : { quote: "What was really said." };
    case "wrong_timestamp":
      return place;
    case "wrong_speaker_role":
      return { speaker_role: "guest" };
    case "wrong_sentiment":
      return { sentiment_score: -0.5 };
    case "wrong_appearance_role":
      return { role: "guest" };
    case "wrong_status":
      return { status: "lapsed" };
    case "wrong_count":
      return { ad_read_count: 12 };
    case "duplicate":
      if (kind === "result") return { duplicate_of: entityId(person) };
      return { duplicate_of: kind === "mention" ? mentionId(second.mention) : recommendationId(second.row) };
    case "missing":
      if (kind === "sponsor") return { entity_id: entityId(person) };
      if (kind === "recommendation")
        return { ...missingRow, mention_class: "ad_read", verbatim_quote: "Brought to you by." };
      return { ...missingRow, quote: "There she is." };
    case "wrong_name":
      return { name: "Another Name" };
    case "wrong_type":
      return { type: "topic" };
    case "wrong_url":
      return { url: "https://example.com/right" };
    case "wrong_image":
      return { image_url: "https://example.com/right.png" };
    case "wrong_owner":
      return { owner_entity_id: entityId(person) };
    case "duplicate_entity":
      return { canonical_id: entityId(person === company ? second.mention : person) };
    case "should_split":
      return { note: "These are two." };
    case "missing_alias":
      return { alias: "The Other Name" };
    case "wrong_rank":
      return { expected_rank: 1 };
    case "duplicate_alert":
      return { duplicate_of: otherAlertId };
    default:
      return undefined;
  }
}
