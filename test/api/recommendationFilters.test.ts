import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBrand, createChannel, createRows } from "../builders/commerce.ts";
import { createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  caller = await edge.newKey({ rows: 10_000_000 });
});
afterAll(() => edge.close());

const get = (query: string) => edge.call("GET", `/v1/recommendations?${query}`, caller);
const idsOf = (json: { data: { recommendation_id: number }[] }) => json.data.map((row) => row.recommendation_id);

describe("filters of GET /v1/recommendations", () => {
  it("find the entity by name or alias, narrowed by type", async () => {
    const organization = await createBrand(edge.context, "Mercurius");
    const product = await createBrand(edge.context, "Mercurius", "product");
    await createBrand(edge.context, "Acme Anvils");
    const [ofProduct] = await createRows(edge.context, product, [{}]);
    await createRows(edge.context, organization, [{}]);
    expect(idsOf((await get("entity_name=the%20mercuriús%20inc&entity_type=product")).json)).toEqual([ofProduct]);
    expect((await get("entity_name=mercurius&entity_type=person")).json.error.code).toBe("entity_not_found");
    expect((await get("entity_name=nobody-at-all")).json.error.code).toBe("entity_not_found");
    expect((await get("entity_id=999999999")).json.error.code).toBe("entity_not_found");
    expect((await get(`entity_id=${product}&entity_name=mercurius&entity_type=product`)).status).toBe(200);
    expect((await get(`entity_id=${product}&entity_type=organization`)).json.error.code).toBe("entity_not_found");
    expect((await get(`entity_id=${product}&entity_name=acme%20anvils`)).json.error.code).toBe("invalid_query");
  });

  it("find rows of a channel by its id or its name, without an entity", async () => {
    const [here, there] = [
      await createChannel(edge.context, "Café Talk"),
      await createChannel(edge.context, "Elsewhere"),
    ];
    const [one, two] = [
      await createBrand(edge.context, "Here One"),
      await createBrand(edge.context, "Here Two", "product"),
    ];
    const [first] = await createRows(edge.context, one, [{}], { channelId: here });
    const [second] = await createRows(edge.context, two, [{}], { channelId: here });
    const [third] = await createRows(edge.context, one, [{}], { channelId: there });
    for (const query of [
      `channel_id=${here}`,
      "channel_name=CAFE%20talk",
      `channel_id=${here}&channel_name=cafe%20talk`,
    ]) {
      const { json } = await get(query);
      expect([idsOf(json), json.entity]).toEqual([[second, first], null]);
    }
    expect(idsOf((await get(`channel_id=${there}&entity_id=${one}`)).json)).toEqual([third]);
    expect(idsOf((await get(`channel_id=${here}&entity_type=product`)).json)).toEqual([second]);
    expect(idsOf((await get(`channel_id=${here}&entity_type=organization`)).json)).toEqual([first]);
    for (const query of [
      "channel_id=UC-nowhere",
      "channel_name=nowhere",
      `channel_id=${there}&channel_name=cafe%20talk`,
    ])
      expect((await get(query)).json.error.code).toBe("channel_not_found");
  });

  it("are by class, by confidence from 0.7 unless asked otherwise, and hide disputed rows", async () => {
    const entityId = await createBrand(edge.context, "Narrowed");
    const rows = await createRows(
      edge.context,
      entityId,
      [0, 0.499, 0.5, 0.69, 0.7, 0.85, 0.95, 0.99, 0.995, 1].flatMap((confidence) =>
        (["ad_read", "endorsement", "mention"] as const).map((mentionClass, place) => ({
          confidence,
          mentionClass,
          conflictStatus: (["none", "disputed", "resolved"] as const)[place] ?? "none",
        })),
      ),
    );
    const all = rows
      .toReversed()
      .map((id, place) => ({
        id,
        confidence: [0, 0.499, 0.5, 0.69, 0.7, 0.85, 0.95, 0.99, 0.995, 1][Math.floor(place / 3)] ?? 0,
        mentionClass: ["ad_read", "endorsement", "mention"][place % 3],
        isDisputed: place % 3 === 1,
      }))
      .toReversed();
    for (const minimum of [null, "null", "0", "0.5", "0.6", "0.7", "0.9", "0.99", "0.992", "1"]) {
      for (const mentionClass of [null, "all", "ad_read", "endorsement", "mention"]) {
        for (const include of [null, "true", "false"]) {
          const query = [
            `entity_id=${entityId}&limit=100`,
            ...(minimum === null ? [] : [`min_confidence=${minimum}`]),
            ...(mentionClass === null ? [] : [`mention_class=${mentionClass}`]),
            ...(include === null ? [] : [`include_disputed=${include}`]),
          ].join("&");
          const expected = all.filter(
            (row) =>
              row.confidence >= (minimum === null ? 0.7 : minimum === "null" ? 0 : Number(minimum)) &&
              (mentionClass === null || mentionClass === "all" || row.mentionClass === mentionClass) &&
              (include === "true" || !row.isDisputed),
          );
          expect([query, idsOf((await get(query)).json)]).toEqual([query, expected.map(({ id }) => id)]);
        }
      }
    }
  });

  it("are by dates, both ends included, a plain date as its whole day; what has no date is in no range", async () => {
    const entityId = await createBrand(edge.context, "Dated");
    const at = async (publishedAt: Date | null) =>
      createRecommendation(edge.context, { videoId: await createVideo(edge.context, { publishedAt }), entityId });
    const [first, noon, last, next] = [
      await at(new Date("2026-05-01T00:00:00.000Z")),
      await at(new Date("2026-05-01T12:00:00.000Z")),
      await at(new Date("2026-05-01T23:59:59.999Z")),
      await at(new Date("2026-05-02T00:00:00.000Z")),
    ];
    const unknown = await at(null);
    const found = async (query: string) => idsOf((await get(`entity_id=${entityId}&${query}`)).json);
    expect(await found("limit=50")).toEqual([next, last, noon, first, unknown]);
    expect(await found("date_from=2026-05-01&date_to=2026-05-01")).toEqual([last, noon, first]);
    expect(await found("date_to=2026-05-01")).toEqual([last, noon, first]);
    expect(await found("date_from=2026-05-02")).toEqual([next]);
    expect(await found("date_from=2026-05-01T12:00:00Z&date_to=2026-05-02T00:00:00%2B00:00")).toEqual([
      next,
      last,
      noon,
    ]);
    expect(await found("date_from=2026-05-01T14:00:00%2B02:00&date_to=2026-05-01T12:00:00.000Z")).toEqual([noon]);
    expect(await found("date_from=2027-01-01")).toEqual([]);
  });

  it.each([
    "",
    "entity_type=person",
    "limit=5",
    "entity_id=ent_",
    "entity_id=1&limit=0",
    "entity_id=1&limit=101",
    "entity_id=1&mention_class=advert",
    "entity_id=1&min_confidence=1.1",
    "entity_id=1&min_confidence=-0.1",
    "entity_id=1&min_confidence=",
    "entity_id=1&date_from=yesterday",
    "entity_id=1&date_from=2026-02-30",
    "entity_id=1&date_to=2026-02-30T00:00:00Z",
    "entity_id=1&date_to=2026-01-01T00:00:00",
    "entity_id=1&include_disputed=yes",
    "entity_id=1&entity_type=unknown",
    "entity_id=1&entityid=2",
    "entity_id=1&cursor=abc",
  ])("%j is refused", async (query) => {
    const answer = await get(query);
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
  });
});
