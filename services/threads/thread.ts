import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** What is handed to a thread in one go: the process cannot do anything else while it is copied. */
const itemsPerMessage = 500;

/** A thread of the process that answers one message at a time. */
export interface Thread<Message, Answer> {
  post(message: Message): void;
  /** Posts many things in parts, and takes turns with others between them. */
  postAll<T>(items: readonly T[], message: (items: readonly T[]) => Message): Promise<void>;
  /** Throws what the thread throws. */
  answer(): Promise<Answer>;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs `use` with a thread of this script, which ends with it. One thread at a time: they are for what is rare and large, and need memory. */
export async function withThread<Message, Answer, T>(
  script: URL,
  use: (thread: Thread<Message, Answer>) => Promise<T>,
): Promise<T> {
  const mine = last.then(async () => {
    const worker = new Worker(script);
    // What fails between two answers is told by the next.
    const failed = new Promise<never>((_resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended before it answered")));
    });
    failed.catch(() => undefined);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    const post = (message: Message) => worker.postMessage(message);
    try {
      return await use({
        post,
        postAll: async (items, message) => {
          for (let from = 0; from < items.length; from += itemsPerMessage) {
            post(message(items.slice(from, from + itemsPerMessage)));
            await nextTurn();
          }
        },
        answer: () => Promise.race([failed, new Promise<Answer>((resolve) => void worker.once("message", resolve))]),
      });
    } finally {
      await worker.terminate();
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}
