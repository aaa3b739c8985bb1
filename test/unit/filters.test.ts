import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { maxQueryLength, parseQuery, type Query, queryMatches } from "../../domain/filters/query.ts";
import { compileFilters, type FilteredMention, trackerFilters } from "../../domain/filters/trackerFilters.ts";
import { foldText } from "../../domain/names.ts";

function read(text: string): Query {
  const parsed = parseQuery(text);
  if ("fault" in parsed) throw new Error(`${parsed.fault.position}: ${parsed.fault.problem}`);
  return parsed.query;
}
const finds = (query: string, text: string) => queryMatches(read(query), foldText(text));
const faultOf = (text: string) => {
  const parsed = parseQuery(text);
  return "fault" in parsed ? parsed.fault : null;
};

const write = (query: Query): string => {
  switch (query.kind) {
    case "term":
      return query.words.includes(" ") || !query.isPrefix ? `"${query.words}"` : `${query.words}*`;
    case "not":
      return `NOT (${write(query.of)})`;
    case "and":
    case "or":
      return query.of.map((each) => `(${write(each)})`).join(query.kind === "and" ? " AND " : " OR ");
  }
};
/** The meaning once more, on lists of words. */
const means = (query: Query, words: readonly string[]): boolean => {
  switch (query.kind) {
    case "term": {
      const wanted = query.words.split(" ");
      const isPrefix = query.isPrefix && wanted.length === 1;
      return words.some((_, at) =>
        wanted.every((each, n) => (isPrefix ? (words[at + n] ?? "").startsWith(each) : words[at + n] === each)),
      );
    }
    case "not":
      return !means(query.of, words);
    case "and":
      return query.of.every((each) => means(each, words));
    case "or":
      return query.of.some((each) => means(each, words));
  }
};

describe("a query", () => {
  it.each([
    ["merger", "The Merger is on.", true],
    ["merger", "Mergers are on.", false],
    ["merg*", "Mergers are on.", true],
    ["apple merger", "A merger? Apple says so.", true],
    ["apple merger", "Apple pie", false],
    ["apple AND merger", "A merger? Apple says so.", true],
    ["apple OR merger", "Apple pie", true],
    ["NOT apple", "Apple pie", false],
    ["pie NOT apple", "cherry pie", true],
    ['"apple pie"', "an apple pie", true],
    ['"apple pie"', "apple and pie", false],
    ["(apple OR cherry) pie", "cherry pie", true],
    ["apple OR cherry pie", "apple", true],
    ["(apple OR cherry) AND NOT (pie OR tart)", "cherry tart", false],
    ["NOT NOT apple", "apple", true],
    ["beyonce", "Beyoncé!", true],
    ["O'Neil", "ONeil", true],
    ["AT&T", "at t", true],
    ["and or not", "and or not", true],
    ["東京", "東京タワーに行く", true],
    ["the*", "then", true],
  ])("%s in %j: %s", (query, text, found) => expect(finds(query, text)).toBe(found));

  it.each([
    ["", 1],
    ["   ", 4],
    ["apple AND", 10],
    ["AND apple", 1],
    ["apple OR OR pie", 10],
    ["(apple", 1],
    ["apple)", 6],
    ["()", 2],
    ['say "apple', 5],
    ["app*le", 4],
    ["a *", 3],
    ["apple &&& pie", 7],
    ["NOT", 4],
    ["x".repeat(maxQueryLength + 1), maxQueryLength + 1],
    ["(".repeat(30), 21],
    [`${"NOT ".repeat(30)}x`, 81],
  ])("%j is refused at character %s", (query, position) => expect(faultOf(query)?.position).toBe(position));

  const word = fc.constantFrom("apple", "pie", "tart", "cherry", "and", "ü");
  const { query: anyQuery } = fc.letrec<{ query: Query }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({
        kind: fc.constant("term" as const),
        words: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => foldText(words.join(" "))),
        isPrefix: fc.boolean(),
      }),
      fc.record({ kind: fc.constant("not" as const), of: tie("query") }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        of: fc.array(tie("query"), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }));
  it("means what it says, however it is nested", () => {
    fc.assert(
      fc.property(
        anyQuery,
        fc.array(fc.constantFrom("apple", "apples", "pie", "cherry", "and", "u"), { maxLength: 6 }),
        (query, words) => {
          const text = write(query);
          fc.pre(text.length <= maxQueryLength && faultOf(text) === null);
          expect(finds(text, words.join(", "))).toBe(means(query, words));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("of any text is either read or refused at a place in it", () => {
    const texts = fc.array(fc.constantFrom("(", ")", '"', "*", " ", "AND", "OR", "NOT", "apple", "&", "é"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          texts.map((parts) => parts.join("")),
        ),
        (text) => {
          const fault = faultOf(text);
          const position = fault?.position ?? 1;
          expect(position).toBeGreaterThanOrEqual(1);
          expect(position).toBeLessThanOrEqual(text.length + 1);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

const mention = (more: Partial<FilteredMention> = {}): FilteredMention => ({
  channelId: "channel-1",
  language: "en-GB",
  isAppearance: false,
  appearanceRole: null,
  inAd: false,
  confidence: 0.8,
  sentimentScore: null,
  foldedText: () => foldText("Ada spoke of engines."),
  ...more,
});
const passes = (filters: unknown, more?: Partial<FilteredMention>) =>
  compileFilters(trackerFilters.parse(filters))(mention(more));

describe("filters", () => {
  it("none let everything through, unknown keys and empty lists too", () => {
    expect(passes({})).toBe(true);
    expect(passes({}, { inAd: true, confidence: 0, language: null })).toBe(true);
    expect(passes({ mine: { deep: [1] }, channelIds: [], kinds: [], languages: [] })).toBe(true);
  });

  it.each<[string, unknown, Partial<FilteredMention>, Partial<FilteredMention>]>([
    ["channelIds", { channelIds: ["channel-1"] }, {}, { channelId: "channel-2" }],
    ["excludeChannelIds", { excludeChannelIds: ["channel-2"] }, {}, { channelId: "channel-2" }],
    ["languages", { languages: ["EN"] }, { language: "en-GB" }, { language: "de" }],
    ["languages, narrower", { languages: ["en-gb"] }, { language: "en-GB" }, { language: "en" }],
    ["languages, of an unknown one", { languages: ["en"] }, { language: "en" }, { language: null }],
    ["kinds", { kinds: ["appearance"] }, { isAppearance: true }, {}],
    [
      "roles",
      { roles: ["guest"] },
      { isAppearance: true, appearanceRole: "guest" },
      { isAppearance: true, appearanceRole: "host" },
    ],
    ["roles, of a mention", { roles: ["guest"] }, { isAppearance: true, appearanceRole: "guest" }, {}],
    ["includeAds", { includeAds: false }, {}, { inAd: true }],
    ["minConfidence", { minConfidence: 0.8 }, { confidence: 0.8 }, { confidence: 0.79 }],
    ["minSentiment", { minSentiment: 0 }, { sentimentScore: 0 }, { sentimentScore: -0.1 }],
    ["minSentiment, of no score", { minSentiment: -1 }, { sentimentScore: -1 }, { sentimentScore: null }],
    ["maxSentiment", { maxSentiment: 0 }, { sentimentScore: 0 }, { sentimentScore: 0.1 }],
    ["query", { query: "engine*" }, {}, { foldedText: () => "ada spoke" }],
    ["excludeQuery", { excludeQuery: "poems" }, {}, { foldedText: () => "ada spoke of poems" }],
  ])("%s", (_, filters, passing, stopped) => {
    expect(passes(filters, passing)).toBe(true);
    expect(passes(filters, stopped)).toBe(false);
  });

  it.each([
    { query: "(" },
    { query: 5 },
    { excludeQuery: "a AND" },
    { channelIds: "channel-1" },
    { channelIds: [1] },
    { languages: ["english!"] },
    { kinds: ["quote"] },
    { roles: ["guest", "friend"] },
    { includeAds: "yes" },
    { minConfidence: 1.1 },
    { minSentiment: -2 },
    { minSentiment: 0.5, maxSentiment: 0.4 },
    { mine: "x".repeat(40_000) },
    [],
    "query",
  ])("%j is refused", (filters) => expect(trackerFilters.safeParse(filters).success).toBe(false));

  it("keep what they were given, unknown keys and all", () => {
    const given = { zeta: 1, query: "a b", alpha: [{ b: null }] };
    expect(trackerFilters.parse(given)).toEqual(given);
  });
});
