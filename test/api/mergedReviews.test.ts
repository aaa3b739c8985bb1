import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { createEntity } from "../builders/context.ts";
import { createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type Item, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
});

const apply = (item: Item) => scene.apply(item);
const revert = async (feedbackId: number) => expect((await scene.review(feedbackId, "revert")).status).toBe(200);
const refusalOf = async (item: Item) => scene.refusalOf(await scene.submit([item]));
const merge = (from: string, into: string): Item => ({
  kind: "entity",
  id: from,
  issue: "duplicate_entity",
  change: { canonical_id: into },
});

const duplicate = (id: string, of: string): Item => ({
  kind: "result",
  id,
  issue: "duplicate",
  change: { duplicate_of: of },
  query: { q: name() },
});
// Names that are not like one another, so that a search finds those of its own test.
const name = () => ["Quilfeather", "Zerfolio", "Babbage"][scene.number % 3] ?? "";
const twin = async () => entityId(await createEntity(edge.context, { type: "organization", name: name() }));
const searched = async () => {
  const { data } = await scene.read(`/v1/entities/search?q=${name()}`);
  const ids: number[] = data.map((each: { id: number }) => each.id);
  return ids.toSorted((a, b) => a - b).map(entityId);
};

describe("a duplicate among the results of a search", () => {
  it("takes nothing out any more once it is merged with the other, whichever way round", async () => {
    const [one, other, third] = [await twin(), await twin(), await twin()];
    await apply(duplicate(other, one));
    expect(await searched()).toEqual([one, third]);
    const merged = await apply(merge(other, one));
    expect(await searched()).toEqual([one, third]);
    await revert(merged);
    expect(await searched()).toEqual([one, third]);
    await apply(merge(one, other));
    expect(await searched()).toEqual([other, third]);
  });

  it("still takes one out that was merged with a third", async () => {
    const [one, other, third] = [await twin(), await twin(), await twin()];
    await apply(duplicate(other, one));
    await apply(merge(third, other));
    expect(await searched()).toEqual([one]);
  });

  it("is refused where the other is left out itself; where merges close a circle, both come", async () => {
    const [one, other, third] = [await twin(), await twin(), await twin()];
    await apply(duplicate(other, one));
    expect(await refusalOf(duplicate(one, other))).toBe(
      `${other} is left out of that search as a duplicate of ${one}; name what is listed there instead, or revert that first.`,
    );
    expect(await searched()).toEqual([one, third]);
    await apply(duplicate(one, third));
    expect(await searched()).toEqual([third]);
    await apply(merge(third, other));
    expect(await searched()).toEqual([one, other]);
  });
});

const adReads = async (entity: number, many: number) => {
  for (let n = 0; n < many; n += 1)
    await createRecommendation(edge.context, { videoId: scene.videoId, entityId: entity, startSeconds: n * 30 });
};
const brand = async (many: number) => {
  const id = await createEntity(edge.context, { type: "organization" });
  await adReads(id, many);
  return { id, publicId: entityId(id) };
};
const sponsoring = (id: string, issue: string, change?: Record<string, unknown>): Item => ({
  kind: "sponsor",
  id,
  issue,
  ...(change !== undefined && { change }),
});
const sponsors = async (query = "min_ad_reads=0") => {
  const { data } = await scene.read(`/v1/channels/${scene.channelId}/sponsors?${query}`);
  return data.map((each: { entity: { id: string }; ad_read_count: number; status: string }) => [
    each.entity.id,
    each.ad_read_count,
    each.status,
  ]);
};
const sponsorCount = async () =>
  (await scene.read(`/v1/channels/${scene.channelId}/sponsors?limit=1`)).channel.sponsor_count;

describe("a sponsor", () => {
  it("that is none takes its own rows alone out of what it is merged with, whichever way round", async () => {
    const [real, none] = [await brand(6), await brand(3)];
    await apply(sponsoring(none.publicId, "not_a_sponsor"));
    const before = [[real.publicId, 6, "active"]];
    expect([await sponsors(), await sponsorCount()]).toEqual([before, 1]);
    const merged = await apply(merge(none.publicId, real.publicId));
    expect([await sponsors(), await sponsorCount()]).toEqual([before, 1]);
    await revert(merged);
    expect([await sponsors(), await sponsorCount()]).toEqual([before, 1]);
    await apply(merge(real.publicId, none.publicId));
    expect([await sponsors(), await sponsorCount()]).toEqual([[[none.publicId, 6, "active"]], 1]);
  });

  it("that is none is none with all that was merged into it, apart again too, until that is reverted", async () => {
    const [one, other] = [await brand(6), await brand(3)];
    const before = await sponsors();
    const merged = await apply(merge(other.publicId, one.publicId));
    const none = await apply(sponsoring(one.publicId, "not_a_sponsor"));
    expect([await sponsors(), await sponsorCount()]).toEqual([[], 0]);
    await revert(merged);
    expect(await sponsors()).toEqual([]);
    await revert(none);
    expect(await sponsors()).toEqual(before);
  });

  it("that is none is one again where it is said to be missing", async () => {
    const [one, other] = [await brand(6), await brand(3)];
    await apply(merge(other.publicId, one.publicId));
    await apply(sponsoring(one.publicId, "not_a_sponsor"));
    await apply(sponsoring(scene.companyId, "missing", { entity_id: one.publicId }));
    expect(await sponsors()).toEqual([[one.publicId, 9, "active"]]);
    expect(await refusalOf(sponsoring(scene.companyId, "missing", { entity_id: one.publicId }))).toMatch(/already/);
  });

  it("is counted with what was said of either, and said of both together", async () => {
    const [one, other] = [await brand(6), await brand(3)];
    await apply(sponsoring(one.publicId, "wrong_count", { ad_read_count: 8 }));
    await apply(sponsoring(other.publicId, "wrong_count", { ad_read_count: 1 }));
    await apply(merge(other.publicId, one.publicId));
    expect(await sponsors()).toEqual([[one.publicId, 9, "active"]]);
    await apply(sponsoring(one.publicId, "wrong_count", { ad_read_count: 20 }));
    expect([await sponsors(), await sponsorCount()]).toEqual([[[one.publicId, 20, "active"]], 1]);
  });

  it("keeps its dates and its latest row whatever its status is said to be", async () => {
    const one = await brand(4);
    const old = await createVideo(edge.context, { channelId: scene.channelId, publishedAt: new Date("2020-05-01Z") });
    const lapsed = await createEntity(edge.context, { type: "organization" });
    await createRecommendation(edge.context, { videoId: old, entityId: lapsed });
    const look = async () => {
      const { data } = await scene.read(`/v1/channels/${scene.channelId}/sponsors?min_ad_reads=0`);
      return data.map((row: Record<string, unknown>) => [
        row["first_seen_at"],
        row["last_seen_at"],
        row["latest_recommendation_id"],
      ]);
    };
    const before = await look();
    const company = entityId(lapsed);
    for (const [id, status, expected] of [
      [
        one.publicId,
        "lapsed",
        [
          [one.publicId, 4, "lapsed"],
          [company, 1, "lapsed"],
        ],
      ],
      [
        one.publicId,
        "known",
        [
          [one.publicId, 4, "known"],
          [company, 1, "lapsed"],
        ],
      ],
      [
        company,
        "active",
        [
          [one.publicId, 4, "active"],
          [company, 1, "active"],
        ],
      ],
      [
        company,
        "known",
        [
          [one.publicId, 4, "active"],
          [company, 1, "known"],
        ],
      ],
    ] as const) {
      const feedbackId = await apply(sponsoring(id, "wrong_status", { status }));
      expect([await sponsors(), await look()]).toEqual([expected, before]);
      for (const only of ["active", "lapsed", "known"])
        expect(await sponsors(`min_ad_reads=0&status=${only}`)).toEqual(expected.filter((row) => row[2] === only));
      await revert(feedbackId);
    }
    expect(await look()).toEqual(before);
  });

  it("that has lapsed is active with one that it is merged with, and with what is heard later", async () => {
    const [one, other] = [await brand(6), await brand(3)];
    await apply(sponsoring(other.publicId, "wrong_status", { status: "lapsed" }));
    await apply(merge(other.publicId, one.publicId));
    expect(await sponsors()).toEqual([[one.publicId, 9, "active"]]);
    await apply(sponsoring(one.publicId, "wrong_status", { status: "lapsed" }));
    expect(await sponsors()).toEqual([[one.publicId, 9, "lapsed"]]);
    const later = new Date(Date.now() + 60_000);
    const videoId = await createVideo(edge.context, { channelId: scene.channelId, publishedAt: later });
    await createRecommendation(edge.context, { videoId, entityId: one.id });
    expect(await sponsors()).toEqual([[one.publicId, 10, "active"]]);
  });
});

const url = (id: string): Item => ({
  kind: "entity",
  id,
  issue: "wrong_url",
  change: { url: "https://example.com/its-own" },
});
const refusal = async (answer: Promise<{ status: number; json: { error?: { message: string } } }>) => {
  const { status, json } = await answer;
  return [status, json.error?.message];
};

describe("a correction that waits while its entity is merged", () => {
  it("does not change the other, and says what to do first; it can be applied once the merge is taken back", async () => {
    const { companyId, personId, submit, review, accept, read } = scene;
    const waiting = await submit([url(companyId)]);
    await accept(waiting);
    const merged = await apply(merge(companyId, personId));
    expect(await refusal(review(waiting, "apply"))).toEqual([
      409,
      `${companyId} was merged since this was submitted, and reads as ${personId}, which this would change instead: revert that merge first.`,
    ]);
    expect((await read(`/v1/entities/${personId}`)).entity.url).toBeNull();
    const since = await apply(url(companyId));
    expect((await read(`/v1/entities/${personId}`)).entity.url).toBe("https://example.com/its-own");
    await revert(since);
    await revert(merged);
    expect(await refusal(review(since, "apply"))).toEqual([
      409,
      `${companyId} read as ${personId} when this was submitted, and does not any more: merge the two again first.`,
    ]);
    await review(waiting, "apply");
    expect((await read(`/v1/entities/${companyId}`)).entity.url).toBe("https://example.com/its-own");
  });

  it("does not move the other into a third, nor put the second of two changes on it", async () => {
    const { companyId, personId, submit, review, accept, show } = scene;
    const third = entityId(await createEntity(edge.context));
    const further = await submit([merge(companyId, third)]);
    const both = await submit([merge(companyId, personId), url(companyId)]);
    await accept(further);
    const told = `${companyId} was merged since this was submitted, and reads as ${personId}, which this would change instead`;
    expect(await refusal(accept(both))).toEqual([409, expect.stringContaining(told)]);
    const [first, second] = (await show(both)).corrections.map((each: { correction_id: number }) => each.correction_id);
    const decide = (id: number | undefined) => review(both, "decide", { decision: "accepted", correction_ids: [id] });
    expect((await decide(first)).status).toBe(200);
    expect((await review(both, "apply")).status).toBe(200);
    expect(await refusal(decide(second))).toEqual([
      409,
      `${told}: reject this, or revert that merge first. Reject it, or accept it with changes that fit.`,
    ]);
    expect(await refusal(review(further, "apply"))).toEqual([409, `${told}: revert that merge first.`]);
  });
});
