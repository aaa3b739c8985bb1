import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { generated, generateEvidence, wordOfRank } from "../../bench/generator/evidence.ts";
import { type MentionPage, mentionsStatement } from "../../database/mentions.ts";
import type { MentionPosition, MentionSelection } from "../../database/mentionStreams.ts";
import { count, sql } from "../../database/pool.ts";
import { parseFreeText } from "../../domain/freeText.ts";
import { mentionFacets, type MentionSigns } from "../../domain/mentionFacets.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { explain } from "./explained.ts";

let context: TestContext;
let accountId: string;
beforeAll(async () => {
  context = await createTestContext();
  await generateEvidence({ url: context.databaseUrl, pool: context.pool }, 40_000);
  ({ accountId } = await createCaller(context, { tier: "enterprise" }));
});
afterAll(() => context.close());

const signs = (some: Partial<MentionSigns>) =>
  mentionFacets({ sentiment: null, isAppearance: null, inAd: null, ...some });
const everything: MentionSelection = {
  memberIds: null,
  channelId: null,
  entityGroup: null,
  facets: signs({}),
  role: null,
  search: null,
  dates: { from: null, to: null },
};
const [top, rare, channelId] = [generated.mostMentionedId, generated.rareId, generated.biggestChannelId];
const year = { from: new Date("2018-01-01T00:00:00Z"), to: new Date("2018-12-31T00:00:00Z") };

const statement = (selection: MentionSelection, page: Partial<MentionPage> = {}) =>
  mentionsStatement(
    {
      accountId,
      period: "2026-11-01",
      allowance: { poolRows: 1_000_000, onDemandLimitRows: 0 },
      rows: 1,
      requestId: "req_test",
      reason: "mentions",
    },
    selection,
    { limit: 20, after: null, attached: null, ...page },
  );
const positionRow = z.object({ sorted_at: z.number(), mention_id: count });
const newest = async (selection: MentionSelection, page: Partial<MentionPage>) =>
  (await context.pool.any(sql.type(positionRow.loose())`${statement(selection, page)}`)).map(
    ({ sorted_at, mention_id }): MentionPosition => ({ sortedAt: sorted_at, id: mention_id }),
  );

/** Name, selection, the index that it is read from, and how many streams of it are merged. */
const lists: [string, Partial<MentionSelection>, string, number][] = [
  ["everything", {}, "mention_newest", 1],
  ["the most-mentioned entity", { memberIds: [top] }, "mention_entity", 16],
  ["a rare entity", { memberIds: [rare] }, "mention_entity", 16],
  ["a merged entity", { memberIds: [2, 3, rare] }, "mention_entity", 48],
  ["a type", { entityGroup: "topic" }, "mention_type", 16],
  ["a channel", { channelId }, "mention_channel", 96],
  ["positive", { facets: signs({ sentiment: "positive" }) }, "mention_type", 24],
  ["appearances", { facets: signs({ isAppearance: true }) }, "mention_type", 48],
  ["in ads", { facets: signs({ inAd: true }) }, "mention_type", 48],
  ["a year", { dates: year }, "mention_newest", 1],
  ["an entity, positive", { memberIds: [top], facets: signs({ sentiment: "positive" }) }, "mention_entity", 4],
  ["an entity's appearances", { memberIds: [top], facets: signs({ isAppearance: true }) }, "mention_entity", 8],
  [
    "an entity's appearances as host",
    { memberIds: [top], role: "host", facets: signs({ isAppearance: true }) },
    "mention_role",
    1,
  ],
  [
    "an entity's appearances as host on a channel",
    { memberIds: [top], channelId, role: "host", facets: signs({ isAppearance: true }) },
    "mention_channel_role",
    1,
  ],
  ["an entity on a channel", { memberIds: [top], channelId }, "mention_entity_channel", 16],
  ["an entity in a year", { memberIds: [top], dates: year }, "mention_entity", 16],
  ["a type on a channel", { entityGroup: "person", channelId }, "mention_channel", 16],
  ["a type, negative", { entityGroup: "person", facets: signs({ sentiment: "negative" }) }, "mention_type", 4],
  ["a channel, in ads", { channelId, facets: signs({ inAd: true }) }, "mention_channel", 48],
];

describe("the plan of a page", () => {
  describe.each(lists)("of %s", (_name, narrowed, index, streams) => {
    const selection = { ...everything, ...narrowed };
    it.each([1, 500])("page %i reads its index, no more than streams × page, and sorts no more", async (number) => {
      // page 500, or the last row of a shorter list
      const before = number === 1 ? [] : await newest(selection, { limit: 499 * 20, after: null });
      const after = before.at(-2) ?? null;
      const { scans, sortedRows } = await explain(context.databaseUrl, statement(selection, { after }));
      const ofMentions = scans.filter(({ table }) => table === "mention");
      const listing = ofMentions.filter((scan) => scan.index === index);
      expect(ofMentions.map((scan) => [scan.type, scan.index])).toEqual([
        ["Index Only Scan", index],
        ["Index Scan", "mention_pkey"],
      ]);
      const most = streams * 21;
      expect(listing.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(most);
      expect(Math.max(...sortedRows)).toBeLessThanOrEqual(most);
    });
  });

  it("with attached rows looks them up by their video", async () => {
    const { scans } = await explain(
      context.databaseUrl,
      statement({ ...everything, memberIds: [top] }, { attached: { priceRows: 10 } }),
    );
    const [attached, ...others] = scans.filter(({ table }) => table === "recommendation");
    expect(others).toEqual([]);
    expect(attached?.type).toMatch(/^(Index|Bitmap Heap)/);
    expect(scans.filter(({ table, type }) => table === "mention" && type === "Seq Scan")).toEqual([]);
  });
});

describe("a search", () => {
  const searches: [string, string, Partial<MentionSelection>][] = [
    ["a common word", wordOfRank(10), {}],
    ["a middling word", wordOfRank(300), {}],
    ["a rare word", wordOfRank(5000), {}],
    ["no word of any", "nowhere", {}],
    ["two middling words", `${wordOfRank(31)} ${wordOfRank(32)}`, {}],
    ["a beginning", `${wordOfRank(1300)}*`, {}],
    ["words in a row", `"${wordOfRank(10)} ${wordOfRank(11)}"`, {}],
    ["a middling word about the most-mentioned entity", wordOfRank(300), { memberIds: [top] }],
    ["a middling word about a merged entity", wordOfRank(100), { memberIds: [2, 4, 6] }],
    ["a common word about a rare entity", wordOfRank(10), { memberIds: [rare] }],
    ["a middling word on a channel", wordOfRank(100), { channelId }],
    ["a common word in ads", wordOfRank(10), { facets: signs({ inAd: true }) }],
    ["a middling word of a type", wordOfRank(100), { entityGroup: "person" }],
    ["a middling word in a year", wordOfRank(100), { dates: year }],
  ];
  it.each(searches)("for %s finds what a look at every mention finds, page after page", async (_name, q, narrowed) => {
    const pieces = parseFreeText(q);
    if (pieces === null) throw new Error("every search has a word");
    const selection = { ...everything, ...narrowed };
    const all = await newest(selection, { limit: 40_000, after: null });
    const holding = new Set(
      await context.pool.anyFirst(sql.type(z.object({ id: count }))`
        select id from mention where words like all (${sql.array(
          pieces.map(({ text, isPrefix }) => `% ${text}${isPrefix ? "" : " "}%`),
          "text",
        )})`),
    );
    const expected = all.filter(({ id }) => holding.has(id)).slice(0, 45);
    const found: MentionPosition[] = [];
    while (found.length < expected.length) {
      const page = await newest({ ...selection, search: pieces }, { limit: 14, after: found.at(-1) ?? null });
      found.push(...page.slice(0, 14));
      if (page.length <= 14) break;
    }
    expect(found.slice(0, 45)).toEqual(expected);
    expect(expected.length > 0).toBe(q !== "nowhere");
  });

  it.each(searches)("for %s never reads through all mentions", async (_name, q, narrowed) => {
    const selection = { ...everything, ...narrowed, search: parseFreeText(q) };
    const { scans } = await explain(context.databaseUrl, statement(selection));
    const ofMentions = scans.filter(({ table }) => table === "mention");
    expect(ofMentions.filter(({ type }) => type === "Seq Scan")).toEqual([]);
    // the newest, read through, and then what months hold of the word
    expect(Math.max(...ofMentions.map(({ rows }) => rows))).toBeLessThanOrEqual(96 * 40);
  });
});
