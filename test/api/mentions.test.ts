import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { saveNames } from "../../database/entityNames.ts";
import { listLedger } from "../../database/ledger.ts";
import { sql } from "../../database/pool.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
let statements = 0;
beforeAll(async () => {
  edge = await startEdge({
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
    onStatement: () => (statements += 1),
  });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const get = (path: string, as: { key: string } = caller) => edge.call("GET", path, as);
const idsOf = async (path: string, as?: { key: string }) => {
  const answer = await get(path, as);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data.map(({ id }: { id: string }) => Number(id.replace("men_", "")));
};
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const refusal = async (path: string, as?: { key: string }) => {
  const { status, json } = await get(path, as);
  return [status, json.error.code];
};
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));

/** An entity with as many mentions, each in a video of its own, newest first. */
async function entityWith(mentions: number): Promise<{ id: number; mentionIds: number[] }> {
  const id = await createEntity(edge.context, { type: "organization" });
  const mentionIds: number[] = [];
  for (let made = 0; made < mentions; made += 1)
    mentionIds.unshift(await createMention(edge.context, { videoId: await createVideo(edge.context), entityId: id }));
  return { id, mentionIds };
}

async function everyPage(path: string, meanwhile: (page: number) => Promise<void> = async () => undefined) {
  const seen: number[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const { json }: { json: { data: { id: string }[]; has_more: boolean; next_cursor: string | null } } = await get(
      cursor === null ? path : `${path}&cursor=${cursor}`,
    );
    seen.push(...json.data.map(({ id }) => Number(id.replace("men_", ""))));
    expect(json.has_more).toBe(json.next_cursor !== null);
    if (json.next_cursor === null) return seen;
    cursor = json.next_cursor;
    await meanwhile(page);
  }
}

describe("a mention", () => {
  it("is shown with its entity, its media, its moment and its speaker", async () => {
    const person = await createEntity(edge.context, { name: "Grace Hopper", type: "person" });
    const speaker = await createEntity(edge.context, { name: "Ada", type: "person" });
    const canonicalSpeaker = await createEntity(edge.context, { name: "Ada Lovelace", type: "person" });
    await merge(speaker, canonicalSpeaker);
    const videoId = await createVideo(edge.context, {
      videoId: "shown-video",
      title: "Shown",
      publishedAt: new Date("2026-02-03T04:05:06.789Z"),
    });
    const id = await createMention(edge.context, {
      videoId,
      entityId: person,
      startSeconds: 3725.5,
      endSeconds: 3731,
      quote: "Grace said so.",
      isAppearance: true,
      role: "guest",
      sentimentScore: 0.5,
    });
    await edge.context.pool.query(sql.typeAlias("void")`
      update mention set context_before = 'Before.', context_after = 'After.', surface_form = 'Grace', speaker_id = 's1', speaker_name = 'Ada',
        speaker_entity_id = ${speaker}, transcript_revision = 3 where id = ${id}`);
    const { data } = (await get(`/v1/entities/ent_${person}/mentions`)).json;
    expect(data).toEqual([
      {
        id: `men_${id}`,
        entity: { id: `ent_${person}`, name: "Grace Hopper", type: "person" },
        media: {
          video_id: videoId,
          title: "Shown",
          published_at: "2026-02-03T04:05:06.789Z",
          channel_id: "channel-1",
          source_channel: { id: "channel-1", name: "Channel channel-1" },
          url: `https://www.youtube.com/watch?v=${videoId}`,
        },
        start_seconds: 3725.5,
        end_seconds: 3731,
        start_timestamp: "62:05",
        end_timestamp: "62:11",
        quote: "Grace said so.",
        context_before: "Before.",
        context_after: "After.",
        surface_form: "Grace",
        speaker: { id: "s1", name: "Ada", entity_id: `ent_${canonicalSpeaker}` },
        is_appearance: true,
        appearance_role: "guest",
        in_ad: false,
        sentiment_score: 0.5,
        confidence: 0.9,
        transcript_revision: 3,
        deep_link: `https://www.youtube.com/watch?v=${videoId}&t=3725s`,
        created_at: expect.any(String),
      },
    ]);
  });

  it("without a known speaker, date or title says so with null", async () => {
    const { id } = await entityWith(0);
    await createMention(edge.context, {
      videoId: await createVideo(edge.context, { publishedAt: null }),
      entityId: id,
    });
    const { data } = (await get(`/v1/mentions?entity_id=${id}`)).json;
    expect(data).toMatchObject([
      { speaker: null, sentiment_score: null, appearance_role: null, media: { published_at: null } },
    ]);
    expect("recommendations" in data[0]).toBe(false);
  });
});

describe("filters", () => {
  const at = new Map<string, number>();
  let company: number;
  let person: number;
  beforeAll(async () => {
    company = await createEntity(edge.context, { name: "Filtered Works", type: "company" });
    person = await createEntity(edge.context, { name: "Filtered Person", type: "person" });
    await saveNames(edge.context.pool, [
      { entityId: company, name: "Filtered Works", aliases: [] },
      { entityId: person, name: "Filtered Person", aliases: ["Filtered Works"] },
    ]);
    const day = (n: number, channelId: string) =>
      createVideo(edge.context, { publishedAt: new Date(Date.UTC(2001, 0, n, 23, 30)), channelId });
    const add = async (name: string, mention: Omit<Parameters<typeof createMention>[1], "videoId">, video: string) =>
      at.set(name, await createMention(edge.context, { ...mention, videoId: video }));
    await add(
      "positive",
      { entityId: company, sentimentScore: 0.2, quote: "Filters: a café society" },
      await day(1, "filter-a"),
    );
    await add(
      "negative",
      { entityId: company, sentimentScore: -0.2, quote: "Filters: society, café!" },
      await day(2, "filter-a"),
    );
    await add(
      "neutral",
      { entityId: company, sentimentScore: 0.199, quote: "Filters: cafeteria" },
      await day(3, "filter-b"),
    );
    await add("ad", { entityId: company, inAd: true, quote: "Filters: 日本語のニュース" }, await day(4, "filter-b"));
    await add(
      "spoken of",
      { entityId: person, sentimentScore: 1, quote: "Filters: don't O'Neil" },
      await day(5, "filter-a"),
    );
    await add("appears", { entityId: person, isAppearance: true, role: "host" }, await day(6, "filter-b"));
    const undated = await createVideo(edge.context, { publishedAt: null, channelId: "filter-c" });
    await add("undated", { entityId: company, quote: "Filters: nothing" }, undated);
  });
  const dated = "date_from=2001-01-01&date_to=2001-12-31";
  const company_ = () => `entity_id=${company}`;
  const cases: [() => string, string[]][] = [
    [() => dated, ["appears", "spoken of", "ad", "neutral", "negative", "positive"]],
    [() => company_(), ["ad", "neutral", "negative", "positive", "undated"]],
    [() => `${company_()}&sentiment=positive`, ["positive"]],
    [() => `${company_()}&sentiment=neutral`, ["neutral"]],
    [() => `${company_()}&sentiment=negative`, ["negative"]],
    [() => `${dated}&sentiment=positive`, ["spoken of", "positive"]],
    [() => `${dated}&in_ad=true`, ["ad"]],
    [() => `${company_()}&in_ad=false`, ["neutral", "negative", "positive", "undated"]],
    [() => `${dated}&is_appearance=true`, ["appears"]],
    [() => `${dated}&is_appearance=false&in_ad=false&sentiment=positive`, ["spoken of", "positive"]],
    [() => "channel_id=filter-a", ["spoken of", "negative", "positive"]],
    [() => "channel_id=filter-b&is_appearance=true", ["appears"]],
    [() => `channel_id=filter-b&${company_()}`, ["ad", "neutral"]],
    [() => `channel_id=filter-b&${company_()}&in_ad=true`, ["ad"]],
    [() => `${dated}&entity_type=organization`, ["ad", "neutral", "negative", "positive"]],
    [() => `${dated}&entity_type=person`, ["appears", "spoken of"]],
    [() => `${dated}&entity_type=person&sentiment=positive`, ["spoken of"]],
    [() => `${dated}&entity_type=topic`, []],
    [() => "channel_id=filter-a&entity_type=person", ["spoken of"]],
    [() => "entity_name=the+FILTERED+works&channel_id=filter-a", ["negative", "positive"]],
    [() => "entity_name=filtered-works&entity_type=person", ["appears", "spoken of"]],
    [() => "date_from=2001-01-02&date_to=2001-01-03", ["neutral", "negative"]],
    [() => "date_from=2001-01-02T23:30:00Z&date_to=2001-01-03T23:30:00Z", ["neutral", "negative"]],
    [() => "date_from=2001-01-02T23:30:00.001Z&date_to=2001-01-03T23:29:59Z", []],
    [() => "date_from=0000-01-01&date_to=2001-01-01", ["positive"]],
    [() => "date_from=9999-12-31", []],
    [() => "q=filters+cafe", ["negative", "positive"]],
    [() => "q=filters+CAFÉ*", ["neutral", "negative", "positive"]],
    [() => 'q=filters+"cafe society"', ["positive"]],
    [() => 'q="café, soc"*', ["positive"]],
    [() => "q=filters+-+society!", ["negative", "positive"]],
    [() => "q=filters+dont+oneil", ["spoken of"]],
    [() => "q=日本", ["ad"]],
    [() => "q=filters+本日", []],
    [() => `q=filters&${company_()}`, ["ad", "neutral", "negative", "positive", "undated"]],
    [() => `q=filters&${dated}&entity_type=person`, ["spoken of"]],
    [() => "q=filters&channel_id=filter-b&in_ad=true", ["ad"]],
    [() => "q=filters&date_to=2001-01-02", ["negative", "positive"]],
    [() => "q=filterssss", []],
  ];
  it.each(cases)("%# find what they ask for and nothing else", async (query, expected) => {
    expect(await idsOf(`/v1/mentions?${encodeURI(query())}`)).toEqual(expected.map((name) => at.get(name)));
  });

  it("hold for the mentions of an entity alike", async () => {
    const path = `/v1/entities/ent_${company}/mentions`;
    expect(await idsOf(`${path}?sentiment=negative`)).toEqual([at.get("negative")]);
    expect(await idsOf(`${path}?q=cafe&channel_id=filter-a&date_to=2001-01-01`)).toEqual([at.get("positive")]);
    expect(await idsOf(`${path}?entity_type=organization&in_ad=true`)).toEqual([at.get("ad")]);
  });

  it("that name nothing that exists are 404, and free", async () => {
    const poor = await edge.newKey();
    expect(await refusal("/v1/mentions?entity_id=ent_99999999", poor)).toEqual([404, "entity_not_found"]);
    expect(await refusal("/v1/mentions?entity_name=nobody+of+this+name", poor)).toEqual([404, "entity_not_found"]);
    expect(await refusal("/v1/mentions?entity_name=Filtered+Person&entity_type=topic", poor)).toEqual([
      404,
      "entity_not_found",
    ]);
    expect(await refusal(`/v1/mentions?${company_()}&entity_type=person`, poor)).toEqual([404, "entity_not_found"]);
    expect(await refusal("/v1/entities/ent_99999999/mentions", poor)).toEqual([404, "entity_not_found"]);
    expect(await refusal("/v1/mentions?channel_id=no-such-channel", poor)).toEqual([404, "channel_not_found"]);
    expect(await refusal("/v1/mentions?channel_id=no-such-channel&dry_run=true", poor)).toEqual([
      404,
      "channel_not_found",
    ]);
    expect(await used(poor)).toBe(0);
  });

  it("for appearances of what is no person are refused", async () => {
    for (const path of [
      `/v1/mentions?is_appearance=true&${company_()}`,
      `/v1/entities/${company}/mentions?is_appearance=true`,
      "/v1/mentions?is_appearance=true&entity_name=filtered+works&entity_type=organization&dry_run=true",
    ])
      expect(await refusal(path)).toEqual([400, "appearances_person_only"]);
    expect((await get(`/v1/mentions?is_appearance=false&${company_()}`)).status).toBe(200);
  });

  it.each([
    "entity_id=x",
    "entity_type=company",
    "sentiment=happy",
    "is_appearance=yes",
    "in_ad=1",
    "date_from=2001-02-30",
    "date_to=yesterday",
    "q=",
    "q=%2B-*!",
    `q=${"a".repeat(201)}`,
    "details=some",
    "limit=101",
    "cursor=abc",
    "entity=5",
    "role=host",
  ])("%s is refused", async (query) => {
    expect(await refusal(`/v1/mentions?${query}`)).toEqual([400, "invalid_query"]);
  });

  it("that name two entities are refused", async () => {
    expect(
      await refusal(`/v1/mentions?entity_id=${person}&entity_name=Filtered+Person&entity_type=organization`),
    ).toEqual([404, "entity_not_found"]);
    const other = await createEntity(edge.context);
    expect(await refusal(`/v1/mentions?entity_id=${other}&entity_name=Filtered+Person`)).toEqual([
      400,
      "invalid_query",
    ]);
  });
});

describe("pages", () => {
  it("hold each mention once, newest first, also among equal times, for any limit", async () => {
    const { id, mentionIds } = await entityWith(5);
    const videoId = await createVideo(edge.context);
    for (let start = 0; start < 6; start += 1)
      mentionIds.unshift(
        await createMention(edge.context, { videoId, entityId: id, startSeconds: start, sentimentScore: start / 10 }),
      );
    for (const limit of [1, 4, 11, 100])
      expect(await everyPage(`/v1/mentions?entity_id=${id}&limit=${limit}`)).toEqual(mentionIds);
    expect(await everyPage(`/v1/mentions?entity_id=${id}&limit=2&q=they+spoke`)).toEqual(mentionIds);
  });

  it("neither repeat nor skip what was there at the start, whatever comes and goes meanwhile", async () => {
    const { id, mentionIds } = await entityWith(12);
    const merged = await createEntity(edge.context, { type: "organization" });
    const gone = new Set<number>();
    const seen = await everyPage(`/v1/mentions?entity_id=ent_${id}&limit=3`, async (page) => {
      const newest = await createVideo(edge.context, { publishedAt: new Date(Date.UTC(2030, 0, page + 1)) });
      await createMention(edge.context, { videoId: newest, entityId: id });
      if (page === 0) {
        await createMention(edge.context, { videoId: newest, entityId: merged });
        await merge(merged, id);
        const last = mentionIds.at(-1);
        const first = mentionIds.at(0);
        for (const deleted of [last, first]) {
          if (deleted === undefined) continue;
          gone.add(deleted);
          await edge.context.pool.query(sql.typeAlias("void")`delete from mention where id = ${deleted}`);
        }
      }
      if (page === 1) await merge(id, await createEntity(edge.context, { type: "organization" }));
    });
    expect(seen).toEqual(mentionIds.filter((mention, n) => n < 3 || !gone.has(mention)));
  });

  it("take a cursor of their own query only", async () => {
    const { id } = await entityWith(3);
    const path = `/v1/mentions?entity_id=${id}&limit=1`;
    const { next_cursor } = (await get(path)).json;
    expect((await get(`/v1/mentions?entity_id=${id}&limit=2&cursor=${next_cursor}`)).json.data).toHaveLength(2);
    for (const other of [
      `${path}&in_ad=false`,
      `${path}&q=they`,
      `${path}&date_to=2040-01-01`,
      `/v1/entities/${id}/mentions?limit=1`,
    ])
      expect(await refusal(`${other}&cursor=${next_cursor}`)).toEqual([400, "invalid_query"]);
    expect(await refusal(`${path}&cursor=${next_cursor}`, await edge.newKey())).toEqual([400, "invalid_query"]);
  });

  it("take two statements beside those that admit the request", async () => {
    const { id } = await entityWith(2);
    await get("/v1/me");
    const before = statements;
    await get("/v1/me");
    const admission = statements - before;
    const start = statements;
    await get(`/v1/mentions?entity_id=${id}`);
    expect(statements - start).toBeLessThanOrEqual(admission + 2);
  });
});

describe("merges", () => {
  it("show at once: the mentions of all that was merged, under the canonical entity", async () => {
    const [from, into] = [await entityWith(2), await entityWith(2)];
    await merge(from.id, into.id);
    const both = [...into.mentionIds, ...from.mentionIds];
    for (const id of [from.id, into.id]) {
      const { data } = (await get(`/v1/entities/${id}/mentions`)).json;
      expect(data.map((row: { id: string }) => row.id)).toEqual(both.map((mention) => `men_${mention}`));
      expect(new Set(data.map((row: { entity: { id: string } }) => row.entity.id))).toEqual(
        new Set([`ent_${into.id}`]),
      );
    }
  });
});

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
    expect(await idsOf(`/v1/mentions?entity_id=${id}&limit=1`, poor)).toEqual([newest]);
  });

  it("never passes the pool, however many pages are bought at once", async () => {
    const { id } = await entityWith(4);
    const buyer = await edge.newKey({ rows: 10 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => get(`/v1/mentions?entity_id=${id}`, buyer)));
    const returned = answers.reduce((sum, { status, json }) => sum + (status === 200 ? json.data.length : 0), 0);
    expect([returned, await used(buyer)]).toEqual([10, 10]);
  });
});
