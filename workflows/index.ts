export { idempotencyPurge } from "./idempotencyPurge.ts";
export { transcription } from "./transcription.ts";
export { webhookSecretRotation } from "./webhookSecretRotation.ts";
