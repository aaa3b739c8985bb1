import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { sumBrandProfiles } from "../../services/brandProfiles/sum.ts";
import { createBrand, createRows, merge } from "../builders/commerce.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

const summaryOf = async (id: number, by: NewKey) =>
  (await edge.call("GET", `/v1/entities/${id}`, by)).json.recommendations_summary;

describe("recommendations_summary of GET /v1/entities/{id}", () => {
  it("is there for brands with commercial data, for callers with the tier and the scope", async () => {
    const { context } = edge;
    const allowed = await edge.newKey({ tier: "pro_plus" });
    const brands: number[] = [];
    for (const type of ["organization", "product", "company", "brand"] as const) {
      const id = await createBrand(context, `Sold ${type}`, type);
      expect(await summaryOf(id, allowed)).toBeUndefined();
      await createRows(context, id, [{}, {}, { mentionClass: "endorsement" }], { channelId: `UC-${type}` });
      brands.push(id);
    }
    const uncomputed = {
      total_ad_reads: 0,
      total_endorsements: 0,
      unique_shows: 0,
      first_seen_at: null,
      last_seen_at: null,
      channels_as_sponsor: 0,
    };
    for (const id of brands) expect(await summaryOf(id, allowed)).toEqual(uncomputed);
    await sumBrandProfiles(context);
    for (const id of brands)
      expect(await summaryOf(id, allowed)).toEqual({
        total_ad_reads: 2,
        total_endorsements: 1,
        unique_shows: 1,
        first_seen_at: "2026-04-01T00:00:00.000Z",
        last_seen_at: "2026-04-03T00:00:00.000Z",
        channels_as_sponsor: 0,
      });
    const [id = 0] = brands;
    for (const plan of [
      { tier: "free", scopes: ["read"] },
      { tier: "pro", scopes: ["read"] },
      { tier: "enterprise", scopes: ["read", "recommendations:write"] },
    ] as const)
      expect(await summaryOf(id, await edge.newKey(plan))).toBeUndefined();
    const person = await createBrand(context, "Somebody", "person");
    await createRows(context, person, [{}]);
    expect(await summaryOf(person, allowed)).toBeUndefined();
  });

  it("of a merged brand is right at the commit, on both sides, and again when the merge is undone", async () => {
    const { context } = edge;
    const [from, into] = [await createBrand(context, "From brand"), await createBrand(context, "Into brand")];
    await createRows(context, from, [{}, {}], { channelId: "UC-from" });
    await createRows(context, into, [{}], { channelId: "UC-into" });
    await sumBrandProfiles(context);
    const by = await edge.newKey();
    const before = [await summaryOf(from, by), await summaryOf(into, by)];
    await merge(context, from, into);
    for (const id of [from, into])
      expect(await summaryOf(id, by)).toMatchObject({ total_ad_reads: 3, unique_shows: 2 });
    await context.pool.query(
      sql.typeAlias("void")`update entity set canonical_id = null, merged_into_id = null where id = ${from}`,
    );
    expect([await summaryOf(from, by), await summaryOf(into, by)]).toEqual(before);
  });

  it("shares a statement with reads of callers who may not see it", async () => {
    const { context } = edge;
    const id = await createBrand(context, "Read by many");
    await createRows(context, id, [{}]);
    const keys = [await edge.newKey(), await edge.newKey({ tier: "pro" })];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => edge.call("GET", `/v1/entities/${id}`, keys[n % 2])),
    );
    expect(answers.map(({ json }) => "recommendations_summary" in json)).toEqual(
      Array.from({ length: 16 }, (_, n) => n % 2 === 0),
    );
  });
});
