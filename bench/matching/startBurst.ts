import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client, Connection } from "@temporalio/client";
import { pino } from "pino";
import { z } from "zod";
import { anyFreePort } from "../../adapters/ports.ts";
import { startTemporalServer } from "../../cli/start/temporalServer.ts";
import { ensureTools } from "../../cli/start/tools.ts";
import { count, type Pool, sql } from "../../database/pool.ts";
import { publicOnly, testVault } from "../../test/builders/context.ts";
import { testSettings } from "../../test/builders/settings.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { searchAttributeNames } from "../../workflows/searchAttributes.ts";

export interface StartedBurst {
  /** Workflows that Temporal then has. */
  workflows: number;
  /** Starts that were asked of it. */
  asked: number;
  seconds: number;
  heapBytes: number;
}

setFlagsFromString("--expose-gc");
const collectGarbage = z.function({ output: z.undefined() }).parse(runInNewContext("gc"));

/** What the heap holds beside garbage, which grows with the work and not with what is kept. */
function keptBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Lets the dispatcher start all that waits in the outbox on a Temporal server of its own, where no worker runs. */
export async function startBurst(pool: Pool, databaseUrl: string, home: string): Promise<StartedBurst> {
  const { temporalCli: cli } = await ensureTools(path.resolve(".media-index"), { log: (line) => console.error(line) });
  const [port, uiPort] = [await anyFreePort(), await anyFreePort()];
  const temporal = await startTemporalServer({
    home,
    cli,
    port,
    uiPort,
    keywordSearchAttributes: searchAttributeNames,
  });
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection });
    let asked = 0;
    const start = client.workflow.start.bind(client.workflow);
    client.workflow.start = (...told) => {
      asked += 1;
      return start(...told);
    };
    const left = () => pool.oneFirst(sql.type(z.object({ count }))`select count(*) from outbox`);
    const before = keptBytes();
    let peakBytes = 0;
    const watch = setInterval(() => (peakBytes = Math.max(peakBytes, keptBytes())), 500);
    const begin = performance.now();
    const context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
    const dispatcher = new OutboxDispatcher({ context, client, databaseUrl, logger: pino({ level: "warn" }) });
    while ((await left()) > 0) await sleep(100);
    const seconds = (performance.now() - begin) / 1000;
    clearInterval(watch);
    await dispatcher.stop();
    const known = async () => (await client.workflow.count("WorkflowType = 'alertDelivery'")).count;
    let workflows = await known();
    // What Temporal lists follows its starts after a moment.
    for (let last = -1; last !== workflows; workflows = await known()) {
      last = workflows;
      await sleep(2000);
    }
    return { workflows, asked, seconds, heapBytes: peakBytes - before };
  } finally {
    await connection.close();
    await temporal.stop();
  }
}
