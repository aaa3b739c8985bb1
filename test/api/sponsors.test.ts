import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createBrand, createChannel, createRows, merge } from "../builders/commerce.ts";
import { createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } }, clock: () => now });
  caller = await edge.newKey({ rows: 10_000_000 });
});
afterAll(() => edge.close());

const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const get = (channelId: string, query = "", by = caller) =>
  edge.call("GET", `/v1/channels/${channelId}/sponsors?${query}`, by);
const names = (json: { data: { entity: { name: string } }[] }) => json.data.map(({ entity }) => entity.name);
const curate = (channelId: string, entityId: number) =>
  edge.context.pool.query(sql.typeAlias("void")`insert into known_advertiser values (${channelId}, ${entityId})`);
const brand = (name: string) => createBrand(edge.context, name);

/** So many ad reads, the last one so many days ago. */
async function reads(channelId: string, entityId: number, count: number, lastDaysAgo: number): Promise<number[]> {
  const from = daysAgo(lastDaysAgo + count - 1);
  return createRows(
    edge.context,
    entityId,
    Array.from({ length: count }, () => ({})),
    { channelId, from },
  );
}

describe("GET /v1/channels/{channel_id}/sponsors", () => {
  it("lists who sponsors a channel, last seen first, with what its rows add up to, for 10 rows each", async () => {
    const by = await edge.newKey();
    const channelId = await createChannel(edge.context);
    const entityId = await brand("Anvils & Co");
    const from = daysAgo(9);
    const [latest] = await createRows(
      edge.context,
      entityId,
      [
        { promoCode: "B", confidence: 0.9 },
        { promoCode: "A", confidence: 0.8 },
        { promoCode: "B", confidence: 0.85 },
        { mentionClass: "endorsement", confidence: 0.2 },
        { mentionClass: "mention", confidence: 0.3 },
        { conflictStatus: "disputed", promoCode: "C", confidence: 0.1 },
      ],
      { channelId, from },
    ).then((ids) => ids.slice(1));
    const { status, json } = await get(channelId, "", by);
    expect([status, json]).toEqual([
      200,
      {
        data: [
          {
            entity: { id: `ent_${entityId}`, name: "Anvils & Co", type: "organization" },
            status: "active",
            ad_read_count: 3,
            endorsement_count: 1,
            first_seen_at: from.toISOString(),
            last_seen_at: daysAgo(5).toISOString(),
            promo_codes: ["A", "B"],
            avg_confidence: 0.61,
            is_known_advertiser: false,
            latest_recommendation_id: `com_${latest}`,
          },
        ],
        has_more: false,
        next_cursor: null,
        channel: { id: channelId, name: `Channel ${channelId}`, sponsor_count: 1 },
      },
    ]);
    expect(await used(by)).toBe(10);
  });

  it("tells active, lapsed and known apart; the known are there whatever their ad reads are", async () => {
    const channelId = await createChannel(edge.context);
    const [recent, old, curatedOld, curatedNever, curatedRecent, few, none] = [
      await brand("Recent"),
      await brand("Old"),
      await brand("Curated old"),
      await brand("Curated never"),
      await brand("Curated recent"),
      await brand("Few"),
      await brand("None"),
    ];
    await reads(channelId, recent, 3, 89);
    await reads(channelId, old, 4, 91);
    await reads(channelId, curatedOld, 1, 100);
    await reads(channelId, curatedRecent, 3, 10);
    await reads(channelId, few, 2, 1);
    await createRows(edge.context, none, [{ mentionClass: "endorsement" }], { channelId, from: daysAgo(2) });
    for (const known of [curatedOld, curatedNever, curatedRecent]) await curate(channelId, known);

    const listed = async (query: string) => {
      const { data } = (await get(channelId, query)).json;
      return data.map((row: { entity: { name: string }; status: string }) => `${row.entity.name}: ${row.status}`);
    };
    const byDefault = [
      "Curated recent: active",
      "Recent: active",
      "Old: lapsed",
      "Curated old: known",
      "Curated never: known",
    ];
    expect(await listed("")).toEqual(byDefault);
    expect(await listed("min_ad_reads=0")).toEqual(["Few: active", "None: active", ...byDefault]);
    expect(await listed("min_ad_reads=2")).toEqual(["Few: active", ...byDefault]);
    expect(await listed("min_ad_reads=4")).toEqual(["Old: lapsed", "Curated old: known", "Curated never: known"]);
    expect(await listed("status=active")).toEqual(["Curated recent: active", "Recent: active"]);
    expect(await listed("status=lapsed")).toEqual(["Old: lapsed"]);
    expect(await listed("status=lapsed&min_ad_reads=5")).toEqual([]);
    expect(await listed("status=known&min_ad_reads=1000")).toEqual(["Curated old: known", "Curated never: known"]);
    expect((await get(channelId, "status=active&min_ad_reads=0")).json.channel.sponsor_count).toBe(5);
    const never = (await get(channelId, "status=known")).json.data[1];
    expect(never).toMatchObject({
      ad_read_count: 0,
      first_seen_at: null,
      last_seen_at: null,
      promo_codes: [],
      avg_confidence: null,
      is_known_advertiser: true,
      latest_recommendation_id: null,
    });
  });

  it("walks all sponsors page by page, each once", async () => {
    const by = await edge.newKey();
    const channelId = await createChannel(edge.context);
    const expected: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      const entityId = await brand(`Paged ${n}`);
      expected.unshift(`Paged ${n}`);
      // Some on the same day, so that the entity decides.
      if (n % 3 === 0) await curate(channelId, entityId);
      await createRows(
        edge.context,
        entityId,
        Array.from({ length: n === 0 ? 3 : n }, () => ({})),
        {
          channelId,
          from: daysAgo(200 - 20 * Math.floor(n / 2) + (n === 0 ? 3 : n)),
        },
      );
    }
    const all = (await get(channelId, "min_ad_reads=0&limit=100")).json.data;
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 6; page += 1) {
      const { json } = await get(channelId, `min_ad_reads=0&limit=2${cursor}`, by);
      seen.push(...names(json));
      expect(json.has_more).toBe(page < 5);
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(names({ data: all }));
    expect(seen.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(expected.toSorted((a, b) => (a < b ? -1 : 1)));
    const seenAt = all.map((row: { last_seen_at: string }) => row.last_seen_at);
    expect(seenAt).toEqual(seenAt.toSorted((a: string, b: string) => (a < b ? 1 : -1)));
    expect(await used(by)).toBe(110);
    expect((await get(channelId, `min_ad_reads=1&limit=2&cursor=${cursor.slice(8)}`, by)).status).toBe(400);
  });

  it("follows merges, and merges undone, with every figure", async () => {
    const channelId = await createChannel(edge.context);
    const [from, into] = [await brand("Merged away"), await brand("Merged into")];
    await reads(channelId, from, 2, 5);
    const [latest] = await reads(channelId, into, 1, 1);
    await curate(channelId, from);
    const before = (await get(channelId, "min_ad_reads=0")).json;
    expect(names(before)).toEqual(["Merged into", "Merged away"]);
    await merge(edge.context, from, into);
    const { data, channel } = (await get(channelId)).json;
    expect(data).toMatchObject([
      {
        entity: { id: `ent_${into}` },
        ad_read_count: 3,
        first_seen_at: daysAgo(6).toISOString(),
        is_known_advertiser: true,
        latest_recommendation_id: `com_${latest}`,
      },
    ]);
    expect(channel.sponsor_count).toBe(1);
    await edge.context.pool.query(
      sql.typeAlias("void")`update entity set canonical_id = null, merged_into_id = null where id = ${from}`,
    );
    expect((await get(channelId, "min_ad_reads=0")).json).toEqual(before);
  });

  it("is of the platform's channel that has media", async () => {
    const curated = "UC-curated-only";
    await edge.context.pool.query(
      sql.typeAlias("void")`insert into channel (id, name) values (${curated}, 'No media')`,
    );
    await curate(curated, await brand("Sponsor of nothing"));
    for (const channelId of [curated, "UC-unknown", "channel-slug"])
      for (const query of ["", "dry_run=true"])
        expect((await get(channelId, query)).json.error.code).toBe("channel_not_found");
  });

  it.each([
    "min_ad_reads=-1",
    "min_ad_reads=1.5",
    "min_ad_reads=",
    "status=dormant",
    "limit=0",
    "order=asc",
    "cursor=x",
  ])("%j is refused", async (query) => {
    const { status, json } = await get(await createChannel(edge.context), query);
    expect([status, json.error.code]).toEqual([400, "invalid_query"]);
  });

  it("needs the tier, then the scope", async () => {
    for (const [tier, code] of [
      ["pro", "recommendations_not_enabled"],
      ["pro_plus", "insufficient_scope"],
    ] as const) {
      const { status, json } = await get("UC-any", "", await edge.newKey({ tier, scopes: ["read"] }));
      expect([status, json.error.code]).toEqual([403, code]);
    }
  });

  it("cuts a page to what the pool covers; a quote costs nothing", async () => {
    const by = await edge.newKey({ rows: 25 });
    const channelId = await createChannel(edge.context);
    for (const name of ["Cut 1", "Cut 2", "Cut 3"]) await reads(channelId, await brand(name), 3, 5);
    const quote = await get(channelId, "dry_run=true", by);
    expect(quote.json).toEqual({ quote: { rows: 20, count: 2, rows_remaining: 25 } });
    const { json } = await get(channelId, "", by);
    expect([names(json), json.has_more, await used(by)]).toEqual([["Cut 3", "Cut 2"], true, 20]);
    expect((await get(channelId, "", by)).status).toBe(402);
    expect((await get(channelId, `cursor=${json.next_cursor}`)).status).toBe(400);
  });

  it("counts rows as they come, change and go", async () => {
    const channelId = await createChannel(edge.context);
    const entityId = await brand("Changing");
    const rows = await reads(channelId, entityId, 3, 5);
    const counted = async () => {
      const { data, channel } = (await get(channelId, "min_ad_reads=0")).json;
      return [data[0]?.ad_read_count, data[0]?.latest_recommendation_id, channel.sponsor_count];
    };
    expect(await counted()).toEqual([3, `com_${rows[0]}`, 1]);
    await edge.context.pool.query(
      sql.typeAlias("void")`update recommendation set conflict_status = 'disputed' where id = ${rows[0] ?? 0}`,
    );
    expect(await counted()).toEqual([2, `com_${rows[1]}`, 0]);
    const videoId = await createVideo(edge.context, { channelId, publishedAt: daysAgo(1) });
    const added = await createRecommendation(edge.context, { videoId, entityId });
    expect(await counted()).toEqual([3, `com_${added}`, 1]);
    await edge.context.pool.query(sql.typeAlias("void")`delete from recommendation where entity_id = ${entityId}`);
    expect(await counted()).toEqual([undefined, undefined, 0]);
  });
});
