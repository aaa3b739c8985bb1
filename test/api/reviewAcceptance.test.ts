import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { readableState } from "../builders/readableState.ts";
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

const decide = async (feedbackId: number, body: Record<string, unknown>): Promise<[number, string, string]> => {
  const { status, json } = await scene.review(feedbackId, "decide", body);
  return [status, json.error?.code ?? json.status, json.error?.message ?? ""];
};
const accept = (feedbackId: number, ids?: number[]) =>
  decide(feedbackId, { decision: "accepted", ...(ids !== undefined && { correction_ids: ids }) });
const change = (feedbackId: number, changed: Record<string, unknown>, ids?: number[]) =>
  decide(feedbackId, {
    decision: "accepted_with_changes",
    change: changed,
    ...(ids !== undefined && { correction_ids: ids }),
  });
const idsOf = async (feedbackId: number): Promise<number[]> =>
  (await scene.show(feedbackId)).corrections.map((each: { correction_id: number }) => each.correction_id);
const mentionAt = (startSeconds: number, more: { entityId?: number; videoId?: string } = {}) =>
  createMention(edge.context, { videoId: scene.videoId, entityId: scene.company, startSeconds, ...more });

const refused = (reason: string) => [
  409,
  "illegal_transition",
  expect.stringMatching(new RegExp(`${reason}.*Reject it, or accept it with changes that fit\\.$`)),
];

describe("what cannot be applied is not accepted, with the reason, and can still be decided", () => {
  const cases: readonly {
    what: string;
    reason: string;
    item: () => Promise<Item>;
    /** With which it can be accepted after all. */
    fits?: () => Record<string, unknown>;
  }[] = [
    {
      what: "a sponsor of no channel",
      reason: "has a `channel_id`",
      item: async () => {
        await createRecommendation(edge.context, { videoId: scene.videoId, entityId: scene.company });
        return { kind: "sponsor", id: scene.companyId, issue: "not_a_sponsor", query: { a: 1 } };
      },
      fits: () => ({ channel_id: scene.channelId }),
    },
    {
      what: "a duplicate of no search",
      reason: "has a `q`",
      item: async () => ({
        kind: "result",
        id: scene.companyId,
        issue: "duplicate",
        change: { duplicate_of: scene.personId },
      }),
      fits: () => ({ duplicate_of: scene.personId, q: "number" }),
    },
    {
      what: "a duplicate of a search whose words are too long for it",
      reason: "longer than any that can be searched for",
      item: async () => ({
        kind: "result",
        id: scene.companyId,
        issue: "duplicate",
        query: { q: "\ufdfa".repeat(200) },
        change: { duplicate_of: scene.personId },
      }),
    },
    {
      what: "a missing row of no entity",
      reason: "of which entity",
      item: async () => ({
        kind: "mention",
        id: mentionId(await mentionAt(10)),
        issue: "missing",
        change: { video_id: scene.videoId, start_seconds: 1, end_seconds: 2, quote: "x" },
      }),
      fits: () => ({
        video_id: scene.videoId,
        entity_id: scene.personId,
        start_seconds: 1,
        end_seconds: 2,
        quote: "x",
      }),
    },
    {
      what: "an entity that owns itself",
      reason: "does not own itself",
      item: async () => ({
        kind: "entity",
        id: scene.companyId,
        issue: "wrong_owner",
        change: { owner_entity_id: scene.companyId },
      }),
      fits: () => ({ owner_entity_id: scene.personId }),
    },
    {
      what: "a duplicate across videos",
      reason: "different videos",
      item: async () => {
        const other = await createVideo(edge.context, { channelId: scene.channelId });
        const original = await mentionAt(10, { videoId: other });
        return {
          kind: "mention",
          id: mentionId(await mentionAt(10)),
          issue: "duplicate",
          change: { duplicate_of: mentionId(original) },
        };
      },
    },
    {
      what: "a duplicate of another entity's row",
      reason: `of ent_\\d+ and so no duplicate`,
      item: async () => {
        const original = await mentionAt(10, { entityId: scene.person });
        return {
          kind: "mention",
          id: mentionId(await mentionAt(10)),
          issue: "duplicate",
          change: { duplicate_of: mentionId(original) },
        };
      },
      fits: () => ({ issue_type: "wrong_entity", entity_id: scene.personId }),
    },
    {
      what: "a duplicate of another entity's commercial row",
      reason: `of ent_\\d+ and so no duplicate`,
      item: async () => {
        const { videoId, company, person } = scene;
        const original = await createRecommendation(edge.context, { videoId, entityId: person });
        const row = await createRecommendation(edge.context, { videoId, entityId: company });
        return {
          kind: "recommendation",
          id: recommendationId(row),
          issue: "duplicate",
          change: { duplicate_of: recommendationId(original) },
        };
      },
    },
    {
      what: "a missing row that is there",
      reason: "is there already",
      item: async () => {
        await mentionAt(10);
        const told = { video_id: scene.videoId, start_seconds: 10, end_seconds: 15, quote: "x" };
        return { kind: "mention", id: scene.companyId, issue: "missing", change: told };
      },
    },
    {
      what: "an alias that is known",
      reason: "has that name already",
      item: async () => ({
        kind: "entity",
        id: entityId(await createEntity(edge.context, { name: `Known${scene.number}`, aliases: ["As This"] })),
        issue: "missing_alias",
        change: { alias: "as this" },
      }),
      fits: () => ({ alias: "Otherwise" }),
    },
  ];

  it.each(cases)("$what", async ({ item, reason, fits }) => {
    const feedbackId = await scene.submit([await item()]);
    const before = await readableState(edge.context);
    expect(await accept(feedbackId)).toEqual(refused(reason));
    expect((await scene.show(feedbackId)).status).toBe("pending_review");
    expect(await readableState(edge.context)).toEqual(before);
    const preview = await scene.review(feedbackId, "preview");
    expect(preview.json.corrections[0].refusal).toMatch(new RegExp(reason));
    const ends =
      fits === undefined
        ? [await decide(feedbackId, { decision: "rejected" })]
        : [await change(feedbackId, fits()), await change(feedbackId, fits())];
    const status = fits === undefined ? "rejected" : "accepted_with_changes";
    expect(ends).toEqual(ends.map(() => [200, status, ""]));
    const { status: applied } = await scene.review(feedbackId, "apply");
    expect(applied).toBe(fits === undefined ? 409 : 200);
  });

  it("nor with changes that cannot be applied either", async () => {
    const { companyId, submit } = scene;
    const feedbackId = await submit([
      { kind: "entity", id: companyId, issue: "wrong_url", change: { url: "https://example.com/right" } },
    ]);
    expect(await change(feedbackId, { issue_type: "wrong_owner", owner_entity_id: companyId })).toEqual(
      refused("does not own itself"),
    );
    expect(await accept(feedbackId)).toEqual([200, "accepted", ""]);
  });

  it("what only records something is accepted whatever it names", async () => {
    const { companyId, submit } = scene;
    const feedbackId = await submit([{ kind: "result", id: companyId, issue: "irrelevant", query: { a: 1 } }]);
    expect(await accept(feedbackId)).toEqual([200, "accepted", ""]);
    expect(await accept(feedbackId)).toEqual([200, "accepted", ""]);
    expect((await scene.review(feedbackId, "apply")).json.status).toBe("applied");
  });
});

const alias = (id: string): Item => ({ kind: "entity", id, issue: "missing_alias", change: { alias: "Known As" } });
const rename = (id: string): Item => ({ kind: "entity", id, issue: "wrong_name", change: { name: "Known As" } });

describe("corrections of one feedback", () => {
  it.each([true, false])("are accepted where one builds on another, together: %s", async (together) => {
    const { personId, person, submit } = scene;
    const id = mentionId(await mentionAt(20));
    const original = mentionId(await mentionAt(120, { entityId: person }));
    const feedbackId = await submit([
      { kind: "mention", id, issue: "wrong_entity", change: { entity_id: personId } },
      { kind: "mention", id, issue: "duplicate", change: { duplicate_of: original } },
    ]);
    const [first = 0, second = 0] = await idsOf(feedbackId);
    expect((await accept(feedbackId, [second]))[0]).toBe(409);
    const ends = together
      ? [await accept(feedbackId)]
      : [await accept(feedbackId, [first]), await accept(feedbackId, [second])];
    expect(ends.map(([status]) => status)).toEqual(ends.map(() => 200));
    expect((await scene.review(feedbackId, "apply")).json.status).toBe("applied");
  });

  it("that exclude each other are not accepted together, and the one that cannot be is named", async () => {
    const { companyId, submit } = scene;
    const feedbackId = await submit([rename(companyId), alias(companyId)]);
    const [first = 0, second = 0] = await idsOf(feedbackId);
    expect(await accept(feedbackId)).toEqual(refused(`^Correction ${second}: It has that name already\\.`));
    expect((await scene.show(feedbackId)).status).toBe("pending_review");
    expect((await accept(feedbackId, [first]))[0]).toBe(200);
    expect(await accept(feedbackId, [second])).toEqual(refused(`^After ${first}, accepted already: It has that name`));
    expect(await change(feedbackId, { alias: "Another" }, [second])).toEqual([200, "accepted", ""]);
    expect((await scene.review(feedbackId, "apply")).json.status).toBe("applied");
  });

  it("are not held up by one that was accepted and cannot be applied any more", async () => {
    const { submit, notMentioned, applied, review } = scene;
    const gone = await notMentioned();
    const feedbackId = await submit([gone, await notMentioned()]);
    const [first = 0, second = 0] = await idsOf(feedbackId);
    expect((await accept(feedbackId, [first]))[0]).toBe(200);
    await applied(await submit([gone]));
    expect(await accept(feedbackId, [second])).toEqual([200, "accepted", ""]);
    expect((await review(feedbackId, "apply")).json.error.message).toMatch(`Correction ${first}: `);
    expect((await review(feedbackId, "apply", { correction_ids: [second] })).status).toBe(200);
  });
});
