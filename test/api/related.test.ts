import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { relatedPage } from "../../database/relatedPages.ts";
import { sql } from "../../database/pool.ts";
import type { EntityType } from "../../domain/entities.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { applyChanges, buildWantedSet } from "../../services/related/keepRelations.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let reader: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { relatedLists: { heavyMentions: 6 } } });
  reader = await edge.newKey();
});
afterAll(() => edge.close());

let entityNumber = 0;
async function entity(type: EntityType, name: string, more: { platformId?: string; description?: string } = {}) {
  entityNumber += 1;
  const slug = `related-${entityNumber}`;
  return { slug, id: await createEntity(edge.context, { type, name, slug, ...more }) };
}
interface Row {
  name: string;
  relation: { mention_count: number; media_count: number; first_seen_at: string | null; last_seen_at: string | null };
}
const read = (path: string, caller: NewKey = reader) => edge.call("GET", path, caller);
async function rows(path: string): Promise<Row[]> {
  const answer = await read(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data;
}
const names = async (path: string) => (await rows(path)).map(({ name }) => name);
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));

async function keepCounts(): Promise<void> {
  while ((await applyChanges(edge.context)).more);
  while ((await buildWantedSet(edge.context)).built);
}

/** How many sets are ready for an entity. */
const readySets = (entityId: number) =>
  edge.context.pool.oneFirst(sql.type(z.object({ sets: z.number() }))`
    select count(*)::int4 as sets from relation_set where subject_id = ${entityId} and state = 'ready'`);

let channelNumber = 0;
/** A video of a channel of its own, some time in 2026, with these in it. */
async function video(members: readonly { id: number }[], more: { channelId?: string; day?: number } = {}) {
  channelNumber += 1;
  const videoId = await createVideo(edge.context, {
    channelId: more.channelId ?? `own-${channelNumber}`,
    publishedAt: new Date(Date.UTC(2026, 0, more.day ?? 1)),
  });
  for (const [n, { id }] of members.entries())
    await createMention(edge.context, { videoId, entityId: id, startSeconds: n });
  return videoId;
}

describe("the four lists", () => {
  it.each([
    ["/v1/organizations/{slug}/channels", "organization", "channel"],
    ["/v1/organizations/{slug}/channels", "company", "channel"],
    ["/v1/topics/{slug}/products", "topic", "product"],
    ["/v1/channels/{slug}/people", "channel", "person"],
    ["/v1/products/{slug}/topics", "product", "topic"],
  ] as const)("%s of a %s: what is mentioned in the same video, of type %s alone", async (path, type, rowType) => {
    const subject = await entity(type, "Subject");
    const related = await entity(rowType, "Related", { description: "What it is" });
    const others = [
      await entity("unknown", "Never classified"),
      await entity(rowType === "person" ? "topic" : "person", "Other"),
    ];
    await entity(rowType, "Elsewhere");
    await video([subject, related, related, ...others], { day: 3 });
    await video([related], { day: 9 });
    await video([subject, related], { day: 5 });
    await video([subject, ...others], { day: 7 });
    const answer = await read(path.replace("{slug}", subject.slug));
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: [
          {
            id: `ent_${related.id}`,
            numeric_id: related.id,
            slug: related.slug,
            name: "Related",
            type: rowType,
            image_url: null,
            description: "What it is",
            platform: null,
            url: null,
            relation: {
              mention_count: 3,
              media_count: 2,
              first_seen_at: "2026-01-03T00:00:00.000Z",
              last_seen_at: "2026-01-05T00:00:00.000Z",
            },
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    ]);
  });

  it("a channel takes part in every video of its platform channel, spoken of or not, as subject and as row", async () => {
    const channel = await entity("channel", "The Show", { platformId: "show-1" });
    const person = await entity("person", "Guest");
    const organization = await entity("organization", "Sponsor");
    await video([person, organization], { channelId: "show-1" });
    await video([person, organization, channel], { channelId: "show-1" });
    await video([organization], { channelId: "show-1" });
    await video([person, channel], { channelId: "somewhere-else" });
    await video([person], { channelId: "somewhere-else" });
    const people = await rows(`/v1/channels/${channel.slug}/people`);
    expect(people).toMatchObject([{ name: "Guest", relation: { mention_count: 3, media_count: 3 } }]);
    const channels = await rows(`/v1/organizations/${organization.slug}/channels`);
    expect(channels).toMatchObject([{ name: "The Show", relation: { mention_count: 1, media_count: 3 } }]);
  });

  it("a video without a known date is shared, and sorts last", async () => {
    const [topic, dated, undated] = [
      await entity("topic", "T"),
      await entity("product", "Dated"),
      await entity("product", "Undated"),
    ];
    await video([topic, dated]);
    const videoId = await createVideo(edge.context, { publishedAt: null });
    for (const { id } of [topic, undated]) await createMention(edge.context, { videoId, entityId: id });
    const found = await rows(`/v1/topics/${topic.slug}/products`);
    expect(found.map(({ name }) => name)).toEqual(["Dated", "Undated"]);
    expect(found[1]?.relation).toMatchObject({ media_count: 1, first_seen_at: null, last_seen_at: null });
  });

  it("the slug of an entity of another type, and an unknown one, are 404, free of charge; a misplaced value is 400", async () => {
    const caller = await edge.newKey();
    const person = await entity("person", "P");
    for (const path of ["organizations/x/channels", "topics/x/products", "channels/x/people", "products/x/topics"]) {
      const wrong = await read(`/v1/${path.replace("/x/", `/${person.slug}/`)}`, caller);
      expect([wrong.status, wrong.json.error.code]).toEqual([404, "entity_not_found"]);
      expect(wrong.json.error.message).toMatch(
        /type person; the path takes the slug of an? (organ|topic|channel|prod)/,
      );
      const unknown = await read(`/v1/${path.replace("/x/", "/no-such-slug/")}`, caller);
      expect([unknown.status, unknown.json.error.code]).toEqual([404, "entity_not_found"]);
    }
    const topic = await entity("topic", "T");
    for (const query of [
      "sort=channel",
      "field=title",
      "order=up",
      "limit=0",
      "limit=101",
      "q=",
      "page=2",
      "cursor=x",
    ]) {
      const answer = await read(`/v1/topics/${topic.slug}/products?${query}`, caller);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, "invalid_query"]);
    }
    expect(await used(caller)).toBe(0);
  });
});

describe.each([
  ["counted when read", false],
  ["kept counted", true],
])("a list that is %s", (_, isKept) => {
  let topic: { slug: string; id: number };
  let path: string;
  const ready = async () => {
    if (isKept) await keepCounts();
    expect(await readySets(topic.id)).toBe(isKept ? 1 : 0);
  };
  beforeAll(async () => {
    topic = await entity("topic", "Subject");
    path = `/v1/topics/${topic.slug}/products`;
    const products = [];
    for (const [name, description] of [
      ["Élan 100%", "A car"],
      ["Banana_Phone", "Calls; of ÉLAN"],
      ["apple", undefined],
      ["Zebra", "Stripes 100"],
      ["cherry", "A fruit"],
    ] as const)
      products.push(await entity("product", name, description === undefined ? {} : { description }));
    // Product n is in n + 1 videos, the newest of them on day 10 - n, and twice in its first.
    for (const [n, product] of products.entries()) {
      await video([topic, product, product], { day: 10 - n });
      for (let more = 0; more < n; more += 1) await video([topic, product], { day: 1 });
    }
    if (!isKept) await edge.context.pool.query(sql.typeAlias("void")`truncate evidence_change, relation_set, relation`);
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
    expect(await names(`${path}?${query}`)).toEqual(expected);
    // and page by page
    const paged: string[] = [];
    let cursor = "";
    do {
      const { data, next_cursor } = (await read(`${path}?${query}&limit=2${cursor}`.replace("?&", "?"))).json;
      paged.push(...data.map(({ name }: Row) => name));
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
    expect(await names(`${path}?${query}`)).toEqual(expected);
  });

  it("bills a row for each row returned, quotes that for nothing, and cuts a page to what the pool covers", async () => {
    const caller = await edge.newKey({ rows: 4 });
    const quote = await read(`${path}?dry_run=true`, caller);
    expect(quote.json).toEqual({ quote: { rows: 4, count: 4, rows_remaining: 4 } });
    expect(await used(caller)).toBe(0);
    const two = await read(`${path}?limit=2`, caller);
    expect([two.json.data.length, two.json.has_more, await used(caller)]).toEqual([2, true, 2]);
    const none = await read(`${path}?q=nothing`, caller);
    expect([none.status, none.json.data, await used(caller)]).toEqual([200, [], 2]);
    const cut = await read(`${path}?limit=3&cursor=${two.json.next_cursor}`, caller);
    expect([cut.json.data.length, cut.json.has_more, await used(caller)]).toEqual([2, true, 4]);
    expect(cut.json.next_cursor).not.toBeNull();
    const refused = await read(path, caller);
    expect([refused.status, refused.json.error.code, await used(caller)]).toEqual([402, "quota_exceeded", 4]);
  });

  it("a merge shows at once, on both sides, and counts a video once that both were in; taken back, all is as before", async () => {
    const before = await rows(path);
    const [twin, product] = [await entity("topic", "Twin"), await entity("product", "Doublet")];
    // the doublet is in one video of the subject with "Zebra", and in one of the twin alone
    const zebra = before.find(({ name }) => name === "Zebra");
    const zebraId = z.object({ numeric_id: z.number() }).parse(zebra).numeric_id;
    await video([topic, { id: zebraId }, product], { day: 20 });
    await video([twin, product], { day: 21 });
    await ready();
    const apart = await rows(path);
    await merge(product.id, zebraId);
    const merged = (await rows(path)).find(({ name }) => name === "Zebra");
    expect(merged?.relation).toMatchObject({
      mention_count: (zebra?.relation.mention_count ?? 0) + 2,
      media_count: (zebra?.relation.media_count ?? 0) + 1,
      last_seen_at: "2026-01-20T00:00:00.000Z",
    });
    expect(await names(path)).not.toContain("Doublet");
    await merge(twin.id, topic.id);
    expect((await rows(path)).find(({ name }) => name === "Zebra")?.relation).toMatchObject({
      mention_count: (zebra?.relation.mention_count ?? 0) + 3,
      media_count: (zebra?.relation.media_count ?? 0) + 2,
      last_seen_at: "2026-01-21T00:00:00.000Z",
    });
    expect(await rows(`/v1/topics/${twin.slug}/products`)).toEqual(await rows(path));
    expect(await readySets(topic.id)).toBe(isKept ? 1 : 0);
    for (const id of [twin.id, product.id])
      await edge.context.pool.transaction((transaction) => unmergeEntities(transaction, id));
    expect(await rows(path)).toEqual(apart);
  });

  it("has pages that never repeat or skip a row for what is added meanwhile", async () => {
    const all = await names(`${path}?sort=name&order=asc`);
    const first = (await read(`${path}?sort=name&order=asc&limit=3`)).json;
    await video([topic, await entity("product", "aardvark"), await entity("product", "Zoo")], { day: 30 });
    const rest = await names(`${path}?sort=name&order=asc&limit=100&cursor=${first.next_cursor}`);
    expect([...first.data.map(({ name }: Row) => name), ...rest]).toEqual(all);
    const byDate = (await read(`${path}?limit=1${isKept ? "" : "&q=a"}`)).json;
    expect(byDate.has_more).toBe(true);
    const foreign = await read(`/v1/topics/${topic.slug}/products?sort=name&limit=1&cursor=${byDate.next_cursor}`);
    expect(foreign.status).toBe(400);
  });
});

describe("a list of an entity with much evidence", () => {
  it("is live until it has been counted, and again after a merge of another such entity until it is counted anew", async () => {
    const [big, other, product] = [
      await entity("topic", "Big"),
      await entity("topic", "Other big"),
      await entity("product", "P"),
    ];
    for (let n = 0; n < 3; n += 1) await video([big, product, product], { day: n + 1 });
    const { id: channelId } = await entity("channel", "C", { platformId: "big-channel" });
    // more evidence than a merge looks at
    const videoId = await createVideo(edge.context, { channelId: "big-channel" });
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, confidence, source)
      select video.id, entity_id, channel_id, published_at, 'topic', n, n, '', 1, 'import'
      from video, generate_series(1, 600) as n, unnest(${sql.array([other.id, product.id], "int8")}) as entity_id where video.id = ${videoId}`);
    const counts = async () =>
      (await rows(`/v1/topics/${big.slug}/products`)).map(({ relation }) => relation.mention_count);
    const bigMentions = [];
    for (let n = 0; n < 6; n += 1) bigMentions.push(await video([big], { day: 12 }));
    expect([await counts(), await readySets(big.id)]).toEqual([[6], 0]);
    await keepCounts();
    expect([await counts(), await readySets(big.id), await readySets(other.id)]).toEqual([[6], 1, 1]);
    await merge(other.id, big.id);
    expect([await counts(), await readySets(big.id), await readySets(other.id)]).toEqual([[606], 0, 0]);
    await keepCounts();
    expect([await counts(), await readySets(big.id)]).toEqual([[606], 1]);
    expect(channelId).toBeGreaterThan(0);
  });

  it("finds its page by an index and sorts no more than a page, by every sort", async () => {
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into entity (name, type, slug) select 'Of many ' || n, 'product', 'of-many-' || n from generate_series(1, 50000) as n`);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into relation_set (subject_id, row_group, state, snapshot)
      select min(id), 'product', 'ready', pg_current_snapshot() from entity`);
    const setId = await edge.context.pool.oneFirst(sql.type(z.object({ id: z.number() }))`
      select max(id)::int4 as id from relation_set`);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into relation (set_id, related_id, name_order, mention_count, media_count, first_seen_at, last_seen_at)
      select ${setId}, n, md5(n::text), n % 1000, 1, now(), now() - n * interval '1 minute' from generate_series(1, 50000) as n`);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into relation_text (entity_id, name, description)
      select n, md5(n::text) || case when n % 5000 = 0 then ' rare word' else '' end, null from generate_series(1, 50000) as n on conflict do nothing`);
    for (const table of ["relation", "relation_text", "entity"])
      await edge.context.pool.query(sql.typeAlias("void")`vacuum analyze ${sql.identifier([table])}`);
    for (const sort of ["date", "name", "mentions"] as const)
      for (const order of ["asc", "desc"] as const)
        for (const search of [null, { text: "7", field: "any" }, { text: "rare word", field: "name" }] as const)
          for (const after of [
            null,
            { value: sort === "name" ? "5" : sort === "date" ? Date.now() - 9e8 : 500, entityId: 25_000 },
          ]) {
            const ask = {
              subject: { entityId: 1, memberIds: [1], platformChannelIds: [] },
              group: "product",
              setId,
              lastMentionId: 0,
              search,
              sort,
              order,
              limit: 20,
              after,
            } as const;
            const plan = await planOf(ask);
            expect(JSON.stringify(plan)).toContain(`"Index Name":"relation_by_${sort}"`);
            const tablesRead = nodes(plan).filter(
              (node) => node["Node Type"] === "Seq Scan" && node["Actual Loops"] > 0,
            );
            expect(tablesRead).toEqual([]);
            expect(rowsSorted(plan)).toBeLessThanOrEqual(21);
            if (search === null) expect(rowsScanned(plan)).toBeLessThanOrEqual(2 * 21);
            else expect(rowsScanned(plan)).toBeLessThanOrEqual(4 * 4000);
          }
  });
});

interface PlanNode {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Parent Relationship"?: string;
  Plans?: PlanNode[];
}

async function planOf(ask: Parameters<typeof relatedPage>[0]): Promise<PlanNode> {
  const found = await edge.context.pool.oneFirst(sql.type(z.object({ "QUERY PLAN": z.unknown() }))`
    explain (analyze, format json) with ${relatedPage(ask)} select * from page order by n`);
  const [{ Plan: plan }] = found as [{ Plan: PlanNode }];
  return plan;
}

const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
const rowsSorted = (plan: PlanNode) =>
  Math.max(
    0,
    ...nodes(plan)
      .filter((node) => /Sort/.test(node["Node Type"]))
      .flatMap((node) =>
        (node.Plans ?? [])
          .filter((input) => input["Parent Relationship"] === "Outer")
          .map((input) => input["Actual Rows"] * input["Actual Loops"]),
      ),
  );
const rowsScanned = (plan: PlanNode) =>
  nodes(plan)
    .filter((node) => /Scan/.test(node["Node Type"]) && node["Node Type"] !== "CTE Scan")
    .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
