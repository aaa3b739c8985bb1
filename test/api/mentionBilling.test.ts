import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listLedger } from "../../database/ledger.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createMentionedEntity, createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const get = (path: string, as: { key: string } = caller) => edge.call("GET", path, as);
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const refusal = async (path: string, as?: { key: string }) => {
  const { status, json } = await get(path, as);
  return [status, json.error.code];
};
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
const entityWith = (mentions: number) => createMentionedEntity(edge.context, mentions);

describe("details=full", () => {
  it("attaches the commercial rows of the same video and entity at the time, and full-episode rows to all", async () => {
    const { id } = await entityWith(0);
    const alias = await createEntity(edge.context, { type: "organization" });
    await merge(alias, id);
    const other = await createEntity(edge.context, { type: "organization" });
    const [videoId, elsewhere] = [await createVideo(edge.context), await createVideo(edge.context)];
    const early = await createMention(edge.context, { videoId, entityId: id, startSeconds: 10, endSeconds: 15 });
    const late = await createMention(edge.context, { videoId, entityId: alias, startSeconds: 100, endSeconds: 105.5 });
    await createMention(edge.context, { videoId: elsewhere, entityId: id, startSeconds: 10, endSeconds: 15 });
    const row = (
      startSeconds: number | null,
      endSeconds: number | null,
      more: Partial<Parameters<typeof createRecommendation>[1]> = {},
    ) => createRecommendation(edge.context, { videoId, entityId: id, startSeconds, endSeconds, ...more });
    const touching = await row(15, 40, { promoCode: "ADA10", quote: "Use code ADA10" });
    const full = await row(0, 0);
    const ofAlias = await row(105, 200, { entityId: alias });
    await row(16, 99);
    await row(null, null);
    await row(12, 14, { conflictStatus: "disputed" });
    await row(12, 14, { entityId: other });
    const { data } = (await get(`/v1/mentions?entity_id=${id}&details=full`)).json;
    const attached = data.map(({ id: mention, recommendations }: { id: string; recommendations: { id: string }[] }) => [
      mention,
      recommendations.map((recommendation) => recommendation.id),
    ]);
    expect(attached.slice(1)).toEqual([
      [`men_${late}`, [`com_${full}`, `com_${ofAlias}`]],
      [`men_${early}`, [`com_${full}`, `com_${touching}`]],
    ]);
    expect(attached[0][1]).toEqual([]);
    expect(data[2].recommendations[1]).toMatchObject({
      mention_class: "ad_read",
      entity: data[2].entity,
      media: data[2].media,
      start_timestamp: "00:15",
      verbatim_quote: "Use code ADA10",
      promo_code: "ADA10",
      sentiment_score: null,
    });
  });

  it("needs Pro+ and recommendations:read", async () => {
    const { id } = await entityWith(1);
    const path = `/v1/entities/${id}/mentions`;
    const pro = await edge.newKey({ tier: "pro" });
    const reader = await edge.newKey({ tier: "pro_plus", scopes: ["read"] });
    const commercial = await edge.newKey({ tier: "pro_plus", scopes: ["read", "recommendations:read"] });
    expect(await refusal(`${path}?details=full`, pro)).toEqual([403, "recommendations_not_enabled"]);
    expect(await refusal(`${path}?details=full`, reader)).toEqual([403, "insufficient_scope"]);
    expect(await refusal("/v1/mentions?details=full", reader)).toEqual([403, "insufficient_scope"]);
    expect((await get(`${path}?details=full`, commercial)).status).toBe(200);
    expect((await get(path, pro)).status).toBe(200);
    expect((await get(path, reader)).status).toBe(200);
  });
});

describe("billing", () => {
  it("is a row a mention, in one entry, for what was returned", async () => {
    const { id } = await entityWith(5);
    const buyer = await edge.newKey();
    await get(`/v1/mentions?entity_id=${id}&limit=3`, buyer);
    await get(`/v1/entities/${id}/mentions?limit=100`, buyer);
    await get(`/v1/mentions?entity_id=${id}&in_ad=true`, buyer);
    const entries = await listLedger(edge.context.pool, buyer.accountId, usagePeriod(new Date()));
    expect(entries.map(({ rows, reason }) => [rows, reason])).toEqual([
      [3, "mentions"],
      [5, "mentions"],
    ]);
  });

  it("cuts a page to what the pool covers, and the next page goes on from there", async () => {
    const { id, mentionIds } = await entityWith(5);
    const buyer = await edge.newKey({ rows: 3 });
    const { json } = await get(`/v1/mentions?entity_id=${id}`, buyer);
    expect(json.data.map((row: { id: string }) => row.id)).toEqual(mentionIds.slice(0, 3).map((n) => `men_${n}`));
    expect(json.has_more).toBe(true);
    expect(await used(buyer)).toBe(3);
    expect(await refusal(`/v1/mentions?entity_id=${id}&cursor=${json.next_cursor}`, buyer)).toEqual([
      402,
      "quota_exceeded",
    ]);
  });

  it("adds 10 for each attached row, cuts before the first mention that is not covered with all of its rows", async () => {
    const { id } = await entityWith(2);
    const videoId = await createVideo(edge.context);
    const newest = await createMention(edge.context, { videoId, entityId: id });
    await createRecommendation(edge.context, { videoId, entityId: id, startSeconds: 0, endSeconds: 0 });
    await createRecommendation(edge.context, { videoId, entityId: id, startSeconds: 11, endSeconds: 12 });
    const path = `/v1/mentions?entity_id=${id}&details=full`;
    const rich = await edge.newKey();
    expect((await get(`${path}&dry_run=true`, rich)).json.quote).toMatchObject({ rows: 23, count: 3 });
    expect(await used(rich)).toBe(0);
    await get(path, rich);
    expect(await used(rich)).toBe(23);
    const middling = await edge.newKey({ rows: 22 });
    expect((await get(`${path}&dry_run=true`, middling)).json.quote).toEqual({
      rows: 22,
      count: 2,
      rows_remaining: 22,
    });
    expect((await get(path, middling)).json).toMatchObject({ has_more: true });
    expect(await used(middling)).toBe(22);
    const poor = await edge.newKey({ rows: 20 });
    expect((await get(`${path}&dry_run=true`, poor)).json.quote).toMatchObject({ rows: 0, count: 0 });
    expect(await refusal(path, poor)).toEqual([402, "quota_exceeded"]);
    expect(await used(poor)).toBe(0);
    expect((await get(`/v1/mentions?entity_id=${id}&limit=1`, poor)).json.data).toMatchObject([
      { id: `men_${newest}` },
    ]);
  });

  it("never passes the pool, however many pages are bought at once", async () => {
    const { id } = await entityWith(4);
    const buyer = await edge.newKey({ rows: 10 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(`/v1/mentions?entity_id=${id}`, buyer)));
    const returned = answers.reduce((sum, { status, json }) => sum + (status === 200 ? json.data.length : 0), 0);
    expect([returned, await used(buyer)]).toEqual([10, 10]);
  });
});
