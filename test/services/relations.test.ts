import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import type { EntityType } from "../../domain/entities.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { applyChanges, buildWantedSet, purgeRelations } from "../../services/related/keepRelations.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { differencesOfSets } from "../builders/relatedSets.ts";
import { seededRandom } from "../builders/seededRandom.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({ settings: { relatedLists: { heavyMentions: 3 } }, connections: 12 });
});
afterAll(() => context.close());

async function keepAll(): Promise<void> {
  while ((await applyChanges(context)).more);
  while ((await buildWantedSet(context)).built);
}

describe("sets of related entities", () => {
  it("stay what a count of the mentions gives, whatever comes, goes, changes, merges and is taken back", async () => {
    const random = seededRandom(5);
    const pick = <T>(all: readonly T[]): T => {
      const one = all[Math.floor(random() * all.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    };
    const types: EntityType[] = ["organization", "company", "topic", "product", "person", "channel", "unknown"];
    const channels = ["c1", "c2", "c3"];
    const entities: number[] = [];
    for (let n = 0; n < 28; n += 1) {
      const type = types[n % types.length] ?? "person";
      const platformId = type === "channel" && n < 21 ? { platformId: channels[Math.floor(n / 7)] ?? "c1" } : {};
      entities.push(await createEntity(context, { type, ...platformId }));
    }
    const videos: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      const publishedAt = n === 0 ? null : new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 2)));
      videos.push(await createVideo(context, { channelId: pick(channels), publishedAt }));
    }
    const merged: number[] = [];
    const refusals = new Set<string | undefined>();
    let startSeconds = 0;
    const steps = {
      insert: async () => {
        startSeconds += 1;
        await createMention(context, { videoId: pick(videos), entityId: pick(entities), startSeconds });
      },
      remove: async () => {
        await context.pool.query(sql.typeAlias("void")`
          delete from mention where id in (select id from mention order by md5(id::text || ${String(random())}) limit 2)`);
      },
      clear: async () => {
        await context.pool.query(sql.typeAlias("void")`delete from mention where video_id = ${pick(videos)}`);
      },
      reassign: async () => {
        await context.pool.query(sql.typeAlias("void")`
          update mention set entity_id = ${pick(entities)} where id = (select id from mention order by md5(id::text || ${String(random())}) limit 1)`);
      },
      redate: async () => {
        const [videoId, channelId] = [pick(videos), pick(channels)];
        const day = `2026-02-${String(1 + Math.floor(random() * 20)).padStart(2, "0")}Z`;
        await context.pool.transaction(async (transaction) => {
          await transaction.query(sql.typeAlias("void")`
            update video set channel_id = ${channelId}, published_at = ${day} where id = ${videoId}`);
          await transaction.query(sql.typeAlias("void")`
            update mention set channel_id = ${channelId}, sorted_at = ${day} where video_id = ${videoId}`);
        });
      },
      retype: async () => {
        await context.pool.query(sql.typeAlias("void")`
          update entity set type = ${pick(types)} where id = ${pick(entities)}`);
      },
      tie: async () => {
        await context.pool.query(sql.typeAlias("void")`
          update entity set platform_id = ${pick([...channels, null])} where id = ${pick(entities)}`);
      },
      rename: async () => {
        await context.pool.query(sql.typeAlias("void")`
          update entity set name = ${`Ürsula ${random()}`}, description = ${`Of ${random()}`} where id = ${pick(entities)}`);
      },
      merge: async () => {
        const from = pick(entities);
        await context.pool
          .transaction((transaction) => mergeEntities(transaction, from, pick(entities)))
          .then(() => merged.push(from))
          .catch((error: { code?: string }) => refusals.add(error.code));
      },
      unmerge: async () => {
        if (merged.length === 0) return;
        await context.pool
          .transaction((transaction) => unmergeEntities(transaction, pick(merged)))
          .catch((error: { code?: string }) => refusals.add(error.code));
      },
      apply: () => applyChanges(context),
      build: () => buildWantedSet(context),
    };
    const weights: Record<keyof typeof steps, number> = {
      insert: 40,
      remove: 6,
      clear: 2,
      reassign: 6,
      redate: 2,
      retype: 1,
      tie: 1,
      rename: 2,
      merge: 3,
      unmerge: 6,
      apply: 10,
      build: 10,
    };
    const bag = Object.entries(steps).flatMap(([name, step]) =>
      Array.from({ length: Object.entries(weights).find(([key]) => key === name)?.[1] ?? 0 }, () => ({ name, step })),
    );
    let compared = 0;
    const done: string[] = [];
    for (let round = 0; round < 600; round += 1) {
      const { name, step } = pick(bag);
      done.push(name);
      await step();
      if (round % 5 !== 4) continue;
      while ((await applyChanges(context)).more);
      const { rows, differences } = await differencesOfSets(context);
      compared += rows;
      expect({ round, done: done.slice(-12), differences }).toMatchObject({ differences: [] });
    }
    await keepAll();
    const { sets, differences } = await differencesOfSets(context);
    expect(differences).toEqual([]);
    expect([...refusals]).toEqual(["illegal_transition"]);
    expect(sets).toBeGreaterThan(5);
    expect(compared).toBeGreaterThan(1000);
  });

  it("that nobody reads are deleted in batches", async () => {
    await context.pool.query(sql.typeAlias("void")`
      update relation_set set state = 'gone', changed_at = now() - interval '2 minutes'`);
    while ((await purgeRelations(context)).more);
    const left = await context.pool.one(sql.type(z.object({ sets: count, rows: count }))`
      select (select count(*) from relation_set) as sets, (select count(*) from relation) as rows`);
    expect(left).toEqual({ sets: 0, rows: 0 });
  });
});
