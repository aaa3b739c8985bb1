import { runWorkers } from "./run.ts";
import { createSpeechWorkers } from "./speechWorkers.ts";

await runWorkers("speech", createSpeechWorkers);
