import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { sentiments } from "../../domain/evidence.ts";
import { mentionFacets } from "../../domain/mentionFacets.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

describe("mention.facet", () => {
  const scores = [
    [null, null],
    [-1, "negative"],
    [-0.2, "negative"],
    [-0.1999, "neutral"],
    [0, "neutral"],
    [0.1999, "neutral"],
    [0.2, "positive"],
    [1, "positive"],
  ] as const;
  it.each(scores)("of a score of %p is among those of %p alone", async (sentimentScore, sentiment) => {
    const entityId = await createEntity(context);
    for (const isAppearance of [false, true])
      for (const inAd of [false, true]) {
        const videoId = await createVideo(context);
        const id = await createMention(context, {
          videoId,
          entityId,
          isAppearance,
          inAd,
          ...(sentimentScore !== null && { sentimentScore }),
        });
        const facet = await context.pool.oneFirst(sql.type(z.object({ facet: z.number() }))`
          select facet from mention where id = ${id}`);
        const matching = sentiments.filter((asked) =>
          mentionFacets({ sentiment: asked, isAppearance, inAd }).includes(facet),
        );
        expect(matching).toEqual(sentiment === null ? [] : [sentiment]);
        expect(mentionFacets({ sentiment: null, isAppearance, inAd })).toContain(facet);
        expect(mentionFacets({ sentiment: null, isAppearance: !isAppearance, inAd: null })).not.toContain(facet);
        expect(mentionFacets({ sentiment: null, isAppearance: null, inAd: !inAd })).not.toContain(facet);
      }
  });
});

const folded = (said: string) =>
  context.pool.oneFirst(sql.type(z.object({ words: z.string() }))`select folded_words(${said}) as words`);

describe("folded_words", () => {
  it.each([
    ["Plain, ASCII text - isn't it?", " plain ascii text isnt it "],
    ["Beyoncé’s ÉTÉ", " beyonces ete "],
    ["Beyonce\u0301", " beyonce "],
    ["Straße, STRASSE, Łódź, Ærø, Œuvre, Đà", " strasse strasse lodz aero oeuvre da "],
    ["ﬁne ½ ² Ⅳ", " fine 1 2 2 iv "],
    ["ΚΑΛΗΜΈΡΑ Привет Ёлка", " καλημερα привет елка "],
    ["日本語のニュース2026", " 日 本 語 の ニ ュ ー ス 2026 "],
    ["100% O'Neil_co", " 100 oneil co "],
    ["…", "  "],
    ["", "  "],
  ])("of %s", async (said, words) => expect(await folded(said)).toBe(words));

  it("keeps 2,000 characters, and of a word a hundred where they may be long in bytes", async () => {
    expect(await folded("a".repeat(3000))).toBe(` ${"a".repeat(2000)} `);
    expect(await folded(`${"é".repeat(300)} b`)).toBe(` ${"e".repeat(100)} b `);
  });

  it("lets any quote be indexed", async () => {
    const entityId = await createEntity(context);
    for (const quote of ["", "a".repeat(5000), "漢".repeat(5000), "𐍈".repeat(3000), "ก".repeat(3000), "o'#f3 \\ ' @"]) {
      const videoId = await createVideo(context, { channelId: "a 'channel' \\ with #e1\nsigns" });
      await expect(createMention(context, { videoId, entityId, quote })).resolves.toBeGreaterThan(0);
    }
  });
});
