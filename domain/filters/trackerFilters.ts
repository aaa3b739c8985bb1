import { z } from "zod";
import { appearanceRoles } from "../evidence.ts";
import { parseQuery, type Query, queryMatches } from "./query.ts";

export const alertKinds = ["mention", "appearance"] as const;
export type AlertKind = (typeof alertKinds)[number];

const maxFiltersLength = 32_768;

const queryText = z.string().superRefine((text, context) => {
  const parsed = parseQuery(text);
  if ("fault" in parsed) {
    const { position, problem } = parsed.fault;
    context.addIssue({ code: "custom", message: `at character ${position}, ${problem}` });
  }
});
const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(1000);
const id = z.string().min(1).max(200);
const sentiment = z.number().min(-1).max(1);

/** The keys that are applied (decisions.md "filters"); others are kept as they are. A key that is not set, or an empty list, narrows nothing. */
export const trackerFilters = z
  .looseObject({
    query: queryText.optional().meta({
      description:
        'What the words around the mention must say: AND, OR, NOT, "phrase", prefix*, parentheses; words side by side must all be there.',
      example: '(merger OR "take over") AND NOT rumour*',
    }),
    excludeQuery: queryText.optional().meta({ description: "What they must not say; written as `query`." }),
    channelIds: listOf(id).optional().meta({ description: "Only videos of these channels." }),
    excludeChannelIds: listOf(id).optional().meta({ description: "No videos of these channels." }),
    languages: listOf(
      z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag such as en or pt-BR"),
    )
      .optional()
      .meta({ description: "Only videos in these languages, as BCP 47 tags; `en` finds `en-GB` too." }),
    kinds: listOf(z.enum(alertKinds)).optional().meta({ description: "Only mentions, or only appearances." }),
    roles: listOf(z.enum(appearanceRoles)).optional().meta({ description: "Only appearances in these roles." }),
    includeAds: z.boolean().optional().meta({ description: "false: nothing said in an ad." }),
    minConfidence: z.number().min(0).max(1).optional().meta({ description: "Least confidence of the detection." }),
    minSentiment: sentiment
      .optional()
      .meta({ description: "Least sentiment score; a mention without a score is left out." }),
    maxSentiment: sentiment
      .optional()
      .meta({ description: "Greatest sentiment score; a mention without a score is left out." }),
  })
  .refine(({ minSentiment = -1, maxSentiment = 1 }) => minSentiment <= maxSentiment, {
    path: ["minSentiment"],
    message: "must not be greater than maxSentiment",
  })
  .refine((filters) => JSON.stringify(filters).length <= maxFiltersLength, {
    message: `must be at most ${maxFiltersLength} characters of JSON`,
  })
  .meta({
    id: "TrackerFilters",
    description:
      "What narrows a tracker's matches. Free-form: stored as given; keys that are not listed here are kept and not applied.",
  });
export type TrackerFilters = z.output<typeof trackerFilters>;

/** What filters look at. */
export interface FilteredMention {
  channelId: string;
  /** Null: not known, which no `languages` finds. */
  language: string | null;
  isAppearance: boolean;
  appearanceRole: string | null;
  inAd: boolean;
  confidence: number;
  sentimentScore: number | null;
  /** What is said there and around it, as `foldText` gives it. Only asked for where a query is set. */
  foldedText: () => string;
}

/** Makes the test of one set of filters, for many mentions. */
export function compileFilters(filters: TrackerFilters): (mention: FilteredMention) => boolean {
  const { includeAds = true, minConfidence = 0, minSentiment, maxSentiment } = filters;
  const query = readQuery(filters.query);
  const excluded = readQuery(filters.excludeQuery);
  const channels = setOf(filters.channelIds);
  const excludedChannels = setOf(filters.excludeChannelIds);
  const kinds = setOf(filters.kinds);
  const roles = setOf<string>(filters.roles);
  const languages = setOf(filters.languages?.map((tag) => tag.toLowerCase()));
  return (mention) =>
    (includeAds || !mention.inAd) &&
    mention.confidence >= minConfidence &&
    isWithin(mention.sentimentScore, minSentiment, maxSentiment) &&
    (kinds === null || kinds.has(mention.isAppearance ? "appearance" : "mention")) &&
    (roles === null ||
      (mention.isAppearance && mention.appearanceRole !== null && roles.has(mention.appearanceRole))) &&
    (channels === null || channels.has(mention.channelId)) &&
    (excludedChannels === null || !excludedChannels.has(mention.channelId)) &&
    (languages === null || speaks(mention.language, languages)) &&
    (query === null || queryMatches(query, mention.foldedText())) &&
    (excluded === null || !queryMatches(excluded, mention.foldedText()));
}

function setOf<T>(list: readonly T[] | undefined): ReadonlySet<T> | null {
  return list === undefined || list.length === 0 ? null : new Set(list);
}

function isWithin(score: number | null, least: number | undefined, greatest: number | undefined): boolean {
  if (least === undefined && greatest === undefined) return true;
  return score !== null && score >= (least ?? -1) && score <= (greatest ?? 1);
}

/** RFC 4647, basic filtering: a range finds the tags that begin with its subtags. */
function speaks(language: string | null, ranges: ReadonlySet<string>): boolean {
  if (language === null) return false;
  const subtags = language.toLowerCase().split("-");
  return subtags.some((_, last) => ranges.has(subtags.slice(0, last + 1).join("-")));
}

function readQuery(text: string | undefined): Query | null {
  if (text === undefined) return null;
  const parsed = parseQuery(text);
  if ("fault" in parsed) throw new Error("a stored filter holds a query that cannot be read");
  return parsed.query;
}
