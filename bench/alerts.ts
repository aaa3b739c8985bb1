import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, Connection } from "@temporalio/client";
import { z } from "zod";
import { count, sql } from "../database/pool.ts";
import { Installation } from "../test/builders/installation.ts";
import { type PartName, runningParts } from "../test/environment/startedSystem.ts";
import { type Receivers, startReceivers } from "./alerts/startReceivers.ts";
import { addVideo, createWatchers, speakOf, type Watchers } from "./alerts/watchers.ts";
import { processorSeconds } from "./processTree.ts";

export interface AlertBenchOptions {
  occurrences: number;
  accounts: number;
  rounds: number;
  single: number;
}

interface Parts {
  installation: Installation;
  receivers: Receivers;
  bareWorker: ChildProcess;
  client: Client;
  watchers: Watchers;
}

/**
 * Occurrences of one video through all three channels, from the commit of the evidence until every receiver has been served and every
 * workflow is closed, against as many bare workflows of one activity on the same Temporal server, in turns; then one occurrence at a time,
 * from the commit to the arrival of its webhook. The product runs under `npm start`; receivers and bare workflows in processes of their own.
 */
export async function benchAlerts(options: AlertBenchOptions): Promise<void> {
  const receivers = await startReceivers();
  const installation = await Installation.start({
    SMTP_URL: receivers.smtpUrl,
    OUTBOUND_ALLOWED_CIDRS: "127.0.0.0/8",
    SPEECH_ENGINE: "none",
    LOG_LEVEL: "warn",
  });
  const address = installation.running.temporalAddress;
  const connection = await Connection.connect({ address });
  const bareWorker = fork(path.join(import.meta.dirname, "alerts/bareWorker.ts"), {
    env: { ...process.env, TEMPORAL_ADDRESS: address },
  });
  await once(bareWorker, "message");

  try {
    const entities = Math.ceil(options.occurrences / options.accounts);
    const watchers = await createWatchers(installation, receivers, { accounts: options.accounts, entities });

    const parts = { installation, receivers, bareWorker, client: new Client({ connection }), watchers };
    await compare(parts, options);
    await follow(parts, options.single);
  } finally {
    bareWorker.disconnect();
    await connection.close();
    await installation.stop();
    await receivers.stop();
  }
}

interface Turn {
  perSecond: number;
  /** What each has cost, by what. */
  costs: Record<string, number>;
}

async function compare(parts: Parts, { accounts, rounds }: AlertBenchOptions): Promise<void> {
  const occurrences = parts.watchers.entityIds.length * accounts;
  const turns = {
    bare: (name: string) => measure(parts, occurrences, () => runBare(parts, `bare-${name}`, occurrences)),
    alerts: (name: string) => measure(parts, occurrences, () => runAlerts(parts, name)),
  };
  // The first of either warms up caches and compilers.
  await turns.bare("warm");
  await turns.alerts("warm");
  const seen: Record<keyof typeof turns, Turn[]> = { bare: [], alerts: [] };
  for (let round = 0; round < rounds; round += 1) {
    const [bare, alerts] = [await turns.bare(`${round}`), await turns.alerts(`${round}`)];
    seen.bare.push(bare);
    seen.alerts.push(alerts);
    console.log(`round ${round + 1}: bare ${bare.perSecond.toFixed(0)}/s, alerts ${alerts.perSecond.toFixed(0)}/s`);
  }
  const [floor, rate] = [seen.bare, seen.alerts].map((of) => median(of.map(({ perSecond }) => perSecond)));
  console.log(
    `\n${occurrences} at once, of ${accounts} accounts, by mail, chat and webhook; medians of ${rounds} rounds: ` +
      `alerts ${rate?.toFixed(0)}/s, bare workflows of one activity ${floor?.toFixed(0)}/s, ratio ${((rate ?? 0) / (floor ?? 1)).toFixed(2)}. Each costs:`,
  );
  console.table({ bare: medianCosts(seen.bare), alerts: medianCosts(seen.alerts) });
}

function medianCosts(turns: readonly Turn[]): Record<string, string> {
  const names = Object.keys(turns[0]?.costs ?? {});
  return Object.fromEntries(names.map((name) => [name, median(turns.map(({ costs }) => costs[name] ?? 0)).toFixed(2)]));
}

async function measure(parts: Parts, made: number, run: () => Promise<void>): Promise<Turn> {
  const before = await spent(parts);
  const start = performance.now();
  await run();
  const seconds = (performance.now() - start) / 1000;
  const after = await spent(parts);
  const costs = Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / made]);
  return { perSecond: made / seconds, costs: Object.fromEntries(costs) };
}

async function runBare({ bareWorker, client }: Parts, prefix: string, workflows: number): Promise<void> {
  const before = await client.workflow.count(closed("bare"));
  bareWorker.send({ prefix, workflows });
  await until(async () => (await client.workflow.count(closed("bare"))).count - before.count >= workflows);
}

/** The writing of the evidence, and of the occurrences with it, is a part of it. */
async function runAlerts({ client, receivers, watchers }: Parts, videoId: string): Promise<void> {
  const before = await client.workflow.count(closed("alertDelivery"));
  await receivers.forget();
  await addVideo(watchers.context, videoId);
  const fired = await speakOf(watchers.context, videoId, watchers.entityIds);
  await until(async () => (await client.workflow.count(closed("alertDelivery"))).count - before.count >= fired);
  const arrived = await receivers.counts();
  if (arrived.some((of) => of !== fired)) throw new Error(`of ${fired} there arrived ${arrived.join(", ")}`);
}

const closed = (type: string) => `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

/** What has been spent so far: processor time of each part, and what Postgres has done. */
async function spent({ installation, receivers, bareWorker }: Parts): Promise<Record<string, number>> {
  // Backends report what they did about once a second.
  await sleep(1500);
  const running = runningParts(installation.where.home);
  const named: readonly PartName[] = ["temporal", "postgres", "workers"];
  const processors = [
    ...named.map((name) => [name, running[name]?.pid ?? 0] as const),
    ["bare worker", bareWorker.pid ?? 0] as const,
    ["receivers", receivers.process.pid ?? 0] as const,
  ];
  const postgres = await installation.context.pool.one(sql.type(z.object({ commits: count, flushes: count }))`
    select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
      (select sum(fsyncs)::int8 from pg_stat_io where object = 'wal') as flushes`);
  return {
    ...Object.fromEntries(processors.map(([name, pid]) => [`${name} ms`, processorSeconds(pid) * 1000])),
    transactions: postgres.commits,
    flushes: postgres.flushes,
  };
}

async function follow({ receivers, watchers }: Parts, single: number): Promise<void> {
  const [entityId] = watchers.entityIds;
  if (entityId === undefined) return;
  const { accountId } = { accountId: watchers.accountIds[0] };
  // Of one account alone, so that each video fires once.
  await watchers.context.pool.query(sql.typeAlias("void")`
    update tracker set paused_at = now() where account_id <> ${accountId ?? ""}`);
  const milliseconds: number[] = [];
  for (let made = 0; made < single; made += 1) {
    await receivers.forget();
    await addVideo(watchers.context, `single-${made}`);
    await speakOf(watchers.context, `single-${made}`, [entityId]);
    const committedAt = process.hrtime.bigint();
    await until(async () => (await receivers.counts()).every((of) => of === 1));
    const [webhook] = Object.values((await receivers.arrivals()).webhooks);
    milliseconds.push(Number(BigInt(webhook?.firstAtNanoseconds ?? 0) - committedAt) / 1e6);
  }
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(0);
  console.log(
    `${single} one at a time, from the commit to the arrival of the webhook: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`,
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
