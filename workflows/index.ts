export { brandProfiles } from "./brandProfiles.ts";
export { idempotencyPurge } from "./idempotencyPurge.ts";
export { imageResolution } from "./imageResolution.ts";
export { relatedEntities } from "./relatedEntities.ts";
export { transcription } from "./transcription.ts";
