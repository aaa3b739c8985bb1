import { parentPort } from "node:worker_threads";
import { pairWords, type WordsToPair } from "../../domain/corrections/alignment.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (words: WordsToPair) => parentPort?.postMessage(pairWords(words)));
