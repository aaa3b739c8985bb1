import { setTimeout as sleep } from "node:timers/promises";
import { type Client, isGrpcServiceError } from "@temporalio/client";
import type { Logger } from "pino";
import {
  deleteOutbox,
  listenToOutbox,
  lockOutbox,
  type OutboxKind,
  outboxKinds,
  type OutboxListener,
  type OutboxMessage,
  postponeOutbox,
} from "../database/outbox.ts";
import { type AlertStart, listAlertStarts } from "../database/alerts.ts";
import type { Transaction } from "../database/pool.ts";
import type { Settings } from "../domain/configuration.ts";
import type { ServiceContext } from "../services/context.ts";
import { startAlertDelivery } from "./alertStarts.ts";
import { applyChannelSchedule } from "./channelSchedules.ts";
import { startSingleDelivery } from "./deliveryStarts.ts";
import { startWebhookNotice } from "./noticeStarts.ts";
import { startReview } from "./reviewStarts.ts";
import { startRotation } from "./rotationStarts.ts";
import { startScanWorkflow } from "./scanStarts.ts";
import { startNameTeaching } from "./teachingStarts.ts";
import { cancelTranscriptionWorkflow, startTranscriptionWorkflow } from "./transcriptionStarts.ts";

interface Lane {
  kinds: readonly OutboxKind[];
  batchSize: number;
}

const alerts: Lane = { kinds: ["alert.start"], batchSize: 100 };
const others: Lane = { kinds: outboxKinds.filter((kind) => kind !== "alert.start"), batchSize: 50 };
/** Alerts are waited for, and some of the rest may take seconds. Of two batches of a burst, one is written while Temporal takes the other. */
const lanes: readonly Lane[] = [alerts, alerts, others];

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
  readonly #running: Promise<unknown>;
  #listener: OutboxListener | null = null;
  #listening: Promise<void> | null = null;
  #wake = Promise.withResolvers<void>();

  constructor(parts: OutboxDispatcherParts) {
    this.#parts = parts;
    this.#running = Promise.all(lanes.map((lane) => this.#run(lane)));
  }

  /** Resolves when the batches in hand are done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakeAll();
    await this.#running;
    await this.#listener?.close();
  }

  async #run(lane: Lane): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const woken = this.#wake.promise;
      try {
        await this.#listen();
        while ((await dispatchBatch(this.#parts, lane)) === lane.batchSize && !this.#stop.signal.aborted);
      } catch (error) {
        this.#parts.logger.warn({ err: error }, "outbox not dispatched, trying again");
      }
      await Promise.race([woken, sleep(sweepMilliseconds)]);
    }
  }

  #wakeAll(): void {
    const { resolve } = this.#wake;
    this.#wake = Promise.withResolvers<void>();
    resolve();
  }

  async #listen(): Promise<void> {
    if (this.#listener !== null) return;
    this.#listening ??= this.#open().finally(() => {
      this.#listening = null;
    });
    await this.#listening;
  }

  async #open(): Promise<void> {
    this.#listener = await listenToOutbox(
      this.#parts.databaseUrl,
      () => this.#wakeAll(),
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
async function dispatchBatch(parts: OutboxDispatcherParts, { kinds, batchSize }: Lane): Promise<number> {
  return parts.context.pool.transaction(async (transaction) => {
    const messages = await lockOutbox(transaction, kinds, batchSize);
    const alertStarts = await readAlertStarts(transaction, messages);
    const tellings = await Promise.all(
      messages.map(async (message) => ({
        id: message.id,
        telling: await tell(parts, { transaction, alertStarts }, message),
      })),
    );
    const idsOf = (wanted: Telling) => tellings.flatMap(({ id, telling }) => (telling === wanted ? [id] : []));
    await deleteOutbox(transaction, idsOf("told"));
    await postponeOutbox(transaction, idsOf("refused"));
    return messages.length - idsOf("unreachable").length;
  });
}

/** What the messages of a batch are told from. */
interface Batch {
  transaction: Transaction;
  alertStarts: ReadonlyMap<string, AlertStart>;
}

async function readAlertStarts(
  transaction: Transaction,
  messages: readonly OutboxMessage[],
): Promise<ReadonlyMap<string, AlertStart>> {
  const ids = messages.flatMap(({ kind, subject }) => (kind === "alert.start" ? [subject] : []));
  if (ids.length === 0) return new Map();
  return new Map((await listAlertStarts(transaction, ids)).map((start) => [start.occurrenceId, start]));
}

async function tell(
  { context, client, logger }: OutboxDispatcherParts,
  batch: Batch,
  message: OutboxMessage,
): Promise<Telling> {
  try {
    return (await dispatch(batch, context.settings, client, message)) ? "told" : "refused";
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

async function dispatch(
  { transaction: db, alertStarts }: Batch,
  settings: Settings,
  client: Client,
  message: OutboxMessage,
): Promise<boolean> {
  switch (message.kind) {
    case "transcription.start":
      return startTranscriptionWorkflow(db, settings, client, message.subject);
    case "transcription.cancel":
      return cancelTranscriptionWorkflow(db, client, message.subject);
    case "alert.start": {
      const start = alertStarts.get(message.subject);
      if (start !== undefined) await startAlertDelivery(client, start);
      return true;
    }
    case "delivery.start":
      return startSingleDelivery(db, client, message);
    case "notice.start":
      return startWebhookNotice(db, client, message.subject);
    case "rotation.start":
      return startRotation(db, client, message.subject);
    case "review.start":
      return startReview(db, client, Number(message.subject));
    case "teaching.start":
      return startNameTeaching(db, client, Number(message.subject));
    case "scan.start":
      return startScanWorkflow(db, settings, client, message.subject);
    case "channel.schedule":
      return applyChannelSchedule(db, client, message.subject);
  }
}
