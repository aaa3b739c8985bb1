import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { migrate } from "../database/migrate.ts";
import { count, openPool, type Pool, sql, type SqlFragment } from "../database/pool.ts";
import { insertWantedSets } from "../database/relationSets.ts";
import { rowAllowance } from "../domain/rowPool.ts";
import type { ServiceContext } from "../services/context.ts";
import { mergeEntities } from "../services/entities/mergeEntities.ts";
import { resolveEntity } from "../services/entities/resolveEntity.ts";
import { unmergeEntities } from "../services/entities/unmergeEntities.ts";
import { applyChanges, buildWantedSet } from "../services/related/keepRelations.ts";
import { quoteRelated } from "../services/related/listRelated.ts";
import { publicOnly, testVault } from "../test/builders/context.ts";
import { testSettings } from "../test/builders/settings.ts";

export interface MergeBenchOptions {
  mentions: number;
  /** Mentions of others in each video. */
  others: number;
}

const mentionsOfVideo = 5;
const products = 20_000;
/** Topics: one in every video, one that is to be it, and one with little evidence. */
const ids = { big: 1, target: 2, small: 3, firstProduct: 1000 };
/** The most that a merge still looks at. */
const smallVideos = 500;

/**
 * Merges an entity with so many mentions, and one with five hundred into it, with all sets of related entities in place; says how long each
 * takes to commit, and the first reads after it.
 */
export async function benchMerge({ mentions, others }: MergeBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0, sharedBuffersMegabytes: 1024 });
  try {
    await migrate(postgres.url);
    const pool = await openPool(postgres.url, { maxConnections: 4, statementTimeoutMilliseconds: 3_600_000 });
    const context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
    const seconds: Record<string, string> = {};
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work();
      seconds[name] = ((performance.now() - start) / 1000).toFixed(3);
      return result;
    };
    const merge = (from: number, into: number) =>
      pool.transaction((transaction) => mergeEntities(transaction, from, into));
    const expectMentions = async (id: number, expected: number) => {
      const { entity } = await resolveEntity(pool, { by: "id", id });
      if (entity.mentionCount !== expected)
        throw new Error(`entity ${id} reads ${entity.mentionCount} mentions, not ${expected}`);
    };
    await timed(
      `(generate ${mentions} mentions of one entity and ${(mentions / mentionsOfVideo) * others} of others)`,
      () => generate(pool, mentions, others),
    );
    await timed("(count all sets of related entities)", () => buildSets(context));

    await timed("merge of the big entity: commit", () => merge(ids.big, ids.target));
    await timed("first entity read after", () => expectMentions(ids.big, mentions));
    await timed("first related list after, counted live", () => readRelated(context));
    await timed("(count the dropped sets anew)", () => buildSets(context));
    await timed("related list, counted before", () => readRelated(context));

    await timed(`merge of ${smallVideos} mentions into it: commit`, () => merge(ids.small, ids.target));
    await timed("first entity read after that", () => expectMentions(ids.small, mentions + smallVideos));
    await timed("first related list after that", () => readRelated(context));
    await timed("taking the small merge back: commit", () =>
      pool.transaction((transaction) => unmergeEntities(transaction, ids.small)),
    );
    await timed("taking the big merge back: commit", () =>
      pool.transaction((transaction) => unmergeEntities(transaction, ids.big)),
    );
    await timed("entity read after that", () => expectMentions(ids.big, mentions));
    console.table(Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, { seconds: value }])));
    await pool.end();
  } finally {
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function buildSets(context: ServiceContext): Promise<void> {
  while ((await applyChanges(context)).more);
  while ((await buildWantedSet(context)).built);
}

/** The first page of the products of the topic that the big one is, or was merged into. */
async function readRelated(context: ServiceContext): Promise<void> {
  const allowance = rowAllowance(
    { tier: "enterprise", monthlyRows: null, onDemand: false, spendCapCents: null },
    context.settings,
  );
  const caller = {
    accountId: "usr_bench",
    keyId: "key_bench",
    tier: "enterprise",
    scopes: ["read"],
    requestId: "req_bench",
    allowance,
    use: { rowsUsed: 0, onDemandRows: 0 },
  } as const;
  const query = {
    slug: "topic-2",
    subjectGroup: "topic",
    search: null,
    sort: "date",
    order: "desc",
    limit: 20,
    after: null,
  } as const;
  const { count: found } = await quoteRelated(context, caller, query);
  if (found !== 20) throw new Error(`a page of ${found} products`);
}

async function generate(pool: Pool, mentions: number, others: number): Promise<void> {
  const videos = Math.ceil(mentions / mentionsOfVideo);
  const run = (statement: SqlFragment) => pool.query(sql.typeAlias("void")`${statement}`);
  await run(sql.fragment`
    insert into channel (id, name) select 'channel-' || n, 'Channel ' || n from generate_series(0, 99) as n`);
  await run(sql.fragment`
    insert into video (id, channel_id, published_at)
    select 'v' || lpad(v::text, 10, '0'), 'channel-' || v % 100, timestamptz '2010-01-01Z' + v * interval '1 minute'
    from generate_series(1, ${videos}::int8) as v`);
  await run(sql.fragment`
    insert into entity (id, name, type, slug) select n, 'Topic ' || n, 'topic', 'topic-' || n from generate_series(1, 3) as n`);
  await run(sql.fragment`
    insert into entity (id, name, type, slug)
    select ${ids.firstProduct} + n, 'Product ' || n, 'product', 'product-' || n from generate_series(1, ${products}::int8) as n`);
  // the rows' own triggers would take longer than all that is measured
  await run(sql.fragment`alter table mention disable trigger user`);
  await run(
    mentionsOf(
      sql.fragment`${ids.big}::int8`,
      sql.fragment`generate_series(1, ${videos}::int8) as v, generate_series(1, ${mentionsOfVideo}::int8) as n`,
    ),
  );
  await run(
    mentionsOf(
      sql.fragment`${ids.small}::int8`,
      sql.fragment`generate_series(1, ${smallVideos}::int8) as v, generate_series(1, 1) as n`,
    ),
  );
  await run(
    mentionsOf(
      // Zipf over the products
      sql.fragment`${ids.firstProduct} + floor(exp((hashint8extended(v * 1000 + n, 1) & 4503599627370495) / 4503599627370496::float8 * ln(${products}::float8)))::int8`,
      sql.fragment`generate_series(1, ${videos}::int8) as v, generate_series(1, ${others}::int8) as n`,
    ),
  );
  await run(sql.fragment`alter table mention enable trigger user`);
  await run(sql.fragment`
    update entity set mention_count = told.n from (select entity_id, count(*) as n from mention group by entity_id) as told where told.entity_id = entity.id`);
  await run(sql.fragment`vacuum analyze mention`);
  await run(sql.fragment`vacuum analyze entity`);
  const { heavyMentions } = testSettings().relatedLists;
  const heavy = await pool.anyFirst(
    sql.type(z.object({ id: count }))`select id from entity where mention_count >= ${heavyMentions}`,
  );
  await insertWantedSets(pool, { entityIds: heavy, channelIds: [] }, heavyMentions);
}

/** Mentions of an entity, for each `v` and `n`: the video's number, and what is told apart within it. */
const mentionsOf = (entityId: SqlFragment, from: SqlFragment) => sql.fragment`
  insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
  select 'v' || lpad(v::text, 10, '0'), ${entityId}, 'channel-' || v % 100, timestamptz '2010-01-01Z' + v * interval '1 minute',
    'topic', n, n + 1, 'What was said there', 1, 'import' from ${from}`;
