import { defineSearchAttributeKey, SearchAttributeType } from "@temporalio/common";

/** What operators find workflows by in Temporal UI. Never encrypted by Temporal, so ids and stages only. */
export const searchAttributes = {
  account: defineSearchAttributeKey("MediaAccountId", SearchAttributeType.KEYWORD),
  video: defineSearchAttributeKey("MediaVideoId", SearchAttributeType.KEYWORD),
  monitor: defineSearchAttributeKey("MediaMonitorId", SearchAttributeType.KEYWORD),
  entity: defineSearchAttributeKey("MediaEntityId", SearchAttributeType.KEYWORD),
  feedback: defineSearchAttributeKey("MediaFeedbackId", SearchAttributeType.KEYWORD),
  stage: defineSearchAttributeKey("MediaStage", SearchAttributeType.KEYWORD),
};

export const searchAttributeNames: readonly string[] = Object.values(searchAttributes).map((key) => key.name);
