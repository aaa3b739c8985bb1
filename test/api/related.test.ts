import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import type { NewKey } from "./edge.ts";
import { startRelatedScene } from "./relatedScene.ts";

let scene: Awaited<ReturnType<typeof startRelatedScene>>;
beforeAll(async () => {
  scene = await startRelatedScene();
});
afterAll(() => scene.edge.close());

const used = async ({ accountId }: NewKey) => (await readUsage(scene.context, accountId)).rows_used;

describe("the four lists", () => {
  it.each([
    ["/v1/organizations/{slug}/channels", "organization", "channel"],
    ["/v1/organizations/{slug}/channels", "company", "channel"],
    ["/v1/topics/{slug}/products", "topic", "product"],
    ["/v1/channels/{slug}/people", "channel", "person"],
    ["/v1/products/{slug}/topics", "product", "topic"],
  ] as const)("%s of a %s: what is mentioned in the same video, of type %s alone", async (path, type, rowType) => {
    const subject = await scene.entity(type, "Subject");
    const related = await scene.entity(rowType, "Related", { description: "What it is" });
    const others = [
      await scene.entity("unknown", "Never classified"),
      await scene.entity(rowType === "person" ? "topic" : "person", "Other"),
    ];
    await scene.entity(rowType, "Elsewhere");
    await scene.video([subject, related, related, ...others], { day: 3 });
    await scene.video([related], { day: 9 });
    await scene.video([subject, related], { day: 5 });
    await scene.video([subject, ...others], { day: 7 });
    const answer = await scene.read(path.replace("{slug}", subject.slug));
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: [
          {
            id: `ent_${related.id}`,
            numeric_id: related.id,
            slug: related.slug,
            name: "Related",
            type: rowType,
            image_url: null,
            description: "What it is",
            platform: null,
            url: null,
            relation: {
              mention_count: 3,
              media_count: 2,
              first_seen_at: "2026-01-03T00:00:00.000Z",
              last_seen_at: "2026-01-05T00:00:00.000Z",
            },
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    ]);
  });

  it("a channel takes part in every video of its platform channel, spoken of or not, as subject and as row", async () => {
    const channel = await scene.entity("channel", "The Show", { platformId: "show-1" });
    const person = await scene.entity("person", "Guest");
    const organization = await scene.entity("organization", "Sponsor");
    await scene.video([person, organization], { channelId: "show-1" });
    await scene.video([person, organization, channel], { channelId: "show-1" });
    await scene.video([organization], { channelId: "show-1" });
    await scene.video([person, channel], { channelId: "somewhere-else" });
    await scene.video([person], { channelId: "somewhere-else" });
    const people = await scene.rows(`/v1/channels/${channel.slug}/people`);
    expect(people).toMatchObject([{ name: "Guest", relation: { mention_count: 3, media_count: 3 } }]);
    const channels = await scene.rows(`/v1/organizations/${organization.slug}/channels`);
    expect(channels).toMatchObject([{ name: "The Show", relation: { mention_count: 1, media_count: 3 } }]);
  });

  it("a video without a known date is shared, and sorts last", async () => {
    const [topic, dated, undated] = [
      await scene.entity("topic", "T"),
      await scene.entity("product", "Dated"),
      await scene.entity("product", "Undated"),
    ];
    await scene.video([topic, dated]);
    const videoId = await createVideo(scene.context, { publishedAt: null });
    for (const { id } of [topic, undated]) await createMention(scene.context, { videoId, entityId: id });
    const found = await scene.rows(`/v1/topics/${topic.slug}/products`);
    expect(found.map(({ name }) => name)).toEqual(["Dated", "Undated"]);
    expect(found[1]?.relation).toMatchObject({ media_count: 1, first_seen_at: null, last_seen_at: null });
  });

  it("the slug of an entity of another type, and an unknown one, are 404, free of charge; a misplaced value is 400", async () => {
    const caller = await scene.edge.newKey();
    const person = await scene.entity("person", "P");
    for (const path of ["organizations/x/channels", "topics/x/products", "channels/x/people", "products/x/topics"]) {
      const wrong = await scene.read(`/v1/${path.replace("/x/", `/${person.slug}/`)}`, caller);
      expect([wrong.status, wrong.json.error.code]).toEqual([404, "entity_not_found"]);
      expect(wrong.json.error.message).toMatch(
        /type person; the path takes the slug of an? (organ|topic|channel|prod)/,
      );
      const unknown = await scene.read(`/v1/${path.replace("/x/", "/no-such-slug/")}`, caller);
      expect([unknown.status, unknown.json.error.code]).toEqual([404, "entity_not_found"]);
    }
    const topic = await scene.entity("topic", "T");
    for (const query of [
      "sort=channel",
      "field=title",
      "order=up",
      "limit=0",
      "limit=101",
      "q=",
      "page=2",
      "cursor=x",
    ]) {
      const answer = await scene.read(`/v1/topics/${topic.slug}/products?${query}`, caller);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, "invalid_query"]);
    }
    expect(await used(caller)).toBe(0);
  });
});
