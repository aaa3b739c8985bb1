import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createMentionedEntity, createVideo } from "../builders/evidence.ts";
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
const refusal = async (path: string, as?: { key: string }) => {
  const { status, json } = await get(path, as);
  return [status, json.error.code];
};
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));

const entityWith = (mentions: number) => createMentionedEntity(edge.context, mentions);

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
