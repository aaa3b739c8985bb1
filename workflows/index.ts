export { channelPoll } from "./channelPoll.ts";
export { idempotencyPurge } from "./idempotencyPurge.ts";
export { preliminaryScan } from "./preliminaryScan.ts";
export { relatedEntities } from "./relatedEntities.ts";
export { mentionRetyping } from "./mentionRetyping.ts";
export { transcription } from "./transcription.ts";
export { webhookSecretRotation } from "./webhookSecretRotation.ts";
