import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createVideo } from "../builders/evidence.ts";
import type { NewKey } from "./edge.ts";
import { type RelatedRow, startRelatedScene } from "./relatedScene.ts";

let scene: Awaited<ReturnType<typeof startRelatedScene>>;
beforeAll(async () => {
  scene = await startRelatedScene();
});
afterAll(() => scene.edge.close());

const used = async ({ accountId }: NewKey) => (await readUsage(scene.context, accountId)).rows_used;

describe.each([
  ["counted when read", false],
  ["kept counted", true],
])("a list that is %s", (_, isKept) => {
  let topic: { slug: string; id: number };
  let path: string;
  const ready = async () => {
    if (isKept) await scene.keepCounts();
    expect(await scene.readySets(topic.id)).toBe(isKept ? 1 : 0);
  };
  beforeAll(async () => {
    topic = await scene.entity("topic", "Subject");
    path = `/v1/topics/${topic.slug}/products`;
    const products = [];
    for (const [name, description] of [
      ["Élan 100%", "A car"],
      ["Banana_Phone", "Calls; of ÉLAN"],
      ["apple", undefined],
      ["Zebra", "Stripes 100"],
      ["cherry", "A fruit"],
    ] as const)
      products.push(await scene.entity("product", name, description === undefined ? {} : { description }));
    // Product n is in n + 1 videos, the newest of them on day 10 - n, and twice in its first.
    for (const [n, product] of products.entries()) {
      await scene.video([topic, product, product], { day: 10 - n });
      for (let more = 0; more < n; more += 1) await scene.video([topic, product], { day: 1 });
    }
    if (!isKept)
      await scene.context.pool.query(sql.typeAlias("void")`truncate evidence_change, relation_set, relation`);
    await ready();
  });

  it.each([
    ["", ["Élan 100%", "Banana_Phone", "apple", "Zebra", "cherry"]],
    ["sort=date&order=asc", ["cherry", "Zebra", "apple", "Banana_Phone", "Élan 100%"]],
    ["sort=name&order=asc", ["apple", "Banana_Phone", "cherry", "Élan 100%", "Zebra"]],
    ["sort=name", ["Zebra", "Élan 100%", "cherry", "Banana_Phone", "apple"]],
    ["sort=mentions", ["cherry", "Zebra", "apple", "Banana_Phone", "Élan 100%"]],
    ["sort=mentions&order=asc", ["Élan 100%", "Banana_Phone", "apple", "Zebra", "cherry"]],
  ])("%j sorts", async (query, expected) => {
    expect(await scene.names(`${path}?${query}`)).toEqual(expected);
    // and page by page
    const paged: string[] = [];
    let cursor = "";
    do {
      const { data, next_cursor } = (await scene.read(`${path}?${query}&limit=2${cursor}`.replace("?&", "?"))).json;
      paged.push(...data.map(({ name }: RelatedRow) => name));
      cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
    } while (cursor !== "");
    expect(paged).toEqual(expected);
  });

  it.each([
    ["q=elan", ["Élan 100%", "Banana_Phone"]],
    ["q=ELAN&field=name", ["Élan 100%"]],
    ["q=élan&field=description", ["Banana_Phone"]],
    ["q=100%25", ["Élan 100%"]],
    ["q=a_p", ["Banana_Phone"]],
    ["q=A", ["Élan 100%", "Banana_Phone", "apple", "Zebra", "cherry"]],
    ["q=a&field=name&sort=name&order=asc&limit=2", ["apple", "Banana_Phone"]],
    ["q=nothing", []],
  ])("%s filters by text, whatever the case and accents", async (query, expected) => {
    expect(await scene.names(`${path}?${query}`)).toEqual(expected);
  });

  it("bills a row for each row returned, quotes that for nothing, and cuts a page to what the pool covers", async () => {
    const caller = await scene.edge.newKey({ rows: 4 });
    const quote = await scene.read(`${path}?dry_run=true`, caller);
    expect(quote.json).toEqual({ quote: { rows: 4, count: 4, rows_remaining: 4 } });
    expect(await used(caller)).toBe(0);
    const two = await scene.read(`${path}?limit=2`, caller);
    expect([two.json.data.length, two.json.has_more, await used(caller)]).toEqual([2, true, 2]);
    const none = await scene.read(`${path}?q=nothing`, caller);
    expect([none.status, none.json.data, await used(caller)]).toEqual([200, [], 2]);
    const cut = await scene.read(`${path}?limit=3&cursor=${two.json.next_cursor}`, caller);
    expect([cut.json.data.length, cut.json.has_more, await used(caller)]).toEqual([2, true, 4]);
    expect(cut.json.next_cursor).not.toBeNull();
    const refused = await scene.read(path, caller);
    expect([refused.status, refused.json.error.code, await used(caller)]).toEqual([402, "quota_exceeded", 4]);
  });

  it("a merge shows at once, on both sides, and counts a video once that both were in; taken back, all is as before", async () => {
    const before = await scene.rows(path);
    const [twin, product] = [await scene.entity("topic", "Twin"), await scene.entity("product", "Doublet")];
    // the doublet is in one video of the subject with "Zebra", and in one of the twin alone
    const zebra = before.find(({ name }) => name === "Zebra");
    const zebraId = z.object({ numeric_id: z.number() }).parse(zebra).numeric_id;
    await scene.video([topic, { id: zebraId }, product], { day: 20 });
    await scene.video([twin, product], { day: 21 });
    await ready();
    const apart = await scene.rows(path);
    await scene.merge(product.id, zebraId);
    const merged = (await scene.rows(path)).find(({ name }) => name === "Zebra");
    expect(merged?.relation).toMatchObject({
      mention_count: (zebra?.relation.mention_count ?? 0) + 2,
      media_count: (zebra?.relation.media_count ?? 0) + 1,
      last_seen_at: "2026-01-20T00:00:00.000Z",
    });
    expect(await scene.names(path)).not.toContain("Doublet");
    await scene.merge(twin.id, topic.id);
    expect((await scene.rows(path)).find(({ name }) => name === "Zebra")?.relation).toMatchObject({
      mention_count: (zebra?.relation.mention_count ?? 0) + 3,
      media_count: (zebra?.relation.media_count ?? 0) + 2,
      last_seen_at: "2026-01-21T00:00:00.000Z",
    });
    expect(await scene.rows(`/v1/topics/${twin.slug}/products`)).toEqual(await scene.rows(path));
    expect(await scene.readySets(topic.id)).toBe(isKept ? 1 : 0);
    for (const id of [twin.id, product.id])
      await scene.context.pool.transaction((transaction) => unmergeEntities(transaction, id));
    expect(await scene.rows(path)).toEqual(apart);
  });

  it("has pages that never repeat or skip a row for what is added meanwhile", async () => {
    const all = await scene.names(`${path}?sort=name&order=asc`);
    const first = (await scene.read(`${path}?sort=name&order=asc&limit=3`)).json;
    await scene.video([topic, await scene.entity("product", "aardvark"), await scene.entity("product", "Zoo")], {
      day: 30,
    });
    const rest = await scene.names(`${path}?sort=name&order=asc&limit=100&cursor=${first.next_cursor}`);
    expect([...first.data.map(({ name }: RelatedRow) => name), ...rest]).toEqual(all);
    const byDate = (await scene.read(`${path}?limit=1${isKept ? "" : "&q=a"}`)).json;
    expect(byDate.has_more).toBe(true);
    const foreign = await scene.read(
      `/v1/topics/${topic.slug}/products?sort=name&limit=1&cursor=${byDate.next_cursor}`,
    );
    expect(foreign.status).toBe(400);
  });
});

describe("a list of an entity with much evidence", () => {
  it("is live until it has been counted, and again after a merge of another such entity until it is counted anew", async () => {
    const [big, other, product] = [
      await scene.entity("topic", "Big"),
      await scene.entity("topic", "Other big"),
      await scene.entity("product", "P"),
    ];
    for (let n = 0; n < 3; n += 1) await scene.video([big, product, product], { day: n + 1 });
    const { id: channelId } = await scene.entity("channel", "C", { platformId: "big-channel" });
    // more evidence than a merge looks at
    const videoId = await createVideo(scene.context, { channelId: "big-channel" });
    await scene.context.pool.query(sql.typeAlias("void")`
      insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
      select video.id, entity_id, channel_id, published_at, 'topic', n, n, '', 1, 'import'
      from video, generate_series(1, 600) as n, unnest(${sql.array([other.id, product.id], "int8")}) as entity_id where video.id = ${videoId}`);
    const counts = async () =>
      (await scene.rows(`/v1/topics/${big.slug}/products`)).map(({ relation }) => relation.mention_count);
    const bigMentions = [];
    for (let n = 0; n < 6; n += 1) bigMentions.push(await scene.video([big], { day: 12 }));
    expect([await counts(), await scene.readySets(big.id)]).toEqual([[6], 0]);
    await scene.keepCounts();
    expect([await counts(), await scene.readySets(big.id), await scene.readySets(other.id)]).toEqual([[6], 1, 1]);
    await scene.merge(other.id, big.id);
    expect([await counts(), await scene.readySets(big.id), await scene.readySets(other.id)]).toEqual([[606], 0, 0]);
    await scene.keepCounts();
    expect([await counts(), await scene.readySets(big.id)]).toEqual([[606], 1]);
    expect(channelId).toBeGreaterThan(0);
  });
});
