import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { saveNames } from "../../database/entityNames.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const get = (path: string, as: { key: string } = caller) => edge.call("GET", path, as);
const idsOf = async (path: string) => {
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data.map(({ id }: { id: string }) => Number(id.replace("men_", "")));
};
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const refusal = async (path: string, as?: { key: string }) => {
  const { status, json } = await get(path, as);
  return [status, json.error.code];
};

describe("filters of mentions", () => {
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
