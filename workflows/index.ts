export { idempotencyPurge } from "./idempotencyPurge.ts";
export { mentionRetyping } from "./mentionRetyping.ts";
export { transcription } from "./transcription.ts";
