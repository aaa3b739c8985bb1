import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { migrate } from "../database/migrate.ts";
import { count, openPool, type Pool, sql } from "../database/pool.ts";
import { matchTrackers } from "../services/alerts/matchTrackers.ts";
import { startBurst } from "./matching/startBurst.ts";

export interface MatchingBenchOptions {
  few: number;
  many: number;
  burst: number;
  rounds: number;
}

/** Of a video, and of the trackers on each of them. */
const spokenEntities = 50;
const trackersOfSpoken = 2;
const mentionsOfEntity = 4;
/** Trackers of one account are on different entities. */
const accounts = 1000;

/**
 * Matching a video against few and against many trackers, of which the same number match; then a burst of trackers that all match. Times are
 * those of `matchTrackers` alone, in a transaction that is rolled back, on a durable Postgres that has seen each table analysed. The burst is then started on a Temporal server.
 */
export async function benchMatching(options: MatchingBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  await migrate(postgres.url);
  const pool = await openPool(postgres.url, { maxConnections: 6, statementTimeoutMilliseconds: 600_000 });
  try {
    const spoken = spokenEntities * trackersOfSpoken;
    await prepare(pool, Math.ceil(options.many / accounts) + spokenEntities + 1);
    await addTrackers(pool, 0, options.few - spoken);
    const few = await measure(pool, options);
    await addTrackers(pool, options.few - spoken, options.many - spoken);
    const many = await measure(pool, options);
    console.table({ [`${options.few} trackers`]: few, [`${options.many} trackers`]: many });
    console.log(
      `${spokenEntities} entities, ${spoken} of the trackers match: ${(many["median ms"] / few["median ms"]).toFixed(2)} times the time`,
    );
    await benchBurst(pool, options.burst, { databaseUrl: postgres.url, home });
  } finally {
    await pool.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/** The first entities are spoken of in every video, by two accounts' trackers each; the others' trackers never match. */
async function prepare(pool: Pool, entities: number): Promise<void> {
  const statements = [
    sql.typeAlias("void")`insert into account (id, email, tier) select 'usr_' || n, 'bench@example.com', 'pro'
      from generate_series(0, ${Math.max(accounts, 100_000) - 1}::int4) as n`,
    sql.typeAlias("void")`insert into entity (id, name, type, slug) select n, 'Entity ' || n, 'person', 'entity-' || n
      from generate_series(1, ${entities}::int4) as n`,
    sql.typeAlias("void")`insert into channel (id, name) values ('channel', 'Channel')`,
    sql.typeAlias("void")`insert into tracker (id, account_id, entity_id, filters, created_at, updated_at)
      select 'trk_match_' || entity || '_' || account, 'usr_' || account, entity, '{"query":"engine* OR merger"}', now(), now()
      from generate_series(1, ${spokenEntities}::int4) as entity, generate_series(1, ${trackersOfSpoken}::int4) as account`,
    sql.typeAlias("void")`vacuum analyze account, entity, tracker`,
  ];
  for (const statement of statements) await pool.query(statement);
}

async function addTrackers(pool: Pool, from: number, to: number): Promise<void> {
  await pool.query(sql.typeAlias("void")`
    insert into tracker (id, account_id, entity_id, filters, created_at, updated_at)
    select 'trk_' || n, 'usr_' || n % ${accounts}::int4, ${spokenEntities}::int4 + 1 + n / ${accounts}::int4, '{"query":"engine* OR merger"}', now(), now()
    from generate_series(${from}::int4, ${to - 1}::int4) as n`);
  await pool.query(sql.typeAlias("void")`vacuum analyze tracker`);
}

async function addVideo(pool: Pool, id: string, entities: number): Promise<void> {
  await pool.query(sql.typeAlias("void")`
    insert into video (id, title, channel_id, published_at) values (${id}, 'Video', 'channel', now())`);
  await pool.query(sql.typeAlias("void")`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
    select ${id}, entity, 'channel', now(), 'person', place * 60 + entity, place * 60 + entity + 5,
      'What was said there about engines and the people who build them, in a sentence of common length.', 0.9, 'import'
    from generate_series(1, ${entities}::int4) as entity, generate_series(1, ${mentionsOfEntity}::int4) as place`);
}

async function measure(pool: Pool, { rounds }: MatchingBenchOptions) {
  const warmUp = 5;
  const times: number[] = [];
  let fired = 0;
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const id = `v-${Date.now()}-${round}`;
    await addVideo(pool, id, spokenEntities);
    const milliseconds = await pool.transaction(async (transaction) => {
      const start = performance.now();
      fired = await matchTrackers(transaction, id, new Map());
      return performance.now() - start;
    });
    if (fired !== spokenEntities * trackersOfSpoken) throw new Error(`${fired} trackers fired`);
    if (round >= warmUp) times.push(milliseconds);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    fired,
    "median ms": sorted[Math.floor(sorted.length / 2)] ?? 0,
    "p95 ms": sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  };
}

async function benchBurst(pool: Pool, burst: number, where: { databaseUrl: string; home: string }): Promise<void> {
  await pool.query(sql.typeAlias("void")`delete from outbox`);
  await pool.query(sql.typeAlias("void")`delete from tracker where entity_id <= ${spokenEntities}`);
  for (const trackers of [Math.round(burst / 10), burst]) {
    await pool.query(sql.typeAlias("void")`
      insert into tracker (id, account_id, entity_id, filters, created_at, updated_at)
      select 'trk_burst_' || n, 'usr_' || n, 1, '{"query":"engine* OR merger"}', now(), now() from generate_series(1, ${trackers}::int4) as n
      on conflict do nothing`);
    const id = `burst-${trackers}`;
    await addVideo(pool, id, 1);
    let peakBytes = 0;
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage().heapUsed);
    }, 5);
    const start = performance.now();
    const fired = await pool.transaction((transaction) => matchTrackers(transaction, id, new Map()));
    const seconds = (performance.now() - start) / 1000;
    clearInterval(watch);
    const [occurrences, messages] = await Promise.all([
      pool.oneFirst(sql.type(z.object({ count }))`select count(*) from alert_occurrence where video_id = ${id}`),
      pool.oneFirst(sql.type(z.object({ count }))`
        select count(distinct subject) from outbox join alert_occurrence as alert on alert.id = subject where alert.video_id = ${id}`),
    ]);
    const again = await pool.transaction((transaction) => matchTrackers(transaction, id, new Map()));
    console.log(
      `a burst of ${trackers}: ${fired} fired in ${seconds.toFixed(2)} s, ${occurrences} occurrences, ${messages} messages, ` +
        `${again} more the second time, heap +${mebibytes(peakBytes - before)} MiB at most`,
    );
    const started = await startBurst(pool, where.databaseUrl, path.join(where.home, `temporal-${trackers}`));
    console.log(
      `  ${started.asked} starts asked in ${started.seconds.toFixed(1)} s, ${started.workflows} workflows, ` +
        `heap +${mebibytes(started.heapBytes)} MiB at most`,
    );
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
