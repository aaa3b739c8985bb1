import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";
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

interface Previewed {
  alert_ids: string[];
  pages: string[];
}
/** What the previews of applying it, and then of reverting it, say. */
async function previews(item: Item): Promise<[Previewed, Previewed]> {
  const feedbackId = await scene.submit([item]);
  const { json: apply } = await scene.review(feedbackId, "preview");
  await scene.applied(feedbackId);
  const { json: revert } = await scene.review(feedbackId, "preview", { action: "revert" });
  expect([apply.corrections[0].refusal, revert.corrections[0].refusal]).toEqual([null, null]);
  return [apply, revert];
}
const finds = (name: string) => [`/v1/entities/lookup?name=${name}`, `/v1/entities/search?q=${name}`];
const retracting = async (id: string) =>
  (await previews({ kind: "alert", id, issue: "false_positive" })).map(({ pages }) => pages);
const ofPeople = ({ pages }: Previewed) => pages.filter((page) => page.startsWith("/v1/people"));

describe("the pages that a preview names, of applying and of reverting alike,", () => {
  it("are those of the people who appear, where an appearance changes, and only there", async () => {
    const { videoId, person, personId } = scene;
    const about = { videoId, entityId: person };
    const appearance = await createMention(edge.context, { ...about, isAppearance: true, role: "host" });
    const mention = await createMention(edge.context, { ...about, startSeconds: 60 });
    const slug = await edge.context.pool.oneFirst(
      sql.type(z.object({ slug: z.string() }))`select slug from entity where id = ${person}`,
    );
    const other = await createEntity(edge.context);
    const changes: Item[] = [
      { kind: "appearance", id: mentionId(appearance), issue: "wrong_appearance_role", change: { role: "guest" } },
      { kind: "appearance", id: mentionId(appearance), issue: "person_not_present" },
      {
        kind: "appearance",
        id: personId,
        issue: "missing",
        change: { video_id: videoId, start_seconds: 80, end_seconds: 90, quote: "Hello." },
      },
      { kind: "entity", id: personId, issue: "duplicate_entity", change: { canonical_id: entityId(other) } },
    ];
    for (const item of changes)
      for (const each of await previews(item)) expect(ofPeople(each)).toContain(`/v1/people/${slug}/appearances`);
    for (const each of await previews({ kind: "mention", id: mentionId(mention), issue: "not_mentioned" }))
      expect(ofPeople(each)).toEqual([]);
  });

  it("are the sponsors, the names and the reviewed searches of what is merged", async () => {
    const { videoId, channelId, number, companyId, company, personId, submit, applied } = scene;
    await createRecommendation(edge.context, { videoId, entityId: company });
    await applied(
      await submit([
        {
          kind: "result",
          id: companyId,
          issue: "missing_result",
          query: { q: `Search ${number}` },
          change: { entity_id: companyId },
        },
      ]),
    );
    const merge: Item = {
      kind: "entity",
      id: companyId,
      issue: "duplicate_entity",
      change: { canonical_id: personId },
    };
    for (const { pages } of await previews(merge))
      expect(pages).toEqual(
        expect.arrayContaining([
          `/v1/channels/${channelId}/sponsors`,
          `/v1/entities/lookup?name=Company%20Number${number}`,
          `/v1/entities/search?q=Company%20Number${number}`,
          `/v1/entities/search?q=search%20${number}`,
        ]),
      );
  });

  it("are what finds an entity by the names that come or go", async () => {
    const { number, companyId } = scene;
    for (const { pages } of await previews({
      kind: "entity",
      id: companyId,
      issue: "missing_alias",
      change: { alias: `Alias${number}` },
    }))
      expect(pages).toEqual([`/v1/entities/${companyId}`, ...finds(`Alias${number}`)]);
    for (const { pages } of await previews({
      kind: "entity",
      id: companyId,
      issue: "wrong_name",
      change: { name: `Renamed${number}` },
    }))
      expect(pages).toEqual(
        expect.arrayContaining([...finds(`Company%20Number${number}`), ...finds(`Renamed${number}`)]),
      );
  });

  it("are the histories of the monitors that alerts are of", async () => {
    const { owner, videoId, company } = scene;
    const about = { videoId, entityId: company };
    const watched = await createFiredAlert(edge.context, owner.accountId, { ...about, monitorId: "mon_7" });
    const alone = await createFiredAlert(edge.context, owner.accountId, about);
    expect(await retracting(watched)).toEqual([["/v1/monitors/mon_7/alerts"], ["/v1/monitors/mon_7/alerts"]]);
    expect(await retracting(alone)).toEqual([[], []]);
  });
});

it("alerts that show a mention are named, whether it goes or comes back", async () => {
  const { owner, videoId, company } = scene;
  const id = await createMention(edge.context, { videoId, entityId: company });
  const alertId = await createFiredAlert(edge.context, owner.accountId, { videoId, entityId: company, mentionId: id });
  const both = await previews({ kind: "mention", id: mentionId(id), issue: "not_mentioned" });
  expect(both.map(({ alert_ids }) => alert_ids)).toEqual([[alertId], [alertId]]);
});
