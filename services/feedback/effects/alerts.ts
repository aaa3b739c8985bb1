import { changeSchemas } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, recordFinding } from "./effect.ts";

const { alert: changes } = changeSchemas;

/**
 * Applies what is said to be wrong with an alert: to what the alert history shows, and so that what was taken back is not sent again. What was
 * delivered and billed stays as it was.
 */
export async function applyToAlert(effect: Effect<"alert">): Promise<void> {
  const { issueType, change, journal, correction, now } = effect;
  const key = { id: correction.itemId };
  if ((await journal.lock("alert_occurrence", key)) === null)
    throw new ReviewRefusal("The alert that it is about is not there any more.");
  switch (issueType) {
    case "false_positive":
      return journal.put("alert_occurrence", key, { retracted_at: now.toISOString() });
    case "duplicate_alert": {
      const { duplicate_of } = changes.duplicate_alert.parse(change);
      if (duplicate_of === correction.itemId) throw new ReviewRefusal("An alert is no duplicate of itself.");
      return journal.put("alert_occurrence", key, { retracted_at: now.toISOString() });
    }
    case "wrong_entity": {
      const { entity } = await entityOf(effect, changes.wrong_entity.parse(change).entity_id);
      const columns = { entity_id: entity.numericId, entity_name: entity.name, entity_type: entity.type };
      return journal.put("alert_occurrence", key, columns);
    }
    case "wrong_timestamp":
      return journal.put("alert_occurrence", key, changes.wrong_timestamp.parse(change));
    case "late_alert":
      return recordFinding(effect);
  }
}
