import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { migrate } from "../database/migrate.ts";
import { openPool } from "../database/pool.ts";
import { createAccount } from "../services/accounts/createAccount.ts";
import type { ServiceContext } from "../services/context.ts";
import { publicOnly, testVault } from "../test/builders/context.ts";
import { testSettings } from "../test/builders/settings.ts";
import { generateEvidence } from "./generator/evidence.ts";
import { type Installation, type ListCase, pageRows } from "./lists/listCase.ts";
import { commercialCases } from "./lists/commercialCases.ts";
import { mentionCases } from "./lists/mentionCases.ts";
import { prepareRelated, relatedCases } from "./lists/relatedCases.ts";

export interface ListsBenchOptions {
  /** Sizes to compare: the largest against the smallest. */
  mentions: number[];
  rounds: number;
  /** Only cases whose name holds this. */
  only: string;
  /** Where the databases are kept for the next run; null: nowhere. */
  keep: string | null;
}

const cases: readonly ListCase[] = [...mentionCases, ...commercialCases, ...relatedCases];
const mostRatio = 1.3;

/**
 * The first and the 500th page of every list through its use case, charge included, in databases that differ in size alone. Every page is
 * read in turns from all of them; Postgres does not sync its disk, so that commits do not hide what reading costs.
 */
export async function benchLists(options: ListsBenchOptions): Promise<void> {
  const home =
    options.keep === null ? await mkdtemp(path.join(tmpdir(), "media-index-bench-")) : path.resolve(options.keep);
  await mkdir(home, { recursive: true });
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0, durable: false });
  const installations: Installation[] = [];
  try {
    for (const mentions of options.mentions.toSorted((a, b) => a - b))
      installations.push(await openInstallation(postgres, mentions));
    const chosen = cases.filter(({ name }) => name.includes(options.only));
    if (chosen.length === 0) throw new Error(`no list's name holds "${options.only}"`);
    const results = [];
    for (const each of chosen) results.push(await measure(each, installations, options.rounds));
    console.log(`\np50 in ms over ${options.rounds} reads of ${pageRows} rows each; the bar is ${mostRatio}`);
    console.table(Object.fromEntries(results.flat().map(({ name, columns }) => [name, columns])));
    const over = results.flat().filter(({ ratio }) => ratio > mostRatio);
    const names = (pages: typeof over) => pages.map(({ name }) => name).join("; ") || "none";
    console.log(`over the bar with as many rows: ${names(over.filter(({ isSamePage }) => isSamePage))}`);
    console.log(
      `over the bar where the small index has fewer rows: ${names(over.filter(({ isSamePage }) => !isSamePage))}`,
    );
  } finally {
    for (const { context } of installations) await context.pool.end();
    await postgres.stop();
    if (options.keep === null) await rm(home, { recursive: true, force: true });
  }
}

async function openInstallation(postgres: EmbeddedPostgres, mentions: number): Promise<Installation> {
  const name = `lists_${mentions}`;
  const url = new URL(postgres.url);
  url.pathname = name;
  if (!(await exists(postgres, name))) {
    const loading = new URL(url);
    loading.pathname = `${name}_loading`;
    await onServer(postgres, `drop database if exists ${name}_loading with (force)`);
    await onServer(postgres, `create database ${name}_loading`);
    await load(loading.href, mentions);
    await onServer(postgres, `alter database ${name}_loading rename to ${name}`);
  }
  const pool = await openPool(url.href, { maxConnections: 2 });
  const context: ServiceContext = {
    pool,
    settings: testSettings(),
    clock: () => new Date(),
    vault: testVault(),
    outbound: publicOnly,
  };
  await prepareRelated(context);
  const { accountId } = await createAccount(context, { email: `bench-${Date.now()}@example.com`, tier: "enterprise" });
  return {
    mentions,
    context,
    caller: {
      accountId,
      keyId: "key_bench",
      tier: "enterprise",
      scopes: ["read", "recommendations:read"],
      requestId: "req_bench",
      allowance: { poolRows: Number.MAX_SAFE_INTEGER, onDemandLimitRows: 0 },
      use: { rowsUsed: 0, onDemandRows: 0 },
    },
  };
}

async function load(url: string, mentions: number): Promise<void> {
  const start = performance.now();
  await migrate(url);
  const pool = await openPool(url, { maxConnections: 4, statementTimeoutMilliseconds: 3_600_000 });
  await generateEvidence({ url, pool }, mentions);
  await pool.end();
  console.log(`${mentions} mentions made and indexed in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

/** Times of one page in one database. */
interface Reads {
  read: () => Promise<number>;
  rows: number;
  milliseconds: number[];
}

const warmUps = 5;
const reads = (read: () => Promise<number>): Reads => ({ read, rows: 0, milliseconds: [] });

async function measure(each: ListCase, installations: readonly Installation[], rounds: number) {
  const lists: { mentions: number; offset: number; first: Reads; deep: Reads }[] = [];
  for (const installation of installations) {
    const opened = await each.open(installation);
    lists.push({
      mentions: installation.mentions,
      offset: opened.deepOffset,
      first: reads(opened.readFirst),
      deep: reads(opened.readDeep),
    });
  }
  for (let round = -warmUps; round < rounds; round += 1)
    for (const page of ["first", "deep"] as const)
      for (const list of lists) {
        const start = performance.now();
        list[page].rows = await list[page].read();
        if (round >= 0) list[page].milliseconds.push(performance.now() - start);
      }
  const row = (page: "first" | "deep", name: string) => {
    const medians = lists.map((list) => median(list[page].milliseconds));
    const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
    return {
      name,
      ratio,
      isSamePage: new Set(lists.map((list) => list[page].rows)).size === 1,
      columns: {
        rows: lists.map((list) => list[page].rows).join("/"),
        ...Object.fromEntries(lists.map(({ mentions }, index) => [`at ${mentions}`, (medians[index] ?? 0).toFixed(2)])),
        ratio: ratio.toFixed(2),
      },
    };
  };
  const offsets = lists.map(({ offset }) => offset + 1).join("/");
  return [row("first", each.name), row("deep", `${each.name}, from row ${offsets}`)];
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function exists(postgres: EmbeddedPostgres, name: string): Promise<boolean> {
  return (await onServer(postgres, "select from pg_database where datname = $1", [name])) > 0;
}

async function onServer(postgres: EmbeddedPostgres, statement: string, values: string[] = []): Promise<number> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
