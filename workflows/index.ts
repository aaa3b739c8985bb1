export { transcription } from "./transcription.ts";
