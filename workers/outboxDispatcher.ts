import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import type { Logger } from "pino";
import {
  deleteOutbox,
  listenToOutbox,
  lockOutbox,
  type OutboxListener,
  type OutboxMessage,
} from "../database/outbox.ts";
import type { Queryable } from "../database/pool.ts";
import type { Settings } from "../domain/configuration.ts";
import type { ServiceContext } from "../services/context.ts";
import { startAlertDelivery } from "./alertStarts.ts";
import { startRotation } from "./rotationStarts.ts";
import { cancelTranscriptionWorkflow, startTranscriptionWorkflow } from "./transcriptionStarts.ts";

const batchSize = 50;
const sweepMilliseconds = 1000;

export interface OutboxDispatcherParts {
  context: ServiceContext;
  client: Client;
  databaseUrl: string;
  logger: Logger;
}

/**
 * Tells Temporal what has been committed: woken by each commit, and by a sweep for what a crash or an outage left untold. A message is
 * deleted only after Temporal has taken it, and telling it twice does no harm.
 */
export class OutboxDispatcher {
  readonly #parts: OutboxDispatcherParts;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #listener: OutboxListener | null = null;
  #wake = Promise.withResolvers<void>();

  constructor(parts: OutboxDispatcherParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  /** Resolves when the batch in hand is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.resolve();
    await this.#running;
    await this.#listener?.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      try {
        this.#listener ??= await this.#listen();
        while ((await dispatchBatch(this.#parts)) === batchSize);
      } catch (error) {
        this.#parts.logger.warn({ err: error }, "outbox not dispatched, trying again");
      }
      await Promise.race([this.#wake.promise, sleep(sweepMilliseconds)]);
    }
  }

  #listen(): Promise<OutboxListener> {
    return listenToOutbox(
      this.#parts.databaseUrl,
      () => this.#wake.resolve(),
      () => {
        this.#listener = null;
      },
    );
  }
}

/** Tells one batch; returns how many were told. What Temporal would not take stays for the next sweep. */
async function dispatchBatch({ context, client, logger }: OutboxDispatcherParts): Promise<number> {
  return context.pool.transaction(async (transaction) => {
    const messages = await lockOutbox(transaction, batchSize);
    const told = await Promise.all(
      messages.map(async (message) => {
        try {
          return (await dispatch(transaction, context.settings, client, message)) ? message.id : null;
        } catch (error) {
          logger.warn(
            { err: error, kind: message.kind, subject: message.subject },
            "outbox message not taken, trying again",
          );
          return null;
        }
      }),
    );
    const done = told.filter((id) => id !== null);
    await deleteOutbox(transaction, done);
    return done.length;
  });
}

function dispatch(db: Queryable, settings: Settings, client: Client, message: OutboxMessage): Promise<boolean> {
  switch (message.kind) {
    case "transcription.start":
      return startTranscriptionWorkflow(db, settings, client, message.subject);
    case "transcription.cancel":
      return cancelTranscriptionWorkflow(db, client, message.subject);
    case "alert.start":
      return startAlertDelivery(db, client, message.subject);
    case "rotation.start":
      return startRotation(db, client, message.subject);
  }
}
