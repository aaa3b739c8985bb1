import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { z } from "zod";
import { type MentionSelection, newestMentions } from "../../database/mentionStreams.ts";
import { count, type Queryable, sql, type Transaction } from "../../database/pool.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { mentionFacets } from "../../domain/mentionFacets.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { retypeMentionBatch } from "../../services/mentions/retype.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(() => context.pool.query(sql.typeAlias("void")`truncate mention, recommendation, retyped_entity`));

const selection = (entityGroup: EntityGroup, channelId: string | null): MentionSelection => ({
  memberIds: null,
  channelId,
  entityGroup,
  facets: mentionFacets({ sentiment: null, isAppearance: null, inAd: null }),
  role: null,
  search: null,
  dates: { from: null, to: null },
});
const row = z.object({ sorted_at: z.number(), id: count }).transform(({ id }) => id);
const listed = (group: EntityGroup, channelId: string | null = null) =>
  context.pool.any(sql.type(row)`${newestMentions(selection(group, channelId), null, 100)}`);
const retypedEntities = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from retyped_entity`);
const stale = (type: EntityGroup) =>
  context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from mention where entity_type <> ${type}`);
const retype = (db: Queryable, id: number, type: string) =>
  db.query(sql.typeAlias("void")`update entity set type = ${type} where id = ${id}`);
const merge = (transaction: Transaction, from: number, into: number) => mergeEntities(transaction, from, into);

async function mentionsOf(entityId: number, mentions: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < mentions; made += 1)
    ids.unshift(
      await createMention(context, {
        videoId: await createVideo(context),
        entityId,
        ...(made % 2 === 0 && { sentimentScore: 0.9 }),
      }),
    );
  return ids;
}

async function drain(limit: number): Promise<number> {
  let mentions = 0;
  for (;;) {
    const batch = await retypeMentionBatch(context, limit);
    mentions += batch.mentions;
    if (!batch.more) return mentions;
  }
}

it("lists by type are right from the moment of a merge between groups, and when all is rewritten", async () => {
  const topic = await createEntity(context, { type: "topic" });
  const person = await createEntity(context, { type: "person" });
  const moved = await mentionsOf(topic, 5);
  const own = await mentionsOf(person, 2);
  await context.pool.transaction((transaction) => merge(transaction, topic, person));
  const expectRight = async () => {
    expect(await listed("person")).toEqual([...own, ...moved]);
    expect(await listed("person", "channel-1")).toEqual([...own, ...moved]);
    expect(await listed("topic")).toEqual([]);
  };
  await expectRight();
  expect([await retypedEntities(), await stale("person")]).toEqual([1, 5]);
  await retypeMentionBatch(context, 2);
  await expectRight();
  expect(await stale("person")).toBe(3);
  await drain(2);
  await expectRight();
  expect([await retypedEntities(), await stale("person")]).toEqual([0, 0]);
});

it("a merge within a group, and of legacy types, rewrites nothing", async () => {
  const brand = await createEntity(context, { type: "brand" });
  const organization = await createEntity(context, { type: "organization" });
  await mentionsOf(brand, 1);
  await context.pool.transaction((transaction) => merge(transaction, brand, organization));
  await retype(context.pool, organization, "company");
  expect(await retypedEntities()).toBe(0);
});

it("an entity that is retyped takes along what was merged into it, and back again half-way", async () => {
  const [member, canonical] = [
    await createEntity(context, { type: "topic" }),
    await createEntity(context, { type: "topic" }),
  ];
  const ids = [...(await mentionsOf(member, 3))];
  await context.pool.transaction((transaction) => merge(transaction, member, canonical));
  await retype(context.pool, canonical, "product");
  expect([await listed("product"), await listed("topic")]).toEqual([ids, []]);
  await retypeMentionBatch(context, 2);
  await retypeMentionBatch(context, 2);
  await retype(context.pool, canonical, "topic");
  expect([await listed("product"), await listed("topic")]).toEqual([[], ids]);
  await drain(2);
  expect([await listed("topic"), await stale("topic"), await retypedEntities()]).toEqual([ids, 0, 0]);
});

it("a writer who did not see the merge yet is noticed", async () => {
  const topic = await createEntity(context, { type: "topic" });
  const [id] = await mentionsOf(topic, 1);
  await context.pool.query(sql.typeAlias("void")`update mention set entity_type = 'person' where id = ${id ?? 0}`);
  expect([await listed("topic"), await listed("person")]).toEqual([[id], []]);
  await drain(10);
  expect([await listed("topic"), await stale("topic")]).toEqual([[id], 0]);
});

it("several at once rewrite each batch once", async () => {
  const [topic, person] = [
    await createEntity(context, { type: "topic" }),
    await createEntity(context, { type: "person" }),
  ];
  const ids = await mentionsOf(topic, 9);
  await context.pool.transaction((transaction) => merge(transaction, topic, person));
  const gone = await Promise.all([drain(2), drain(2), drain(2)]);
  await drain(2);
  expect(gone.reduce((sum, mentions) => sum + mentions, 0)).toBeLessThanOrEqual(9);
  expect([await listed("person"), await stale("person"), await retypedEntities()]).toEqual([ids, 0, 0]);
});
