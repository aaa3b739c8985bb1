import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listLedger } from "../../database/ledger.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import type { EntityType } from "../../domain/entities.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createBrand, createRows, merge } from "../builders/commerce.ts";
import { createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());

const path = "/v1/recommendations";
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const ledger = async ({ accountId }: NewKey) =>
  (await listLedger(edge.context.pool, accountId, usagePeriod(new Date()))).map(({ rows, reason }) => [rows, reason]);
const idsOf = (json: { data: { recommendation_id: number }[] }) => json.data.map((row) => row.recommendation_id);
const get = async (query: string, caller?: NewKey) =>
  edge.call("GET", `${path}?${query}`, caller ?? (await edge.newKey()));

const brand = (name: string, type?: EntityType) => createBrand(edge.context, name, type);
const rowsOf = (entityId: number, rows: Parameters<typeof createRows>[2]) => createRows(edge.context, entityId, rows);

describe("GET /v1/recommendations", () => {
  it("gives an entity's commercial rows, newest first, with the entity, for 10 rows each", async () => {
    const caller = await edge.newKey();
    const entityId = await brand("Acme Anvils");
    const videoId = await createVideo(edge.context, {
      videoId: "anvil-video",
      title: "On anvils",
      channelId: "UC-anvils",
      publishedAt: new Date("2026-02-03T04:05:06.789Z"),
    });
    const id = await createRecommendation(edge.context, {
      videoId,
      entityId,
      startSeconds: 3661,
      endSeconds: 3700,
      promoCode: "ANVIL10",
      offer: "10 % off",
      confidence: 0.93,
    });
    const answer = await get(`entity_id=ent_${entityId}`, caller);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: [
          {
            id: `com_${id}`,
            recommendation_id: id,
            mention_class: "ad_read",
            entity: { id: `ent_${entityId}`, name: "Acme Anvils", type: "organization" },
            media: {
              video_id: "anvil-video",
              title: "On anvils",
              published_at: "2026-02-03T04:05:06.789Z",
              channel_id: "UC-anvils",
              source_channel: { id: "UC-anvils", name: "Channel UC-anvils" },
              url: "https://www.youtube.com/watch?v=anvil-video",
            },
            start_timestamp: "61:01",
            end_timestamp: "61:40",
            start_seconds: 3661,
            end_seconds: 3700,
            verbatim_quote: "This video is brought to you by.",
            promo_code: "ANVIL10",
            offer: "10 % off",
            sentiment: null,
            sentiment_score: null,
            confidence: 0.93,
            speaker_role: null,
            conflict_status: "none",
            resolution: null,
          },
        ],
        has_more: false,
        next_cursor: null,
        entity: expect.objectContaining({ id: `ent_${entityId}`, appearance_count: 0, is_canonical: true }),
      },
    ]);
    expect([await used(caller), await ledger(caller)]).toEqual([10, [[10, "recommendations"]]]);
  });

  it("shows a full episode as 00:00, and seconds that nobody knows as null", async () => {
    const entityId = await brand("Whole Show");
    await rowsOf(entityId, [
      { startSeconds: null, endSeconds: null },
      { startSeconds: 0, endSeconds: 0 },
    ]);
    const { data } = (await get(`entity_id=${entityId}`)).json;
    expect(
      data.map((row: Record<string, unknown>) => [row["start_seconds"], row["start_timestamp"], row["end_timestamp"]]),
    ).toEqual([
      [0, "00:00", "00:00"],
      [null, null, null],
    ]);
  });

  it("walks all rows page by page, each once, whatever is added or deleted meanwhile; dates may be equal or unknown", async () => {
    const caller = await edge.newKey();
    const entityId = await brand("Many Rows");
    const rows: { id: number; at: number }[] = [];
    for (let n = 0; n < 25; n += 1) {
      const publishedAt = n % 5 === 0 ? null : new Date(Date.UTC(2026, 1, 1 + (n % 7)));
      const videoId = await createVideo(edge.context, { publishedAt });
      const id = await createRecommendation(edge.context, {
        videoId,
        entityId,
        mentionClass: n % 3 === 0 ? "endorsement" : "mention",
        confidence: 0.7 + (n % 4) / 10,
      });
      rows.push({ id, at: publishedAt?.getTime() ?? -1e15 });
    }
    const expected = rows.toSorted((a, b) => b.at - a.at || b.id - a.id).map(({ id }) => id);
    const seen: number[] = [];
    let cursor = "";
    for (let page = 0; page < 9; page += 1) {
      const { json } = await get(`entity_id=${entityId}&limit=3${cursor}`, caller);
      seen.push(...idsOf(json));
      expect(json.has_more).toBe(page < 8);
      cursor = `&cursor=${json.next_cursor}`;
      const videoId = await createVideo(edge.context, { publishedAt: new Date(Date.UTC(2026, 10, 1)) });
      await createRecommendation(edge.context, { videoId, entityId });
    }
    expect(seen).toEqual(expected);
    expect(await used(caller)).toBe(250);
  });

  it("follows merges of any length, under the canonical entity's name", async () => {
    const [a, b, c] = [await brand("Old Co"), await brand("Middle Co"), await brand("New Co", "company")];
    const [first, second, third] = [...(await rowsOf(a, [{}])), ...(await rowsOf(b, [{}, {}]))];
    await merge(edge.context, a, b);
    await merge(edge.context, b, c);
    for (const asked of [a, b, c]) {
      const { json } = await get(`entity_id=${asked}`);
      expect(new Set(idsOf(json))).toEqual(new Set([first, second, third]));
      expect(json.data.every((row: { entity: unknown }) => JSON.stringify(row.entity).includes("New Co"))).toBe(true);
      expect(json.entity).toMatchObject({
        id: `ent_${c}`,
        type: "company",
        merged_from_id: asked === c ? null : `ent_${asked}`,
      });
    }
    expect(idsOf((await get(`entity_id=${c}&limit=2`)).json)).toHaveLength(2);
  });
});

describe("a cursor", () => {
  it("belongs to its query and its account", async () => {
    const caller = await edge.newKey();
    const entityId = await brand("Bound");
    await rowsOf(entityId, [{}, {}, {}]);
    const { next_cursor } = (await get(`entity_id=${entityId}&limit=1`, caller)).json;
    expect((await get(`entity_id=${entityId}&limit=2&cursor=${next_cursor}`, caller)).status).toBe(200);
    for (const other of [
      "&mention_class=ad_read",
      "&min_confidence=0.8",
      "&date_from=2020-01-01",
      "&include_disputed=true",
    ])
      expect((await get(`entity_id=${entityId}&cursor=${next_cursor}${other}`, caller)).status).toBe(400);
    expect((await get(`entity_id=${entityId}&cursor=${next_cursor}`)).status).toBe(400);
    const ofEntity = `/v1/entities/${entityId}/recommendations?cursor=${next_cursor}`;
    expect((await edge.call("GET", ofEntity, caller)).status).toBe(400);
  });
});

describe("permission", () => {
  const paths = [`${path}?entity_id=1`, "/v1/entities/1/recommendations", `${path}/com_1`];
  it.each(paths)("%s needs the tier, then the scope", async (asked) => {
    for (const tier of ["free", "pro"] as const) {
      const answer = await edge.call("GET", asked, await edge.newKey({ tier, scopes: ["read"] }));
      expect([answer.status, answer.json.error.code]).toEqual([403, "recommendations_not_enabled"]);
    }
    const answer = await edge.call("GET", asked, await edge.newKey({ tier: "pro_plus", scopes: ["read"] }));
    expect([answer.status, answer.json.error.code]).toEqual([403, "insufficient_scope"]);
    expect(answer.json.error.message).toContain("recommendations:read");
  });
});

describe("billing", () => {
  it("cuts a page to what the pool covers, and goes on from there; 402 when it covers not one row", async () => {
    const caller = await edge.newKey({ rows: 35 });
    const entityId = await brand("Costly");
    const rows = await rowsOf(entityId, [{}, {}, {}, {}, {}]);
    const cut = await get(`entity_id=${entityId}`, caller);
    expect([idsOf(cut.json), cut.json.has_more]).toEqual([rows.slice(0, 3), true]);
    expect([await used(caller), await ledger(caller)]).toEqual([30, [[30, "recommendations"]]]);
    const refused = await get(`entity_id=${entityId}`, caller);
    expect([refused.status, refused.json.error.code, await used(caller)]).toEqual([402, "quota_exceeded", 30]);
    const payer = await edge.newKey({ rows: 25 });
    const first = (await get(`entity_id=${entityId}&limit=2`, payer)).json;
    await updateAccount(edge.context, payer.accountId, { monthlyRows: 1000 });
    const rest = (await get(`entity_id=${entityId}&cursor=${first.next_cursor}`, payer)).json;
    expect(idsOf(rest)).toEqual(rows.slice(2));
  });

  it("an empty page is free", async () => {
    const caller = await edge.newKey();
    const { json } = await get(`entity_id=${await brand("Never Named")}`, caller);
    expect([json.data, json.has_more, json.next_cursor, await used(caller)]).toEqual([[], false, null, 0]);
  });

  it("dry_run=true says what the page would cost, for nothing, and refuses what the page refuses", async () => {
    const caller = await edge.newKey({ rows: 25 });
    const entityId = await brand("Quoted");
    await rowsOf(entityId, [{}, {}, {}]);
    const quote = async (query: string) => (await get(`${query}&dry_run=true`, caller)).json;
    expect(await quote(`entity_id=${entityId}&limit=1`)).toEqual({ quote: { rows: 10, count: 1, rows_remaining: 25 } });
    expect(await quote(`entity_id=${entityId}`)).toEqual({ quote: { rows: 20, count: 2, rows_remaining: 25 } });
    expect((await quote("entity_id=999999999")).error.code).toBe("entity_not_found");
    expect((await quote("limit=1")).error.code).toBe("invalid_query");
    expect(await used(caller)).toBe(0);
  });
});

describe("GET /v1/entities/{id}/recommendations", () => {
  it("is the list of that entity", async () => {
    const caller = await edge.newKey();
    const [from, into] = [await brand("Was This"), await brand("Is That")];
    const rows = await rowsOf(from, [{}, { mentionClass: "mention" }, { confidence: 0.2 }]);
    await merge(edge.context, from, into);
    const list = async (query: string) => (await edge.call("GET", `/v1/entities/${query}`, caller)).json;
    const { data, entity } = await list(`ent_${from}/recommendations?min_confidence=0&mention_class=ad_read`);
    expect(idsOf({ data })).toEqual([rows[0], rows[2]]);
    expect(entity).toMatchObject({ id: `ent_${into}`, merged_from_id: `ent_${from}` });
    const first = await list(`${into}/recommendations?limit=1`);
    const second = await list(`${into}/recommendations?limit=1&cursor=${first.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([rows[1], rows[2]]);
    expect(await used(caller)).toBe(40);
    expect((await list(`${into}/recommendations?dry_run=true`)).quote).toMatchObject({ rows: 20, count: 2 });
    expect((await list("999999999/recommendations")).error.code).toBe("entity_not_found");
    expect((await list(`${into}/recommendations?entity_id=${into}`)).error.code).toBe("invalid_query");
  });
});

describe("GET /v1/recommendations/{id}", () => {
  it("reads one row, disputed or not, for 10 rows", async () => {
    const caller = await edge.newKey({ rows: 25 });
    const [from, into] = [await brand("Single From"), await brand("Single Into")];
    const [id] = await rowsOf(from, [{ conflictStatus: "disputed", confidence: 0.1 }]);
    await merge(edge.context, from, into);
    for (const form of [`com_${id}`, String(id)]) {
      const { status, json } = await edge.call("GET", `${path}/${form}`, caller);
      expect([status, json.recommendation]).toMatchObject([
        200,
        { id: `com_${id}`, conflict_status: "disputed", entity: { id: `ent_${into}`, name: "Single Into" } },
      ]);
    }
    expect([await used(caller), await ledger(caller)]).toEqual([
      20,
      [
        [10, "recommendation"],
        [10, "recommendation"],
      ],
    ]);
    const quote = await edge.call("GET", `${path}/com_${id}?dry_run=true`, caller);
    expect(quote.json).toEqual({ quote: { rows: 10, count: 1, rows_remaining: 5 } });
    const refused = await edge.call("GET", `${path}/com_${id}`, caller);
    expect([refused.status, refused.json.error.code, await used(caller)]).toEqual([402, "quota_exceeded", 20]);
  });

  it("an unknown one is 404 and free, a malformed one 400", async () => {
    const caller = await edge.newKey();
    const codes = [];
    for (const id of ["com_999999999", "com_999999999?dry_run=true", "men_1", "com_", "com_-1"])
      codes.push((await edge.call("GET", `${path}/${id}`, caller)).json.error.code);
    expect(codes).toEqual(["recommendation_not_found", "recommendation_not_found", ...Array(3).fill("invalid_query")]);
    expect(await used(caller)).toBe(0);
  });
});
