import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { findByNames } from "../../database/entityLookup.ts";
import { saveNames } from "../../database/entityNames.ts";
import { findCandidates, readDictionary, readEntities } from "../../database/entitySearch.ts";
import { count, type Queryable, sql } from "../../database/pool.ts";
import { dictionaryQuestion, distantQuestion, planLooseSearch, planSearch } from "../../domain/search/plan.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const scanRow = z.object({ relname: z.string(), seq_scan: count, idx_scan: count });

/** What this transaction has read so far of the tables that grow with the entities. */
const scans = (transaction: Queryable) =>
  transaction.any(sql.type(scanRow)`
    select relname, seq_scan, idx_scan from pg_stat_xact_user_tables
    where relname in ('entity', 'entity_name', 'search_word', 'recommendation') order by relname`);

describe("with 20,000 entities", () => {
  beforeAll(async () => {
    const first = Array.from({ length: 100 }, (_, n) => `given${n}`);
    const last = Array.from({ length: 200 }, (_, n) => `family${n * 7}`);
    const names = first.flatMap((given) => last.map((family) => `${given} ${family}`));
    const ids = await context.pool.anyFirst(sql.type(z.object({ id: count }))`
      insert into entity (name, type, slug, mention_count)
      select name, 'person', 'filled-' || n, n % 100 from unnest(${sql.array(names, "text")}) with ordinality as made (name, n) returning id`);
    await saveNames(
      context.pool,
      names.map((name, index) => ({ entityId: ids[index] ?? 0, name, aliases: [] })),
    );
    for (const table of ["entity", "entity_name", "search_word", "recommendation"])
      await context.pool.query(sql.typeAlias("void")`analyze ${sql.identifier([table])}`);
  });

  it.each([
    "given17 family70",
    "given17 famly70",
    "given17",
    "giv",
    "g",
    "family1 given3 nothing else",
    "familiar77 givven12",
    "given1family77",
  ])("a search for %s, and a looser one, read by index alone", async (text) => {
    await context.pool.transaction(async (transaction) => {
      const words = text.split(" ");
      const dictionary = new Set([
        ...(await readDictionary(transaction, dictionaryQuestion(words))),
        ...(await readDictionary(transaction, distantQuestion(words))),
      ]);
      for (const conjunctions of [planSearch(words, dictionary).conjunctions, planLooseSearch(words, dictionary)])
        for (const hasRecommendations of [null, true, false]) {
          const found = await findCandidates(transaction, conjunctions, { group: "person", hasRecommendations });
          await readEntities(
            transaction,
            found.slice(0, 20).map(({ entityId }) => entityId),
          );
        }
      const read = await scans(transaction);
      expect(read.filter(({ seq_scan }) => seq_scan > 0)).toEqual([]);
      expect(read.find(({ relname }) => relname === "entity_name")?.idx_scan).toBeGreaterThan(0);
    });
  });

  it("a lookup reads by index alone", async () => {
    await context.pool.transaction(async (transaction) => {
      const [found] = await findByNames(transaction, [{ key: "given17 family70", group: "person" }], 21);
      expect(found).toHaveLength(1);
      expect((await scans(transaction)).filter(({ seq_scan }) => seq_scan > 0)).toEqual([]);
    });
  });

  it("a new mention changes no name unless a tier of popularity is passed", async () => {
    const entityId = await createEntity(context, { name: "Counted Often" });
    const videoId = await createVideo(context);
    const versions = new Set<string>();
    for (let startSeconds = 0; startSeconds < 16; startSeconds += 1) {
      await createMention(context, { videoId, entityId, startSeconds });
      versions.add(
        await context.pool.oneFirst(sql.type(z.object({ ctid: z.string() }))`
          select ctid::text from entity_name where entity_id = ${entityId}`),
      );
    }
    expect(versions.size).toBe(3);
  });
});

/** Names whose traits differ from what they would be if they were written now. */
const stale = () =>
  context.pool.any(sql.type(z.object({ name: z.string() }))`
      select entity_name.name from entity_name join entity as supplied on supplied.id = entity_id
        join entity on entity.id = coalesce(supplied.canonical_id, supplied.id)
      where terms[1:3] <> name_traits(entity.mention_count, entity.type, has_recommendations(entity.id))`);

describe("the traits of names", () => {
  it("follow counts, types, commercial rows and merges, whatever the order", async () => {
    const ids: number[] = [];
    for (let made = 0; made < 6; made += 1)
      ids.push(await createEntity(context, { name: `Trait ${made}`, aliases: [`Alias ${made}`] }));
    const [a, b, c, d, e, f] = ids;
    if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined)
      throw new Error("six were made");
    const videoId = await createVideo(context);
    for (let startSeconds = 0; startSeconds < 5; startSeconds += 1)
      await createMention(context, { videoId, entityId: a, startSeconds });
    expect(await stale()).toEqual([]);
    const commercial = await createRecommendation(context, { videoId, entityId: a });
    expect(await stale()).toEqual([]);
    const merge = (from: number, into: number) =>
      context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
    await merge(a, b);
    await merge(b, c);
    expect(await stale()).toEqual([]);
    for (let startSeconds = 10; startSeconds < 30; startSeconds += 1)
      await createMention(context, { videoId, entityId: a, startSeconds });
    expect(await stale()).toEqual([]);
    await saveNames(context.pool, [{ entityId: a, name: "Trait 0", aliases: ["New alias"] }]);
    expect(await stale()).toEqual([]);
    await context.pool.query(sql.typeAlias("void")`update entity set type = 'brand' where id = ${c}`);
    expect(await stale()).toEqual([]);
    await context.pool.query(
      sql.typeAlias("void")`update recommendation set entity_id = ${d} where id = ${commercial}`,
    );
    expect(await stale()).toEqual([]);
    await merge(d, e);
    await merge(e, f);
    await context.pool.query(sql.typeAlias("void")`delete from recommendation where id = ${commercial}`);
    expect(await stale()).toEqual([]);
    await context.pool.query(sql.typeAlias("void")`delete from mention where video_id = ${videoId}`);
    expect(await stale()).toEqual([]);
    await context.pool.query(
      sql.typeAlias("void")`update entity set merged_into_id = null, canonical_id = null where id in (${a}, ${d})`,
    );
    expect(await stale()).toEqual([]);
  });

  it("follow writers of the same entities at the same time", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => createEntity(context, { name: `Racing ${n}` })));
    const videoId = await createVideo(context);
    const into = ids[0] ?? 0;
    await Promise.allSettled([
      ...ids.slice(1).map((id) => context.pool.transaction((transaction) => mergeEntities(transaction, id, into))),
      ...ids.map((entityId) => createRecommendation(context, { videoId, entityId })),
      ...ids.flatMap((entityId) =>
        Array.from({ length: 5 }, (_, startSeconds) => createMention(context, { videoId, entityId, startSeconds })),
      ),
      ...ids.map((entityId, n) =>
        saveNames(context.pool, [{ entityId, name: `Racing ${n}`, aliases: [`Raced ${n}`] }]),
      ),
    ]);
    expect(await stale()).toEqual([]);
  });
});
