import type { RowImage } from "../../../database/reviewRows.ts";
import { changeSchemas } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, recordFinding, requireInVideo } from "./effect.ts";

const { alert: changes } = changeSchemas;

/**
 * Applies what is said to be wrong with an alert: to what the alert history shows, and so that what was taken back is not sent again. What was
 * delivered and billed stays as it was.
 */
export async function applyToAlert(effect: Effect<"alert">): Promise<void> {
  const { issueType, change, journal, correction, now } = effect;
  const key = { id: correction.itemId };
  const alert = await journal.lock("alert_occurrence", key);
  if (alert === null) throw new ReviewRefusal("The alert that it is about is not there any more.");
  switch (issueType) {
    case "false_positive":
      requireLive(alert);
      return journal.put("alert_occurrence", key, { retracted_at: now.toISOString() });
    case "duplicate_alert": {
      const { duplicate_of } = changes.duplicate_alert.parse(change);
      if (duplicate_of === correction.itemId) throw new ReviewRefusal("An alert is no duplicate of itself.");
      requireLive(alert);
      await requireOriginal(effect, duplicate_of, alert);
      return journal.put("alert_occurrence", key, { retracted_at: now.toISOString() });
    }
    case "wrong_entity": {
      const { entity } = await entityOf(effect, changes.wrong_entity.parse(change).entity_id);
      const columns = { entity_id: entity.numericId, entity_name: entity.name, entity_type: entity.type };
      return journal.put("alert_occurrence", key, columns);
    }
    case "wrong_timestamp": {
      const place = changes.wrong_timestamp.parse(change);
      await requireInVideo(effect, String(alert["video_id"]), place);
      return journal.put("alert_occurrence", key, place);
    }
    case "late_alert":
      return recordFinding(effect);
  }
}

/** Throws a refusal for an alert that was taken back before. */
function requireLive({ id, retracted_at }: RowImage): void {
  if (retracted_at !== null)
    throw new ReviewRefusal(`Alert ${String(id)} was taken back before; there is nothing left to take back.`);
}

/** Throws a refusal where an alert cannot stand for another one of its video: with both taken back none would be left. */
async function requireOriginal({ journal }: Effect, originalId: string, { video_id }: RowImage): Promise<void> {
  const original = await journal.lock("alert_occurrence", { id: originalId });
  if (original === null)
    throw new ReviewRefusal("The alert that it is said to be a duplicate of is not there any more.");
  if (original["video_id"] !== video_id)
    throw new ReviewRefusal(`Alert ${originalId} is about another video; name one of the same video.`);
  if (original["retracted_at"] !== null)
    throw new ReviewRefusal(`Alert ${originalId} was taken back itself; name one that stands, or revert that first.`);
}
