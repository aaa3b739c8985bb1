import { setTimeout as sleep } from "node:timers/promises";
import { type Client, isGrpcServiceError } from "@temporalio/client";
import type { Logger } from "pino";
import {
  deleteOutbox,
  listenToOutbox,
  lockOutbox,
  type OutboxListener,
  type OutboxMessage,
  postponeOutbox,
} from "../database/outbox.ts";
import type { Transaction } from "../database/pool.ts";
import type { Settings } from "../domain/configuration.ts";
import type { ServiceContext } from "../services/context.ts";
import { startAlertDelivery } from "./alertStarts.ts";
import { startReview } from "./reviewStarts.ts";
import { startRotation } from "./rotationStarts.ts";
import { applyChannelSchedule } from "./channelSchedules.ts";
import { startScanWorkflow } from "./scanStarts.ts";
import { cancelTranscriptionWorkflow, startTranscriptionWorkflow } from "./transcriptionStarts.ts";

const batchSize = 50;
const sweepMilliseconds = 1000;
/** DEADLINE_EXCEEDED and UNAVAILABLE of gRPC (https://grpc.github.io/grpc/core/md_doc_statuscodes.html). */
const unreachableCodes: ReadonlySet<number> = new Set([4, 14]);

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

/** What became of a message: Temporal took it, would not have it now, or was not there to be asked. */
type Telling = "told" | "refused" | "unreachable";

/**
 * Tells one batch; returns how many messages that settled. What Temporal refuses waits its time, and others get their turn; while it is
 * away nothing is put off, so that all goes out as soon as it is back.
 */
async function dispatchBatch(parts: OutboxDispatcherParts): Promise<number> {
  return parts.context.pool.transaction(async (transaction) => {
    const messages = await lockOutbox(transaction, batchSize);
    const tellings = await Promise.all(
      messages.map(async (message) => ({ id: message.id, telling: await tell(parts, transaction, message) })),
    );
    const idsOf = (wanted: Telling) => tellings.flatMap(({ id, telling }) => (telling === wanted ? [id] : []));
    await deleteOutbox(transaction, idsOf("told"));
    await postponeOutbox(transaction, idsOf("refused"));
    return messages.length - idsOf("unreachable").length;
  });
}

async function tell(
  { context, client, logger }: OutboxDispatcherParts,
  transaction: Transaction,
  message: OutboxMessage,
): Promise<Telling> {
  try {
    return (await dispatch(transaction, context.settings, client, message)) ? "told" : "refused";
  } catch (error) {
    const { kind, subject } = message;
    logger.warn({ err: error, kind, subject }, "outbox message not taken, trying again");
    return isUnreachable(error) ? "unreachable" : "refused";
  }
}

/** The client wraps what the connection says in errors of its own. */
function isUnreachable(error: unknown): boolean {
  if (isGrpcServiceError(error)) return unreachableCodes.has(error.code);
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause);
}

function dispatch(db: Transaction, settings: Settings, client: Client, message: OutboxMessage): Promise<boolean> {
  switch (message.kind) {
    case "transcription.start":
      return startTranscriptionWorkflow(db, settings, client, message.subject);
    case "transcription.cancel":
      return cancelTranscriptionWorkflow(db, client, message.subject);
    case "alert.start":
      return startAlertDelivery(db, client, message.subject);
    case "rotation.start":
      return startRotation(db, client, message.subject);
    case "review.start":
      return startReview(db, client, Number(message.subject));
    case "scan.start":
      return startScanWorkflow(db, settings, client, message.subject);
    case "channel.schedule":
      return applyChannelSchedule(db, client, message.subject);
  }
}
