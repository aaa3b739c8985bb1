import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { migrate } from "../database/migrate.ts";
import { openPool } from "../database/pool.ts";
import { publicOnly, testVault } from "../test/builders/context.ts";
import { createAccount } from "../services/accounts/createAccount.ts";
import { createKey } from "../services/keys/createKey.ts";
import { startApiProcess } from "../test/builders/apiProcess.ts";
import { testSettings } from "../test/builders/settings.ts";
import { measureAccuracy } from "./search/accuracy.ts";
import { addTrigramIndex, measureTrigrams } from "./search/floor.ts";
import { loadEntities } from "./search/load.ts";
import { makeQueries, makeTypoQueries } from "./search/queries.ts";
import { runLoad } from "./edge/runLoad.ts";

export interface SearchBenchOptions {
  entities: number;
  queries: number;
  clients: number;
  seconds: number;
}

const seedOfAccuracy = 11;
const bars = { searchP95: 25, lookupP95: 5, floorRatio: 5, first: 0.95, firstFive: 0.99 };

/**
 * Search and lookup through the API process on a database of its own, durable as an installation has it; then, on the same database, the
 * plain trigram query straight against Postgres with as many clients, and how often a name with one typing error finds its entity.
 */
export async function benchSearch(options: SearchBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  await migrate(postgres.url);
  const pool = await openPool(postgres.url, {
    maxConnections: options.clients,
    statementTimeoutMilliseconds: 600_000,
  });
  const stops: (() => Promise<unknown>)[] = [
    () => rm(home, { recursive: true, force: true }),
    () => postgres.stop(),
    () => pool.end(),
  ];
  try {
    const entities = await loadEntities(pool, options.entities);
    const context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
    const { accountId } = await createAccount(context, { email: "bench@example.com", tier: "enterprise" });
    const { key } = await createKey(context, { accountId });
    const settings = path.join(home, "settings.json");
    await writeFile(settings, JSON.stringify({ rateLimitPerMinute: { enterprise: 100_000_000 } }));
    const { api, url } = await startApiProcess(postgres.url, home, { MEDIA_INDEX_SETTINGS: settings });
    const ended = once(api, "exit");
    stops.push(() => (api.kill() ? ended : Promise.resolve()));

    const queries = makeQueries(entities, options.queries);
    const load = { connections: options.clients, seconds: options.seconds, warmupSeconds: 2 };
    const searched = async (texts: readonly string[]) =>
      runLoad({
        ...load,
        url,
        requests: texts.map((q) => ({ path: `/v1/entities/search?q=${encodeURIComponent(q)}`, key })),
      });
    const table = new Map<string, { p50: number; p95: number; rate: number }>();
    for (const [name, texts] of [
      ["one typo", queries.typo],
      ["two words", queries.twoWords],
      ["prefix", queries.prefix],
      ["alias", queries.alias],
    ] as const)
      table.set(`search, ${name}`, await searched(texts).then(figures));
    table.set(
      "lookup",
      figures(
        await runLoad({
          ...load,
          url,
          requests: queries.lookup.map((name) => ({
            path: `/v1/entities/lookup?name=${encodeURIComponent(name)}`,
            key,
          })),
        }),
      ),
    );
    const accuracy = await measureAccuracy(url, key, makeTypoQueries(entities, 1000, seedOfAccuracy));
    await addTrigramIndex(pool);
    const floor = await measureTrigrams(pool, {
      texts: queries.typo,
      clients: options.clients,
      seconds: options.seconds,
    });
    table.set("floor: name % q, one typo", floor);
    report(options, table, accuracy);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function figures(seen: {
  p50Milliseconds: number;
  p95Milliseconds: number;
  requestsPerSecond: number;
  failures: number;
}) {
  if (seen.failures > 0) throw new Error(`${seen.failures} answers were not 200`);
  return { p50: seen.p50Milliseconds, p95: seen.p95Milliseconds, rate: seen.requestsPerSecond };
}

function report(
  options: SearchBenchOptions,
  table: ReadonlyMap<string, { p50: number; p95: number; rate: number }>,
  accuracy: { first: number; firstFive: number; queries: number },
): void {
  console.log(`\n${options.entities} entities, ${options.clients} clients, ${options.seconds} s each`);
  const floor = table.get("floor: name % q, one typo")?.p95 ?? Number.NaN;
  console.table(
    Object.fromEntries(
      [...table].map(([name, { p50, p95, rate }]) => [
        name,
        {
          "p50 ms": p50.toFixed(1),
          "p95 ms": p95.toFixed(1),
          "bar ms": name.startsWith("search") ? bars.searchP95 : name === "lookup" ? bars.lookupP95 : "",
          "requests/s": Math.round(rate),
          [`faster than the floor at p95 (bar ${bars.floorRatio}×)`]: name.startsWith("search")
            ? `${(floor / p95).toFixed(1)}×`
            : "",
        },
      ]),
    ),
  );
  console.table({
    [`intended entity first, of ${accuracy.queries} names with one typo`]: {
      share: share(accuracy.first),
      bar: share(bars.first),
    },
    "intended entity in the first five": { share: share(accuracy.firstFive), bar: share(bars.firstFive) },
  });
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
