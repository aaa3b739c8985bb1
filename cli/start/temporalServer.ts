import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "@temporalio/client";
import { isFree } from "../../adapters/ports.ts";
import { choosePort } from "./ports.ts";
import { gentleEnding } from "./processIdentity.ts";
import { endOrphan, foundPortTaken, hasExited, lastLogLines, spawnRecorded } from "./processes.ts";
import { supervise } from "./supervise.ts";

export interface TemporalServerOptions {
  home: string;
  /** Path of the Temporal CLI. */
  cli: string;
  /** Preferred ports; others are taken when these are in use. */
  port: number;
  uiPort: number;
  namespace?: string;
  /** Search attributes that the namespace must have, all of type Keyword. */
  keywordSearchAttributes?: readonly string[];
  /** false: everything in memory and no UI. For tests. */
  durable?: boolean;
  note?: (text: string) => void;
  /** Gives up a first start that is still under way. */
  signal?: AbortSignal;
}

export interface TemporalServer {
  address: string;
  /** Undefined without the UI. */
  uiUrl: string | undefined;
  readonly pid: number | undefined;
  stop(force?: boolean): Promise<void>;
}

const name = "temporal";
const ending = gentleEnding(15);
const readySeconds = 60;
// INDEXED_VALUE_TYPE_KEYWORD of Temporal's protocol.
const indexedValueTypeKeyword = 2;

/**
 * Starts a local Temporal server with its data in `<home>/temporal` and keeps it running. One that a killed starter left is ended
 * first. Returns when the namespace answers. Throws with the end of the server's log when it does not start.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { home, cli, namespace = "default", keywordSearchAttributes = [], durable = true } = options;
  const folder = path.join(home, "temporal");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await endOrphan(home, name, ending);
  let port = await choosePort(home, name, options.port);
  let uiPort = durable ? await choosePort(home, "temporalUi", options.uiPort) : undefined;
  let settled = false;
  const { service, ready } = supervise({
    name,
    ending,
    note: options.note ?? (() => undefined),
    launch: async (own) => {
      for (let attempt = 1; ; attempt++) {
        const args = [
          "server",
          "start-dev",
          "--ip",
          "127.0.0.1",
          "--port",
          String(port),
          "--log-level",
          "warn",
          "--namespace",
          namespace,
        ];
        if (durable)
          args.push(
            "--db-filename",
            path.join(folder, "temporal.db"),
            "--sqlite-pragma",
            "journal_mode=wal",
            "--sqlite-pragma",
            "synchronous=normal",
          );
        if (uiPort === undefined) args.push("--headless");
        else args.push("--ui-port", String(uiPort));
        const child = spawnRecorded({
          home,
          name,
          command: cli,
          args,
          environment: process.env,
          workingFolder: folder,
        });
        own(child);
        const exited = () => {
          if (!settled) options.signal?.throwIfAborted();
          return hasExited(child);
        };
        if (await becomesReady(`127.0.0.1:${port}`, namespace, keywordSearchAttributes, exited)) return;
        // Somebody may have taken a port between the choice and the start, for a moment too, and the server takes some for itself.
        const portTaken =
          foundPortTaken(home, name) || !(await isFree(port)) || (uiPort !== undefined && !(await isFree(uiPort)));
        if (!portTaken || attempt === 5)
          throw new Error(`the Temporal server does not start:\n${lastLogLines(home, name)}`);
        if (!settled) {
          port = await choosePort(home, name, port);
          if (uiPort !== undefined) uiPort = await choosePort(home, "temporalUi", uiPort);
        }
        await sleep(500);
      }
    },
  });
  try {
    await ready;
    settled = true;
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    address: `127.0.0.1:${port}`,
    uiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
    get pid() {
      return service.pid;
    },
    stop: (force) => service.stop(force),
  };
}

/** Waits until the namespace is there and has the search attributes. False when the server exited first. */
async function becomesReady(
  address: string,
  namespace: string,
  attributes: readonly string[],
  exited: () => boolean,
): Promise<boolean> {
  // Loaded while the server starts: the client is slow to load and not needed before.
  const { Connection } = await import("@temporalio/client");
  const deadline = performance.now() + readySeconds * 1000;
  while (!exited()) {
    let connection: Connection | undefined;
    try {
      connection = await Connection.connect({ address, connectTimeout: 1000 });
      await connection.workflowService.describeNamespace({ namespace });
      await registerKeywordAttributes(connection, namespace, attributes);
      return !exited();
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error("the Temporal server runs but does not answer", { cause: error });
      await sleep(100);
    } finally {
      await connection?.close().catch(() => undefined);
    }
  }
  return false;
}

/** Adds the search attributes that the namespace lacks; works on a fresh server and on one with data alike. */
export async function registerKeywordAttributes(
  connection: Connection,
  namespace: string,
  attributes: readonly string[],
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = attributes.filter((attribute) => !(attribute in (customAttributes ?? {})));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((attribute) => [attribute, indexedValueTypeKeyword]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
