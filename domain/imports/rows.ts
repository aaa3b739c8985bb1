import { z } from "zod";
import { entityTypes } from "../entities.ts";
import { appearanceRoles, mentionClasses } from "../evidence.ts";
import { foldName } from "../names.ts";
import { isVideoId } from "../videoId.ts";

/** What a line of JSON holds, by what is imported (architecture.md, "Operator's contract"). A field that is null counts as left out. */
export const importKinds = ["entities", "videos", "mentions", "recommendations", "sponsors"] as const;
export type ImportKind = (typeof importKinds)[number];

/** One digit less than public ids may have, so that numbers given after the highest one still fit. */
const highestNumericId = 99_999_999_999_999;
/** Far beyond any recording, and small enough for every column. */
const longestSeconds = 10_000_000;
/** Names are keys of an index, whose entries have a bound. */
const longestKeyBytes = 1000;

const encoder = new TextEncoder();
const isKeySized = (name: string) =>
  name.length <= longestKeyBytes / 18 || encoder.encode(foldName(name)).length <= longestKeyBytes;

const left = <T extends z.ZodType>(schema: T) => schema.nullish();
const text = (maxLength: number) => z.string().max(maxLength, `must have at most ${maxLength} characters`);
const shortText = (maxLength: number) => text(maxLength).trim().min(1, "must not be empty; leave it out instead");
const name = shortText(500).refine(isKeySized, "is too long to be searched for; shorten it");
const seconds = z
  .number("must be a number of seconds, such as 12.5")
  .min(0, "must be 0 or more")
  .max(longestSeconds, `must be at most ${longestSeconds}`);
const fraction = z.number("must be a number from 0 to 1").min(0, "must be 0 or more").max(1, "must be at most 1");
const webAddress = text(2000).regex(/^https?:\/\/[^\s]+$/i, "must be an http or https address");
const platformId = shortText(200);

const videoId = z
  .string("must be the video's 11-character id")
  .refine(isVideoId, "must be the video's 11-character id, not its address");
/** `ent_42`, as its number. */
const entity = z
  .string("must be ent_ and a number, such as ent_42")
  .regex(/^ent_(0|[1-9]\d{0,14})$/, "must be ent_ and a number, such as ent_42")
  .transform((id) => Number(id.slice(4)));
const type = z.enum(entityTypes, `must be one of ${entityTypes.join(", ")}`);

const entityRow = z.strictObject({
  numeric_id: left(
    z
      .int("must be a whole number")
      .min(1, "must be 1 or more")
      .max(highestNumericId, `must be at most ${highestNumericId}`),
  ).meta({
    description:
      "Its number: an entity that has it is changed, else one is made with it. Left out: the next that is free.",
  }),
  name: name.meta({ description: "Canonical name." }),
  type: type.meta({ description: "`company` and `brand` are legacy organizations." }),
  slug: left(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,119}$/, "must be 1 to 120 of A-Z a-z 0-9 - . _ ~, a letter or digit first"),
  ).meta({ description: "Name in addresses; no two entities have one. Left out: made from the name." }),
  aliases: left(z.array(name).max(1000, "must have at most 1000 entries")).meta({
    description: "What else it is called, in place of what was listed before.",
  }),
  platform: left(shortText(50)).meta({ description: "Where `platform_id` is from." }),
  platform_id: left(platformId).meta({
    description: "Its id there; a channel's ties it to the channel of that id. No two entities of a platform have one.",
  }),
  url: left(webAddress).meta({ description: "Canonical external address." }),
  image_url: left(webAddress).meta({ description: "Address of an image." }),
  description: left(shortText(5000)).meta({ description: "A line about it." }),
  owner: left(entity).meta({ description: "For example the organization behind a product." }),
  known_advertiser: left(z.boolean("must be true or false")).meta({ description: "Whether it is known to advertise." }),
});

const videoRow = z.strictObject({
  video_id: videoId,
  title: shortText(1000),
  channel: z.strictObject({ id: platformId, name }),
  published_at: z
    .string("must be a time such as 2027-01-31T12:00:00Z, or null where it is unknown")
    .transform((given, context) => {
      const time = readTime(given);
      if (time === null) context.addIssue("must be a time such as 2027-01-31T12:00:00Z");
      return time ?? z.NEVER;
    })
    .nullable(),
  duration_seconds: seconds,
  language: left(text(35).regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag such as en or pt-BR")),
});

const endsBeforeStart = { path: ["end_seconds"], error: "must not be before start_seconds" };

const mentionRow = z
  .strictObject({
    video_id: videoId,
    entity,
    start_seconds: seconds,
    end_seconds: seconds,
    quote: text(20_000),
    is_appearance: left(z.boolean("must be true or false")),
    appearance_role: left(z.enum(appearanceRoles, `must be one of ${appearanceRoles.join(", ")}`)),
    in_ad: left(z.boolean("must be true or false")),
    sentiment_score: left(
      z.number("must be a number from -1 to 1").min(-1, "must be -1 or more").max(1, "must be at most 1"),
    ),
    confidence: left(fraction),
  })
  .refine((row) => row.end_seconds >= row.start_seconds, endsBeforeStart)
  .refine((row) => row.appearance_role == null || row.is_appearance === true, {
    path: ["appearance_role"],
    error: "is for appearances: add is_appearance true, or leave the role out",
  });

const recommendationRow = z
  .strictObject({
    video_id: videoId,
    entity,
    mention_class: z.enum(mentionClasses, `must be one of ${mentionClasses.join(", ")}`),
    start_seconds: seconds.nullable(),
    end_seconds: seconds.nullable(),
    verbatim_quote: text(20_000).nullable(),
    promo_code: left(shortText(200)),
    offer: left(shortText(2000)),
    confidence: fraction,
    speaker_role: left(shortText(100)),
  })
  .refine((row) => (row.start_seconds === null) === (row.end_seconds === null), {
    path: ["end_seconds"],
    error: "and start_seconds must both be numbers or both be null",
  })
  .refine((row) => (row.end_seconds ?? 0) >= (row.start_seconds ?? 0), endsBeforeStart)
  .transform((row) => ({ ...row, start_seconds: rounded(row.start_seconds), end_seconds: rounded(row.end_seconds) }));

const sponsorRow = z.strictObject({ channel_id: platformId, entity });

export type EntityRow = z.output<typeof entityRow>;
export type VideoRow = z.output<typeof videoRow>;
export type MentionRow = z.output<typeof mentionRow>;
export type RecommendationRow = z.output<typeof recommendationRow>;
export type SponsorRow = z.output<typeof sponsorRow>;

export const rowSchemas = {
  entities: entityRow,
  videos: videoRow,
  mentions: mentionRow,
  recommendations: recommendationRow,
  sponsors: sponsorRow,
};

/** Commercial rows carry whole seconds. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

/** An RFC 3339 time, or a date as its midnight in UTC, in the one form that is stored; null for anything else and years before 1. */
function readTime(given: string): string | null {
  if (!timePattern.test(given)) return null;
  const time = new Date(given);
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) return null;
  // JavaScript rolls 30 February over to March.
  const day = Number(given.slice(8, 10));
  return daysOfMonth(Number(given.slice(0, 4)), Number(given.slice(5, 7))) < day ? null : time.toISOString();
}

const timePattern = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d))?$/;

function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
