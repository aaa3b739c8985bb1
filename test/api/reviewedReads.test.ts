import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createRecommendation } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
});

describe("what is applied is what the API answers, and reverted it answers as before:", () => {
  it("a search finds what was missing and leaves a duplicate out, for its own words alone", async () => {
    const { company, person, read, throughReview, companyId, personId } = scene;
    const search = async (q: string) =>
      (await read(`/v1/entities/search?q=${encodeURIComponent(q)}`)).data.map((each: { id: string }) => each.id);
    const query = { q: `Number${scene.number} Company` };
    const found = await throughReview(
      {
        kind: "result",
        id: companyId,
        issue: "missing_result",
        change: { entity_id: personId },
        query,
      },
      async () => [await search(query.q), await search(`company number${scene.number}`)],
    );
    expect(found.before[0]).not.toContain(person);
    expect([found.applied[0]?.includes(person), found.applied[1]]).toEqual([true, found.before[1]]);
    expect(found.after).toEqual(found.before);
    const hidden = await throughReview(
      { kind: "result", id: companyId, issue: "duplicate", change: { duplicate_of: personId }, query },
      () => search(query.q),
    );
    expect([hidden.before.includes(company), hidden.applied.includes(company)]).toEqual([true, false]);
    expect(hidden.after).toEqual(hidden.before);
  });

  it("a channel's sponsors: gone, another's, counted and judged otherwise, and added", async () => {
    const { videoId, channelId, company, read, throughReview, companyId, personId } = scene;
    for (const startSeconds of [10, 100, 200, 300])
      await createRecommendation(edge.context, { videoId, entityId: company, startSeconds });
    const look = async () => {
      const { data, channel } = await read(`/v1/channels/${channelId}/sponsors`);
      const rows = data.map((each: { entity: { id: string }; ad_read_count: number; status: string }) => [
        each.entity.id,
        each.ad_read_count,
        each.status,
      ]);
      return { rows, sponsorCount: channel.sponsor_count };
    };
    const sponsor = (issue: string, change?: Record<string, unknown>) =>
      throughReview({ kind: "sponsor", id: companyId, issue, ...(change !== undefined && { change }) }, look);
    const before = { rows: [[companyId, 4, "active"]], sponsorCount: 1 };
    const cases = [
      [await sponsor("not_a_sponsor"), { rows: [], sponsorCount: 0 }],
      [await sponsor("wrong_entity", { entity_id: personId }), { rows: [[personId, 4, "active"]], sponsorCount: 1 }],
      [await sponsor("wrong_count", { ad_read_count: 9 }), { rows: [[companyId, 9, "active"]], sponsorCount: 1 }],
      [await sponsor("wrong_count", { ad_read_count: 2 }), { rows: [], sponsorCount: 0 }],
      [await sponsor("wrong_status", { status: "lapsed" }), { rows: [[companyId, 4, "lapsed"]], sponsorCount: 1 }],
      [await sponsor("wrong_status", { status: "known" }), { rows: [[companyId, 4, "known"]], sponsorCount: 1 }],
      [
        await sponsor("missing", { entity_id: personId }),
        {
          rows: [
            [companyId, 4, "active"],
            [personId, 0, "known"],
          ],
          sponsorCount: 2,
        },
      ],
    ] as const;
    for (const [seen, applied] of cases) expect(seen).toEqual({ before, applied, after: before });
  });

  it("the alert history, with what was no alert marked as taken back, and with what was really meant", async () => {
    const { owner, videoId, company, read, throughReview, companyId, personId } = scene;
    const monitor = await edge.call("POST", "/v1/monitors", { key: owner.key, body: { name: "Watch" } });
    const monitorId: string = monitor.json.monitor.id;
    const alertId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: company, monitorId });
    const look = async () =>
      (await read(`/v1/monitors/${monitorId}/alerts`)).data.map(
        (each: { id: string; entity_id: string; start_seconds: number; retracted_at: string | null }) => [
          each.id,
          each.entity_id,
          each.start_seconds,
          each.retracted_at,
        ],
      );
    const alert = (issue: string, change?: Record<string, unknown>) =>
      throughReview({ kind: "alert", id: alertId, issue, ...(change !== undefined && { change }) }, look);
    const otherId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: company });
    const before = [[alertId, companyId, 10, null]];
    const moved = { start_seconds: 70, end_seconds: 75 };
    const retracted = [[alertId, companyId, 10, expect.stringMatching(/Z$/)]];
    expect(await alert("false_positive")).toEqual({ before, applied: retracted, after: before });
    expect(await alert("duplicate_alert", { duplicate_of: otherId })).toEqual({
      before,
      applied: retracted,
      after: before,
    });
    expect(await alert("wrong_entity", { entity_id: personId })).toEqual({
      before,
      applied: [[alertId, personId, 10, null]],
      after: before,
    });
    expect(await alert("wrong_timestamp", moved)).toEqual({
      before,
      applied: [[alertId, companyId, 70, null]],
      after: before,
    });
    expect(await alert("late_alert")).toEqual({ before, applied: before, after: before });
  });

  it("an entity: its name, its aliases, and one that it was all along", async () => {
    const { owner, read, throughReview, companyId, personId } = scene;
    const look = async () => {
      const { entity } = await read(`/v1/entities/${companyId}`);
      const lookup = await edge.call("GET", `/v1/entities/lookup?name=Nowhere+Else+${scene.number}`, owner);
      return [entity.canonical_id, entity.name, lookup.status];
    };
    const entity = (issue: string, change: Record<string, unknown>) =>
      throughReview({ kind: "entity", id: companyId, issue, change }, look);
    const before = [companyId, `Company Number${scene.number}`, 404];
    const name = `Nowhere Else ${scene.number}`;
    expect(await entity("wrong_name", { name })).toEqual({ before, applied: [before[0], name, 200], after: before });
    expect(await entity("missing_alias", { alias: name })).toEqual({
      before,
      applied: [before[0], before[1], 200],
      after: before,
    });
    expect(await entity("duplicate_entity", { canonical_id: personId })).toEqual({
      before,
      applied: [personId, `Person Number${scene.number}`, 404],
      after: before,
    });
  });
});
