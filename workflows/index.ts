export { brandProfiles } from "./brandProfiles.ts";
export { channelPoll } from "./channelPoll.ts";
export { idempotencyPurge } from "./idempotencyPurge.ts";
export { imageResolution } from "./imageResolution.ts";
export { preliminaryScan } from "./preliminaryScan.ts";
export { relatedEntities } from "./relatedEntities.ts";
export { mentionRetyping } from "./mentionRetyping.ts";
export { transcription } from "./transcription.ts";
