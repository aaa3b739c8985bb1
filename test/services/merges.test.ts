import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { saveNames } from "../../database/entityNames.ts";
import { count, type Queryable, sql } from "../../database/pool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { resolveEntity } from "../../services/entities/resolveEntity.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { seededRandom } from "../builders/seededRandom.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({ connections: 12 });
});
afterAll(() => context.close());

const merge = (from: number, into: number) =>
  context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
const unmerge = (id: number) => context.pool.transaction((transaction) => unmergeEntities(transaction, id));
const readsAs = async (id: number) => (await resolveEntity(context.pool, { by: "id", id })).entity.numericId;

async function addMentions(entityId: number, mentions: number): Promise<void> {
  const videoId = await createVideo(context);
  await context.pool.query(sql.typeAlias("void")`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance, confidence, source)
    select video.id, ${entityId}, channel_id, published_at, 'person', n, n, '', n % 3 = 0, 1, 'import'
    from video, generate_series(1, ${mentions}::int4) as n where video.id = ${videoId}`);
}

/** Rows that the transaction has written so far, in all tables. */
const rowsWritten = (db: Queryable) =>
  db.oneFirst(sql.type(z.object({ count }))`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int8 as count from pg_stat_xact_user_tables`);

const entityTable = () =>
  context.pool.any(sql.type(z.object({ row: z.string() }))`select entity::text as row from entity order by id`);

/** Entities whose counts are not those of the mentions that read as theirs. */
const miscounted = () =>
  context.pool.any(sql.type(z.object({ id: count, mention_count: count, mentions: count }))`
    select entity.id, entity.mention_count, coalesce(told.mentions, 0) as mentions
    from entity left join (
      select coalesce(member.canonical_id, member.id) as id, count(*) as mentions, count(*) filter (where is_appearance) as appearances
      from mention join entity as member on member.id = mention.entity_id group by 1
    ) as told using (id)
    where (entity.mention_count, entity.appearance_count) is distinct from (coalesce(told.mentions, 0), coalesce(told.appearances, 0))`);

describe("a merge", () => {
  it("writes as many rows for an entity with 5,000 mentions as for one with 5", async () => {
    const into = await createEntity(context);
    const written: number[] = [];
    for (const mentions of [5, 5000]) {
      const from = await createEntity(context);
      await addMentions(from, mentions);
      await context.pool.transaction(async (transaction) => {
        const before = await rowsWritten(transaction);
        expect(await mergeEntities(transaction, from, into)).toEqual({ canonicalId: into, moved: mentions });
        written.push((await rowsWritten(transaction)) - before);
      });
    }
    expect(written[1]).toBe(written[0]);
    expect(written[0]).toBeLessThanOrEqual(3);
    expect((await resolveEntity(context.pool, { by: "id", id: into })).entity).toMatchObject({ mentionCount: 5005 });
  });

  it("answers how many mentions and commercial rows read otherwise from now on, those of earlier merges included", async () => {
    const [a, b, c] = [await createEntity(context), await createEntity(context), await createEntity(context)];
    const videoId = await createVideo(context);
    await createMention(context, { videoId, entityId: a });
    await createMention(context, { videoId, entityId: b });
    await createRecommendation(context, { videoId, entityId: a });
    expect(await merge(a, b)).toEqual({ canonicalId: b, moved: 2 });
    expect(await merge(a, c)).toEqual({ canonicalId: c, moved: 3 });
  });

  it("resolves a chain of 1,000 in one step, by id, slug and name", async () => {
    const ids: number[] = [];
    for (let n = 0; n <= 1000; n += 1) ids.push(await createEntity(context, { name: `Link ${n}`, slug: `link-${n}` }));
    await saveNames(
      context.pool,
      ids.map((entityId, n) => ({ entityId, name: `Link ${n}`, aliases: [] })),
    );
    for (const [n, id] of ids.slice(0, -1).entries()) await merge(id, ids[n + 1] ?? 0);
    const [first, last] = [ids[0] ?? 0, ids.at(-1) ?? 0];
    for (const selector of [
      { by: "id", id: first },
      { by: "slug", slug: "link-0" },
      { by: "name", name: "LINK 0", type: null },
    ] as const) {
      const found = await resolveEntity(context.pool, selector);
      expect([found.entity.numericId, found.suppliedId, found.memberIds.length]).toEqual([last, first, 1001]);
    }
    await expect(merge(last, first)).rejects.toMatchObject({ code: "illegal_transition" });
    await unmerge(ids[500] ?? 0);
    expect([await readsAs(first), await readsAs(ids[500] ?? 0), await readsAs(ids[501] ?? 0)]).toEqual([
      ids[500],
      ids[500],
      last,
    ]);
  }, 120_000);

  it("does not wait for a transaction that has added evidence of another kind", async () => {
    const [from, into] = [await createEntity(context), await createEntity(context)];
    const videoId = await createVideo(context);
    await context.pool.transaction(async (other) => {
      await other.query(sql.typeAlias("void")`
        insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, confidence, source)
        select id, ${from}, channel_id, published_at, 'ad_read', 1, 'import' from video where id = ${videoId}`);
      expect(await merge(from, into)).toMatchObject({ canonicalId: into });
    });
  });
});

describe("taking a merge back", () => {
  it("restores every entity as it was, whatever was merged in between", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => createEntity(context)));
    const [a, b, c, d, e] = ids;
    if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined)
      throw new Error("five were made");
    for (const [n, id] of ids.entries()) await addMentions(id, n + 1);
    const atFirst = await entityTable();
    await merge(a, b);
    const afterOne = await entityTable();
    await merge(c, d);
    // of b, to what c was merged into: a goes along, and both follow d to e
    await merge(b, c);
    await merge(d, e);
    expect(await Promise.all(ids.map(readsAs))).toEqual([e, e, e, e, e]);
    expect(await unmerge(d)).toEqual({ moved: 1 + 2 + 3 + 4 });
    expect(await Promise.all(ids.map(readsAs))).toEqual([d, d, d, d, e]);
    expect(await unmerge(b)).toEqual({ moved: 1 + 2 });
    expect(await unmerge(c)).toEqual({ moved: 3 });
    expect(await entityTable()).toEqual(afterOne);
    await unmerge(a);
    expect(await entityTable()).toEqual(atFirst);
    await expect(unmerge(a)).rejects.toMatchObject({ code: "illegal_transition" });
    await expect(unmerge(999_999_999)).rejects.toMatchObject({ code: "entity_not_found" });
  });
});

describe("counts", () => {
  it("are those of the rows after inserts, deletes, moves, merges and their undoing by eight clients at once", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => createEntity(context)));
    const videoId = await createVideo(context);
    let startSeconds = 0;
    let done = 0;
    const refusals = new Set<string | undefined>();
    const client = async (seed: number) => {
      const random = seededRandom(seed);
      const pick = () => ids[Math.floor(random() * ids.length)] ?? 0;
      const several = () => sql.array([pick(), pick(), pick()], "int8");
      const changes = [
        () => {
          startSeconds += 1;
          return context.pool.query(sql.typeAlias("void")`
            insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance, confidence, source)
            select video.id, entity_id, channel_id, published_at, 'person', ${startSeconds} + n / 10.0, ${startSeconds + 1}, '', n % 2 = 0, 1, 'import'
            from video, unnest(${several()}) with ordinality as told (entity_id, n) where video.id = ${videoId}`);
        },
        () =>
          context.pool.query(sql.typeAlias("void")`
            delete from mention where id in (select id from mention where entity_id = any(${several()}) order by id limit 2 for update skip locked)`),
        () =>
          context.pool.query(sql.typeAlias("void")`
            update mention set entity_id = ${pick()}, is_appearance = not is_appearance
            where id in (select id from mention where entity_id = any(${several()}) order by id desc limit 2 for update skip locked)`),
        () => merge(pick(), pick()),
        () => unmerge(pick()),
      ];
      for (let n = 0; n < 120; n += 1) {
        const change = changes[Math.floor(random() * changes.length)];
        await change?.().then(
          () => (done += 1),
          (error: { code?: string }) => refusals.add(error.code),
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => client(n + 1)));
    expect(await miscounted()).toEqual([]);
    expect([...refusals]).toEqual(["illegal_transition"]);
    expect(done).toBeGreaterThan(400);
  });
});
