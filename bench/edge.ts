import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { migrate } from "../database/migrate.ts";
import { count, openPool, type Pool, sql } from "../database/pool.ts";
import { createAccount } from "../services/accounts/createAccount.ts";
import type { ServiceContext } from "../services/context.ts";
import { createKey } from "../services/keys/createKey.ts";
import { startApiProcess } from "../test/builders/apiProcess.ts";
import { publicOnly, testVault } from "../test/builders/context.ts";
import { testSettings } from "../test/builders/settings.ts";
import { type LoadJob, type LoadSeen, loadSeenSchema } from "./edge/load.ts";

export interface EdgeBenchOptions {
  rounds: number;
  seconds: number;
  connections: number;
  poolSize: number;
}

const entities = 100_000;
const accounts = 16;
const keysOfAccount = 4;

interface Target {
  name: string;
  url: string;
  requests: LoadJob["requests"];
}

interface Measured extends LoadSeen {
  roundTrips: number;
}

/**
 * The API process against a bare Express handler that does the same single read through slonik: same database (durable, as an installation
 * has it), same pool size, same load generator, in turns. The bare handler checks no key and writes nothing.
 */
export async function benchEdge(options: EdgeBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  await migrate(postgres.url);
  const pool = await openPool(postgres.url, { maxConnections: 2 });
  const children: ChildProcess[] = [];
  try {
    const keys = await prepare({
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    });
    const settings = path.join(home, "settings.json");
    await writeFile(settings, JSON.stringify({ rateLimitPerMinute: { enterprise: 100_000_000 } }));
    const { api, url } = await startApiProcess(postgres.url, home, {
      MEDIA_INDEX_SETTINGS: settings,
      DATABASE_POOL_SIZE: String(options.poolSize),
    });
    children.push(api);
    const bare = fork(path.join(import.meta.dirname, "edge/bareServer.ts"), {
      env: {
        ...process.env,
        DATABASE_URL: postgres.url,
        DATABASE_POOL_SIZE: String(options.poolSize),
        BENCH_ACCOUNT: keys.accountId,
      },
    });
    children.push(bare);
    const [message] = await once(bare, "message");
    const bareUrl = z.object({ url: z.string() }).parse(message).url;

    await compare(pool, options, "GET /v1/entities/{id}", [
      { name: "bare", url: bareUrl, requests: reads(["none"]) },
      { name: `edge, ${accounts} accounts, ${accounts * keysOfAccount} keys`, url, requests: reads(keys.many) },
      { name: "edge, one account, one key", url, requests: reads(keys.many.slice(0, 1)) },
    ]);
    await compare(pool, options, "GET /v1/me", [
      { name: "bare", url: bareUrl, requests: [{ path: "/v1/me", key: "none" }] },
      {
        name: `edge, ${accounts * keysOfAccount} keys`,
        url,
        requests: keys.many.map((key) => ({ path: "/v1/me", key })),
      },
      { name: "edge, one key", url, requests: keys.many.slice(0, 1).map((key) => ({ path: "/v1/me", key })) },
    ]);
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map(ended));
    await pool.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function prepare(context: ServiceContext): Promise<{ accountId: string; many: string[] }> {
  await context.pool.query(sql.typeAlias("void")`
    insert into entity (name, type, slug, url, image_url, description, mention_count)
    select 'Entity ' || n, 'organization', 'entity-' || n, 'https://example.com/' || n, 'https://images.example.com/' || n, 'What it is', n
    from generate_series(1, ${entities}::int4) as n`);
  await context.pool.query(sql.typeAlias("void")`vacuum analyze entity`);
  const many: string[] = [];
  let accountId = "";
  for (let made = 0; made < accounts; made += 1) {
    ({ accountId } = await createAccount(context, {
      email: `bench${made}@example.com`,
      tier: "enterprise",
      monthlyRows: 1_000_000_000,
    }));
    for (let key = 0; key < keysOfAccount; key += 1) many.push((await createKey(context, { accountId })).key);
  }
  return { accountId, many };
}

/** Entities all over the table, keys in turn. */
function reads(keys: readonly string[]): LoadJob["requests"] {
  return Array.from({ length: 4096 }, (_, index) => ({
    path: `/v1/entities/ent_${1 + ((index * 7919) % entities)}`,
    key: keys[index % keys.length] ?? "",
  }));
}

async function compare(
  pool: Pool,
  options: EdgeBenchOptions,
  title: string,
  targets: readonly Target[],
): Promise<void> {
  const seen = new Map<Target, Measured[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < options.rounds; round += 1)
    for (const target of targets) seen.get(target)?.push(await measure(pool, options, target));
  const medians = targets.map((target) => {
    const rounds = seen.get(target) ?? [];
    return {
      target,
      rate: median(rounds.map((round) => round.requestsPerSecond)),
      p50: median(rounds.map((round) => round.p50Milliseconds)),
      p99: median(rounds.map((round) => round.p99Milliseconds)),
      roundTrips: median(rounds.map((round) => round.roundTrips)),
    };
  });
  const floor = medians[0];
  console.log(
    `\n${title}: medians of ${options.rounds} rounds of ${options.seconds} s, ${options.connections} connections`,
  );
  console.table(
    Object.fromEntries(
      medians.map(({ target, rate, p50, p99, roundTrips }) => [
        target.name,
        {
          "requests/s": Math.round(rate),
          "of bare": (rate / (floor?.rate ?? rate)).toFixed(2),
          "p50 ms": p50.toFixed(1),
          "p99 ms": p99.toFixed(1),
          "p99 to bare": (p99 / (floor?.p99 ?? p99)).toFixed(2),
          "round trips/request": roundTrips.toFixed(2),
        },
      ]),
    ),
  );
}

async function measure(pool: Pool, options: EdgeBenchOptions, target: Target): Promise<Measured> {
  const before = await committed(pool);
  const seen = await load({ ...options, warmupSeconds: 1 }, target);
  // A backend reports its transactions with the first one after a second; a few more requests make all of them report.
  await sleep(1200);
  await load({ ...options, seconds: 0.1, warmupSeconds: 0 }, target);
  const roundTrips = ((await committed(pool)) - before) / seen.answers;
  if (seen.failures > 0) throw new Error(`${target.name}: ${seen.failures} answers were not 200`);
  return { ...seen, roundTrips };
}

/** Every statement of the servers is a transaction of its own, so those committed are the round trips. */
async function committed(pool: Pool): Promise<number> {
  return pool.oneFirst(sql.type(z.object({ count }))`
    select xact_commit as count from pg_stat_database where datname = current_database()`);
}

async function load(
  options: EdgeBenchOptions & { warmupSeconds: number },
  { url, requests }: Target,
): Promise<LoadSeen> {
  const { hostname, port } = new URL(url);
  const child = fork(path.join(import.meta.dirname, "edge/load.ts"));
  const answer = once(child, "message");
  child.send({
    host: hostname,
    port: Number(port),
    connections: options.connections,
    seconds: options.seconds,
    warmupSeconds: options.warmupSeconds,
    requests,
  } satisfies LoadJob);
  const [message] = await answer;
  return loadSeenSchema.parse(message);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
