export { idempotencyPurge } from "./idempotencyPurge.ts";
export { relatedEntities } from "./relatedEntities.ts";
export { transcription } from "./transcription.ts";
