import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import type { Edge, NewKey } from "../api/edge.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { createFiredAlert } from "../builders/feedback.ts";

/** Names as nobody should have: markup, what reorders text, and a word that is wider than a phone. */
export const hostile = {
  markup: `<img src=x onerror="alert('name')"><b>Bold & Sons</b>`,
  script: `"'></td></form><script>alert("name")</script>`,
  reordered: "\u202eevil name",
  endless: "Llanfairpwllgwyngyll".repeat(10),
};

const talk = [
  { start: 0, end: 5, text: "Welcome back to History Hour, the show about early machines." },
  {
    start: 5,
    end: 12,
    text: "This episode is brought to you by Lumora Mattress. Use code ADA20 for twenty percent off.",
  },
  {
    start: 12,
    end: 18,
    text: "Today we talk about the first programmer. Her notes of 1843 hold what is called the first program.",
  },
  {
    start: 18,
    end: 25,
    text: "Ada wrote them at twenty-seven, & she signed them A. A. L. <because a lady did not sign>.",
  },
  { start: 25, end: 33, text: "More than a hundred years later a language was named after her." },
];

const mentioned = (id: number, issue_type: string, more: object = {}) => ({
  item_id: mentionId(id),
  item_kind: "mention",
  issue_type,
  ...more,
});

/** A queue as reviewers have it: feedback of several kinds about one video, from a customer who means well and one who does not. */
export async function createQueueScene(edge: Edge) {
  const { context } = edge;
  const [customer, stranger] = [await edge.newKey(), await edge.newKey()];
  const channelId = "UC-history-hour";
  const videoId = await createVideo(context, {
    channelId,
    videoId: "early-machi",
    title: "Early machines, and who wrote for them",
    publishedAt: new Date("2026-10-02T12:00:00Z"),
  });
  await context.pool.query(sql.typeAlias("void")`update channel set name = 'History Hour' where id = ${channelId}`);
  await context.pool.query(sql.typeAlias("void")`
    insert into caption_track (video_id, language, source, segments) values (${videoId}, 'en', 'import', ${sql.jsonb(talk)})`);
  const language = await createEntity(context, { name: "Ada (programming language)", type: "product", slug: "ada" });
  const person = await createEntity(context, { name: "Ada Lovelace", type: "person", slug: "ada-lovelace" });
  const brand = await createEntity(context, { name: "Lumora Mattress", type: "brand", slug: "lumora" });
  const marked = await createEntity(context, { name: hostile.markup, type: "organization", slug: "marked" });
  const endless = await createEntity(context, { name: hostile.endless, type: "person", slug: "endless" });
  const mention = await createMention(context, {
    videoId,
    entityId: language,
    startSeconds: 18,
    endSeconds: 19,
    quote: "Ada",
  });
  const more: number[] = [];
  for (const startSeconds of [30, 60, 90])
    more.push(await createMention(context, { videoId, entityId: language, startSeconds, quote: hostile.script }));
  const row = await createRecommendation(context, {
    videoId,
    entityId: brand,
    startSeconds: 5,
    endSeconds: 12,
    quote: "Use code ADA20 for twenty percent off.",
    promoCode: "ADA2O",
  });
  const alertId = await createFiredAlert(context, customer.accountId, {
    videoId,
    entityId: language,
    mentionId: mention,
  });

  async function submit(
    caller: NewKey,
    type: string,
    corrections: readonly object[],
    rest: object = {},
  ): Promise<number> {
    const body = { type, query: { channel_id: channelId }, corrections, ...rest };
    const { status, json, text } = await edge.call("POST", "/v1/feedback", { key: caller.key, body });
    if (status !== 201) throw new Error(text);
    return json.feedback_id;
  }

  const wrongEntity = await submit(
    customer,
    "mentions",
    [
      mentioned(mention, "wrong_entity", {
        reason: "She wrote the notes; the language came later.",
        suggested_change: { entity_id: entityId(person) },
      }),
    ],
    { notes: "Found while reading the episode for our Ada Lovelace page." },
  );
  const promoCode = await submit(customer, "recommendations", [
    {
      item_id: recommendationId(row),
      item_kind: "recommendation",
      issue_type: "wrong_promo_code",
      reason: "It ends in a zero, not in the letter O.",
      suggested_change: { promo_code: "ADA20" },
    },
  ]);
  const hostileName = await submit(
    stranger,
    "entities",
    [
      {
        item_id: entityId(marked),
        item_kind: "entity",
        issue_type: "wrong_name",
        reason: hostile.script,
        notes: hostile.endless,
        suggested_change: { name: hostile.script },
      },
      {
        item_id: entityId(endless),
        item_kind: "entity",
        issue_type: "missing_alias",
        reason: hostile.reordered,
        suggested_change: { alias: hostile.endless },
      },
    ],
    { query: { q: hostile.script, [hostile.markup]: hostile.endless }, notes: hostile.script },
  );
  const sponsor = await submit(customer, "channel_sponsors", [
    {
      item_id: entityId(brand),
      item_kind: "sponsor",
      issue_type: "wrong_count",
      suggested_change: { ad_read_count: 3 },
    },
  ]);
  const alert = await submit(customer, "monitor_alert", [
    { item_id: alertId, item_kind: "alert", issue_type: "false_positive", reason: "The language, not the person." },
  ]);
  const search = await submit(customer, "entities_search", [
    { item_id: entityId(endless), item_kind: "result", issue_type: "irrelevant", observed_rank: 2 },
  ]);
  const several = await submit(stranger, "mentions", [
    mentioned(more[0] ?? 0, "not_mentioned"),
    mentioned(more[1] ?? 0, "wrong_quote", { suggested_change: { quote: hostile.markup } }),
    mentioned(more[2] ?? 0, "wrong_timestamp", { suggested_change: { start_seconds: 28, end_seconds: 29 } }),
  ]);

  return {
    customer,
    stranger,
    channelId,
    videoId,
    languageId: entityId(language),
    personId: entityId(person),
    feedback: { wrongEntity, promoCode, hostileName, sponsor, alert, search, several },
    /** What a customer is answered. */
    read: async (path: string) => (await edge.call("GET", path, customer)).json,
  };
}
