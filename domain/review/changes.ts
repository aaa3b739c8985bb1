import { z } from "zod";
import { entityTypes } from "../entities.ts";
import { appearanceRoles, mentionClasses } from "../evidence.ts";
import { foldName } from "../names.ts";
import { sponsorStatuses } from "../sponsors.ts";
import { isVideoId } from "../videoId.ts";
import type { IssueType, ItemKind } from "./issues.ts";

/** Far beyond any recording, and small enough for every column. */
const longestSeconds = 10_000_000;

const idNumber = (prefix: string) => {
  const fix = `must be ${prefix}_ and a number, such as ${prefix}_42`;
  return z
    .string(fix)
    .regex(new RegExp(`^${prefix}_(0|[1-9]\\d{0,14})$`), fix)
    .transform((id) => Number(id.slice(prefix.length + 1)));
};
export const entityNumber = idNumber("ent");
export const mentionNumber = idNumber("men");
export const recommendationNumber = idNumber("com");
const alertKey = z.string("must be the id of an alert").min(1).max(200);

const text = (longest: number) => z.string().max(longest, `must have at most ${longest} characters`);
const shortText = (longest: number) => text(longest).trim().min(1, "must not be empty");
/** What nobody sees in a name: signs of control and of format, but for those that join the letters of some scripts. */
const unseenSign = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
/** Names are keys of an index, whose entries have a bound. */
const name = shortText(500)
  .refine((given) => foldName(given).length <= 300, "is too long to be searched for")
  .refine((given) => !unseenSign.test(given), "must have no line breaks, control characters or invisible signs")
  .refine((given) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(given), "must have a letter, digit or sign at least");
const webAddress = text(2000).regex(/^https?:\/\/[^\s]+$/i, "must be an http or https address");
const seconds = z.number().min(0).max(longestSeconds);
const wholeSeconds = z.int("must be whole seconds").min(0).max(longestSeconds);
const score = z.number().min(-1).max(1);
const fraction = z.number().min(0).max(1);
const video = z.string().refine(isVideoId, "must be the 11-character id of a video");
const channel = shortText(200);

const inOrder = <T extends z.ZodType<{ start_seconds: number; end_seconds: number }>>(schema: T) =>
  schema.refine(({ start_seconds, end_seconds }) => start_seconds <= end_seconds, {
    path: ["end_seconds"],
    message: "must not be before start_seconds",
  });

const place = inOrder(z.strictObject({ start_seconds: seconds, end_seconds: seconds }));
const wholePlace = inOrder(z.strictObject({ start_seconds: wholeSeconds, end_seconds: wholeSeconds }));
const toEntity = z.strictObject({ entity_id: entityNumber });

const spokenRow = {
  video_id: video,
  entity_id: entityNumber.optional(),
  start_seconds: seconds,
  end_seconds: seconds,
  quote: text(20_000),
  confidence: fraction.optional(),
};

/** Issues about an entity, of whatever kind. */
const entityChanges = {
  wrong_name: z.strictObject({ name }),
  wrong_type: z.strictObject({ type: z.enum(entityTypes) }),
  wrong_url: z.strictObject({ url: webAddress.nullable() }),
  wrong_image: z.strictObject({ image_url: webAddress.nullable() }),
  wrong_owner: z.strictObject({ owner_entity_id: entityNumber.nullable() }),
  duplicate_entity: z.strictObject({ canonical_id: entityNumber }),
  should_split: z.strictObject({ note: shortText(5000) }),
  missing_alias: z.strictObject({ alias: name }),
};

/** Where the query of the feedback names no channel, the change can. */
const onChannel = { channel_id: channel.optional() };
/** Where the query of the feedback has no `q`, the change can. */
const ofSearch = { q: shortText(200).optional() };

/**
 * What each issue type says is right instead (decisions.md, "Community review"): `suggested_change` of a submission and `change` of a
 * decision. Null: the issue type says it all.
 */
export const changeSchemas = {
  recommendation: {
    not_commercial: null,
    wrong_class: z.strictObject({ mention_class: z.enum(mentionClasses) }),
    wrong_entity: toEntity,
    wrong_promo_code: z.strictObject({ promo_code: shortText(200).nullable() }),
    wrong_offer: z.strictObject({ offer: shortText(2000).nullable() }),
    wrong_quote: z.strictObject({ verbatim_quote: text(20_000).min(1) }),
    wrong_timestamp: wholePlace,
    wrong_speaker_role: z.strictObject({ speaker_role: shortText(100).nullable() }),
    duplicate: z.strictObject({ duplicate_of: recommendationNumber }),
    missing: inOrder(
      z.strictObject({
        video_id: video,
        entity_id: entityNumber.optional(),
        mention_class: z.enum(mentionClasses),
        start_seconds: wholeSeconds,
        end_seconds: wholeSeconds,
        verbatim_quote: text(20_000).nullable().optional(),
        promo_code: shortText(200).nullable().optional(),
        offer: shortText(2000).nullable().optional(),
        speaker_role: shortText(100).nullable().optional(),
        confidence: fraction.optional(),
      }),
    ),
  },
  sponsor: {
    not_a_sponsor: z.strictObject(onChannel),
    wrong_entity: z.strictObject({ entity_id: entityNumber, ...onChannel }),
    wrong_status: z.strictObject({ status: z.enum(sponsorStatuses), ...onChannel }),
    wrong_count: z.strictObject({ ad_read_count: z.int().min(0).max(1_000_000), ...onChannel }),
    missing: z.strictObject({ entity_id: entityNumber, ...onChannel }),
  },
  mention: {
    not_mentioned: null,
    wrong_entity: toEntity,
    wrong_timestamp: place,
    wrong_sentiment: z.strictObject({ sentiment_score: score.nullable() }),
    wrong_quote: z.strictObject({ quote: text(20_000).min(1) }),
    duplicate: z.strictObject({ duplicate_of: mentionNumber }),
    missing: inOrder(
      z.strictObject({ ...spokenRow, in_ad: z.boolean().optional(), sentiment_score: score.nullable().optional() }),
    ),
  },
  appearance: {
    person_not_present: null,
    wrong_person: toEntity,
    wrong_appearance_role: z.strictObject({ role: z.enum(appearanceRoles) }),
    wrong_timestamp: place,
    missing: inOrder(z.strictObject({ ...spokenRow, role: z.enum(appearanceRoles).nullable().optional() })),
  },
  entity: entityChanges,
  channel: entityChanges,
  result: {
    irrelevant: z.strictObject(ofSearch),
    wrong_rank: z.strictObject({ expected_rank: z.int().min(1).max(100_000), ...ofSearch }),
    missing_result: z.strictObject({ entity_id: entityNumber, ...ofSearch }),
    duplicate: z.strictObject({ duplicate_of: entityNumber, ...ofSearch }),
  },
  alert: {
    false_positive: null,
    wrong_entity: toEntity,
    wrong_timestamp: place,
    duplicate_alert: z.strictObject({ duplicate_of: alertKey }),
    late_alert: null,
  },
} as const satisfies Record<ItemKind, Partial<Record<IssueType, z.ZodType | null>>>;

const schemaTable: Record<ItemKind, Partial<Record<IssueType, z.ZodType | null>>> = changeSchemas;

/** The fields of the change that an issue type of a kind takes; none where it takes no change. */
export function changeFieldsOf(kind: ItemKind, issue: IssueType): readonly string[] {
  const schema = schemaTable[kind][issue] ?? null;
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** What is wrong with a change: a field that nobody knows, or one that does not fit. */
export type ChangeFault = { kind: "unknown_field" | "misfit"; message: string };

/** Whether an issue type of a kind can do without a change. */
export function needsNoChange(kind: ItemKind, issue: IssueType): boolean {
  const schema = schemaTable[kind][issue] ?? null;
  return schema === null || schema.safeParse({}).success;
}

/** Looks at a change before it is kept; null where it fits its issue type. `change` null: there is none. */
export function findChangeFault(
  kind: ItemKind,
  issue: IssueType,
  change: Readonly<Record<string, unknown>> | null,
): ChangeFault | null {
  const schema = schemaTable[kind][issue] ?? null;
  if (change === null) return null;
  if (schema === null) {
    const [field] = Object.keys(change);
    return field === undefined
      ? null
      : { kind: "unknown_field", message: `\`${field}\`: \`${issue}\` takes no change.` };
  }
  const parsed = schema.safeParse(change);
  if (parsed.success) return null;
  const unknown = parsed.error.issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown?.code === "unrecognized_keys")
    return { kind: "unknown_field", message: `\`${unknown.keys.join("`, `")}\` is not known to \`${issue}\`.` };
  const [first] = parsed.error.issues;
  const at = first?.path.map(String).join(".") ?? "";
  return { kind: "misfit", message: `${at === "" ? "" : `\`${at}\`: `}${first?.message ?? "is not valid"}.` };
}

/** The ids that a change that fits names, so that they can be looked up before it is kept. */
export function namedIn(
  kind: ItemKind,
  issue: IssueType,
  change: Readonly<Record<string, unknown>> | null,
): {
  entityIds: number[];
  mentionId: number | null;
  recommendationId: number | null;
  alertId: string | null;
  videoId: string | null;
} {
  const read = <T>(schema: z.ZodType<T>, field: string): T | null => schema.safeParse(change?.[field]).data ?? null;
  const duplicateOf = <T>(schema: z.ZodType<T>, of: ItemKind) => (kind === of ? read(schema, "duplicate_of") : null);
  const entityIds = ["entity_id", "canonical_id", "owner_entity_id"]
    .map((field) => read(entityNumber, field))
    .concat(duplicateOf(entityNumber, "result"))
    .filter((id) => id !== null);
  return {
    entityIds,
    mentionId: duplicateOf(mentionNumber, "mention"),
    recommendationId: duplicateOf(recommendationNumber, "recommendation"),
    alertId: duplicateOf(alertKey, "alert"),
    videoId: issue === "missing" ? read(video, "video_id") : null,
  };
}
