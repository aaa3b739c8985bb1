import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import type { AppearanceRole } from "../../domain/evidence.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
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
const idsOf = async (path: string) => (await get(path)).json.data.map(({ id }: { id: string }) => id);
const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const refusal = async (path: string, as?: { key: string }) => {
  const { status, json } = await get(path, as);
  return [status, json.error.code];
};

async function appear(entityId: number, role?: AppearanceRole, channelId?: string): Promise<string> {
  const videoId = await createVideo(edge.context, channelId === undefined ? {} : { channelId });
  return `men_${await createMention(edge.context, { videoId, entityId, isAppearance: true, ...(role && { role }) })}`;
}

let people = 0;
async function newPerson(): Promise<{ id: number; slug: string }> {
  people += 1;
  const slug = `person-${people}`;
  return { id: await createEntity(edge.context, { type: "person", slug, name: `Person ${people}` }), slug };
}

describe("GET /v1/people/{slug}/appearances", () => {
  it("shows a person's appearances, newest first, with the person, and no mere mention", async () => {
    const { id, slug } = await newPerson();
    const videoId = await createVideo(edge.context, {
      videoId: "appear-1234",
      title: "With her",
      publishedAt: new Date("2026-05-06T07:08:09Z"),
    });
    await createMention(edge.context, { videoId, entityId: id });
    const older = await appear(id);
    const newest = await createMention(edge.context, {
      videoId,
      entityId: id,
      isAppearance: true,
      role: "guest",
      startSeconds: 1.5,
      endSeconds: 300,
      quote: "Thanks for having me.",
    });
    await edge.context.pool.query(
      sql.typeAlias("void")`update mention set speaking_seconds = 250.5 where id = ${newest}`,
    );
    const { json } = await get(`/v1/people/${slug}/appearances`);
    expect(json).toMatchObject({ has_more: false, next_cursor: null });
    expect(json.entity).toMatchObject({ id: `ent_${id}`, type: "person", appearance_count: 3, is_canonical: true });
    expect(json.data).toEqual([
      {
        id: `men_${newest}`,
        person: { id: `ent_${id}`, name: json.entity.name, type: "person" },
        media: expect.objectContaining({ video_id: videoId, title: "With her" }),
        role: "guest",
        start_seconds: 1.5,
        end_seconds: 300,
        speaking_seconds: 250.5,
        confidence: 0.9,
        source: "import",
        quote: "Thanks for having me.",
      },
      expect.objectContaining({ id: older, role: null, speaking_seconds: null }),
    ]);
  });

  it("narrows by channel, role and dates, alone and together", async () => {
    const { id, slug } = await newPerson();
    const host = await appear(id, "host", "stage-a");
    const guest = await appear(id, "guest", "stage-b");
    const hostElsewhere = await appear(id, "host", "stage-b");
    const path = `/v1/people/${slug}/appearances`;
    expect(await idsOf(path)).toEqual([hostElsewhere, guest, host]);
    expect(await idsOf(`${path}?role=host`)).toEqual([hostElsewhere, host]);
    expect(await idsOf(`${path}?role=host&limit=1`)).toEqual([hostElsewhere]);
    expect(await idsOf(`${path}?role=panelist`)).toEqual([]);
    expect(await idsOf(`${path}?channel_id=stage-b`)).toEqual([hostElsewhere, guest]);
    expect(await idsOf(`${path}?channel_id=stage-b&role=guest`)).toEqual([guest]);
    const published = (await get(path)).json.data[1].media.published_at;
    expect(await idsOf(`${path}?date_from=${published}`)).toEqual([hostElsewhere, guest]);
    expect(await idsOf(`${path}?date_from=${published}&date_to=${published}&role=guest`)).toEqual([guest]);
    expect(await refusal(`${path}?channel_id=stage-z`)).toEqual([404, "channel_not_found"]);
  });

  it("follows merges, from the slug of what was merged too", async () => {
    const [from, into] = [await newPerson(), await newPerson()];
    const [first, second] = [await appear(from.id, "host"), await appear(into.id)];
    await edge.context.pool.transaction((transaction) => mergeEntities(transaction, from.id, into.id));
    const { json } = await get(`/v1/people/${from.slug}/appearances`);
    expect(json.data.map(({ id, person }: { id: string; person: { id: string } }) => [id, person.id])).toEqual([
      [second, `ent_${into.id}`],
      [first, `ent_${into.id}`],
    ]);
    expect(json.entity).toMatchObject({ id: `ent_${into.id}`, is_canonical: false, merged_from_id: `ent_${from.id}` });
    expect(await idsOf(`/v1/people/${into.slug}/appearances?role=host`)).toEqual([first]);
  });

  it("refuses who is no person with 400 and who is unknown with 404, free of charge", async () => {
    const buyer = await edge.newKey();
    const types = ["organization", "product", "topic", "channel", "unknown", "company", "brand"] as const;
    for (const type of types) {
      await createEntity(edge.context, { type, slug: `no-person-${type}` });
      expect(await refusal(`/v1/people/no-person-${type}/appearances`, buyer)).toEqual([
        400,
        "appearances_person_only",
      ]);
    }
    expect(await refusal("/v1/people/no-person-topic/appearances?dry_run=true", buyer)).toEqual([
      400,
      "appearances_person_only",
    ]);
    expect(await refusal("/v1/people/nobody/appearances", buyer)).toEqual([404, "entity_not_found"]);
    expect(await used(buyer)).toBe(0);
  });

  it.each(["role=star", "is_appearance=true", "details=full", "date_from=x", "limit=0", "cursor=abc"])(
    "%s is refused",
    async (query) => {
      const { slug } = await newPerson();
      expect(await refusal(`/v1/people/${slug}/appearances?${query}`)).toEqual([400, "invalid_query"]);
    },
  );

  it("pages through all, each once, while others come and go", async () => {
    const { id, slug } = await newPerson();
    const all: string[] = [];
    for (let made = 0; made < 7; made += 1) all.unshift(await appear(id, made % 2 === 0 ? "host" : "guest"));
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { json } = await get(`/v1/people/${slug}/appearances?limit=2${cursor}`);
      seen.push(...json.data.map((row: { id: string }) => row.id));
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor}`;
      const videoId = await createVideo(edge.context, { publishedAt: new Date("2031-01-01T00:00:00Z") });
      await createMention(edge.context, { videoId, entityId: id, isAppearance: true });
    }
    expect(seen).toEqual(all);
  });

  it("costs a row each, what the pool covers; a dry run says so for nothing", async () => {
    const { id, slug } = await newPerson();
    for (let made = 0; made < 3; made += 1) await appear(id);
    const path = `/v1/people/${slug}/appearances`;
    const buyer = await edge.newKey({ rows: 5 });
    expect((await get(`${path}?dry_run=true`, buyer)).json).toEqual({
      quote: { rows: 3, count: 3, rows_remaining: 5 },
    });
    expect(await used(buyer)).toBe(0);
    expect((await get(path, buyer)).json.data).toHaveLength(3);
    const cut = (await get(path, buyer)).json;
    expect([cut.data.length, cut.has_more, await used(buyer)]).toEqual([2, true, 5]);
    expect(await refusal(path, buyer)).toEqual([402, "quota_exceeded"]);
  });
});
