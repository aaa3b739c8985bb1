import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listLedger } from "../../database/ledger.ts";
import { sql } from "../../database/pool.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { createBrand, createChannel, createRows, merge } from "../builders/commerce.ts";
import { createEntity } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge();
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const get = (channelId: string, by = caller) => edge.call("GET", `/v1/channels/${channelId}`, by);
const ledger = async ({ accountId }: NewKey) =>
  (await listLedger(edge.context.pool, accountId, usagePeriod(new Date()))).map(({ rows, reason }) => [rows, reason]);

describe("GET /v1/channels/{channel_id}", () => {
  it("reads the channel's entity with the platform's id and the number of sponsors, for one row", async () => {
    const by = await edge.newKey({ tier: "pro", scopes: ["read"] });
    const channelId = await createChannel(edge.context, "Plain Channel");
    await createRows(edge.context, await createBrand(edge.context, "Shown to all"), [{}, {}, {}], { channelId });
    const { status, json } = await get(channelId, by);
    expect([status, json]).toEqual([
      200,
      {
        channel: {
          id: expect.stringMatching(/^ent_\d+$/),
          numeric_id: expect.any(Number),
          canonical_id: json.channel.id,
          name: "Plain Channel",
          type: "channel",
          platform: null,
          url: null,
          image_url: null,
          image_checked_at: null,
          appearance_count: 0,
          owner_entity_id: null,
          is_canonical: true,
          merged_from_id: null,
          route: expect.stringMatching(/^\/channels\//),
          channel_id: channelId,
          sponsor_count: 1,
        },
      },
    ]);
    expect(await ledger(by)).toEqual([[1, "channel read"]]);
  });

  it("adds the totals of its own commercial rows for those with access, once there are any", async () => {
    const channelId = await createChannel(edge.context, "Totals");
    const other = await createChannel(edge.context, "Other");
    expect((await get(channelId)).json).not.toHaveProperty("recommendations_summary");
    const [one, two] = [await createBrand(edge.context, "One"), await createBrand(edge.context, "Two")];
    const from = new Date("2026-01-01T00:00:00.000Z");
    await createRows(edge.context, one, [{}, {}, { mentionClass: "endorsement" }], { channelId, from });
    await createRows(edge.context, two, [{ mentionClass: "mention" }, {}, { conflictStatus: "disputed" }], {
      channelId,
      from: new Date("2026-02-01T00:00:00.000Z"),
    });
    await createRows(edge.context, two, [{}], { channelId: other });
    expect((await get(channelId)).json.recommendations_summary).toEqual({
      total_ad_reads: 3,
      total_endorsements: 1,
      unique_shows: 1,
      first_seen_at: "2026-01-01T00:00:00.000Z",
      last_seen_at: "2026-02-02T00:00:00.000Z",
      channels_as_sponsor: 0,
    });
    for (const plan of [{ tier: "pro", scopes: ["read"] } as const, { tier: "pro_plus", scopes: ["read"] } as const])
      expect((await get(channelId, await edge.newKey(plan))).json).not.toHaveProperty("recommendations_summary");
  });

  it("with curated advertisers alone has a summary of nothing seen", async () => {
    const channelId = await createChannel(edge.context, "Curated");
    const entityId = await createBrand(edge.context, "Known there");
    await edge.context.pool.query(
      sql.typeAlias("void")`insert into known_advertiser values (${channelId}, ${entityId})`,
    );
    const { channel, recommendations_summary } = (await get(channelId)).json;
    expect([channel.sponsor_count, recommendations_summary]).toEqual([
      1,
      {
        total_ad_reads: 0,
        total_endorsements: 0,
        unique_shows: 0,
        first_seen_at: null,
        last_seen_at: null,
        channels_as_sponsor: 0,
      },
    ]);
  });

  it("follows merges of the channel's entity", async () => {
    const channelId = await createChannel(edge.context, "Old name");
    const into = await createEntity(edge.context, { name: "New name", type: "channel" });
    const from = (await get(channelId)).json.channel.numeric_id;
    await merge(edge.context, from, into);
    expect((await get(channelId)).json.channel).toMatchObject({
      id: `ent_${into}`,
      name: "New name",
      merged_from_id: `ent_${from}`,
      channel_id: channelId,
    });
  });

  it("makes the entity of a channel that came with a recording, once", async () => {
    const channelId = "UC-recorded";
    await createVideo(edge.context, { channelId });
    await createEntity(edge.context, { slug: "channel-uc-recorded" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => get(channelId)));
    const ids = new Set(answers.map(({ json }) => json.channel.id));
    expect(ids.size).toBe(1);
    expect(answers[0]?.json.channel).toMatchObject({
      name: "Channel UC-recorded",
      route: expect.stringMatching(/^\/channels\/channel-uc-recorded-\d+$/),
    });
    expect((await edge.call("GET", "/v1/recommendations?channel_name=channel%20uc%20recorded", caller)).status).toBe(
      200,
    );
  });

  it("without media is 404 and free, also as a quote", async () => {
    const by = await edge.newKey();
    await createEntity(edge.context, { type: "channel", platformId: "UC-empty", slug: "empty-channel" });
    for (const id of ["UC-empty", "empty-channel", "UC-unknown", "UC-unknown?dry_run=true"]) {
      const { status, json } = await get(id, by);
      expect([status, json.error.code]).toEqual([404, "channel_not_found"]);
    }
    expect(await ledger(by)).toEqual([]);
  });

  it("dry_run=true says what the read would cost", async () => {
    const by = await edge.newKey({ rows: 10 });
    const answer = await get(`${await createChannel(edge.context, "Quoted")}?dry_run=true`, by);
    expect([answer.json, await ledger(by)]).toEqual([{ quote: { rows: 1, count: 1, rows_remaining: 10 } }, []]);
  });
});
