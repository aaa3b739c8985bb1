import type { Queryable } from "../../database/pool.ts";
import {
  findTargetAlerts,
  findTargetEntities,
  findTargetMentions,
  findTargetRecommendations,
  findTargetVideos,
} from "../../database/reviewTargets.ts";
import type { Fields } from "../../database/feedback.ts";
import { ApiError, type ErrorCode } from "../../domain/errors.ts";
import {
  entityNumber,
  findChangeFault,
  mentionNumber,
  namedIn,
  recommendationNumber,
} from "../../domain/review/changes.ts";
import type { FeedbackType, IssueType, ItemKind } from "../../domain/review/issues.ts";

/** What a correction points at and what it says is right. */
export interface Targeted {
  /** What the correction is called where it is at fault. */
  name: string;
  itemKind: ItemKind;
  itemId: string;
  issueType: IssueType;
  change: Fields | null;
}

interface NamedIds {
  entities: number[];
  mentions: { id: number; mustAppear: boolean }[];
  recommendations: number[];
  alerts: string[];
  videos: string[];
}

/**
 * Makes sure that all that corrections name exists, and is the account's own where that matters. Throws `invalid_feedback_request` for ids
 * without the form of one, and `entity_not_found`, `mention_not_found`, `recommendation_not_found` or `alert_not_found`, the same for what
 * is another account's as for what is nowhere.
 */
export async function requireTargets(
  db: Queryable,
  accountId: string,
  type: FeedbackType,
  corrections: readonly Targeted[],
): Promise<void> {
  const named = corrections.map(namedBy);
  const entityIds = named.flatMap(({ entities }) => entities);
  const mentions = named.flatMap(({ mentions }) => mentions);
  const recommendationIds = named.flatMap(({ recommendations }) => recommendations);
  const alertIds = named.flatMap(({ alerts }) => alerts);
  const videoIds = named.flatMap(({ videos }) => videos);

  const types = new Map((await findTargetEntities(db, entityIds)).map(({ entityId, type }) => [entityId, type]));
  const known = await findTargetMentions(
    db,
    mentions.map(({ id }) => id),
  );
  const appearances = new Map(known.map(({ mentionId, isAppearance }) => [mentionId, isAppearance]));
  const recommendations = new Set(await findTargetRecommendations(db, recommendationIds));
  const alerts = new Set(await findTargetAlerts(db, accountId, alertIds));
  const videos = new Set(await findTargetVideos(db, videoIds));

  for (const [index, { name, itemId }] of corrections.entries()) {
    const each = named[index];
    if (each === undefined) continue;
    if (each.entities.some((id) => !types.has(id))) throw notFound("entity_not_found", name);
    if (each.mentions.some(({ id }) => !appearances.has(id))) throw notFound("mention_not_found", name);
    if (each.recommendations.some((id) => !recommendations.has(id))) throw notFound("recommendation_not_found", name);
    if (each.alerts.some((id) => !alerts.has(id))) throw notFound("alert_not_found", name);
    const noVideo = each.videos.find((id) => !videos.has(id));
    if (noVideo !== undefined) throw misfit(`${name}: No video in the index is ${noVideo}.`);
    if (each.mentions.some(({ id, mustAppear }) => mustAppear && appearances.get(id) !== true))
      throw misfit(`${name}: A correction of an appearance names a mention that is none.`);
    if (type === "appearances" && each.entities.some((id) => types.get(id) !== "person"))
      throw misfit(`${name}: Only persons appear; the correction names an entity that is none.`);
    if (type === "channels" && types.get(Number(itemId.slice(4))) !== "channel")
      throw misfit(`${name}: Feedback of type \`channels\` is about channels; the correction names another entity.`);
  }
}

function namedBy({ name, itemKind, itemId, issueType, change }: Targeted): NamedIds {
  const { entityIds, mentionId, recommendationId, alertId, videoId } = namedIn(itemKind, issueType, change);
  const named: NamedIds = {
    entities: entityIds,
    mentions: mentionId === null ? [] : [{ id: mentionId, mustAppear: false }],
    recommendations: recommendationId === null ? [] : [recommendationId],
    alerts: alertId === null ? [] : [alertId],
    videos: videoId === null ? [] : [videoId],
  };
  // What is missing has no row yet: its entity stands for it.
  const isEntity = issueType === "missing" && itemId.startsWith("ent_");
  switch (itemKind) {
    case "recommendation":
      if (isEntity) named.entities.push(read(entityNumber, itemId, name));
      else named.recommendations.push(read(recommendationNumber, itemId, name));
      break;
    case "mention":
    case "appearance":
      if (isEntity) named.entities.push(read(entityNumber, itemId, name));
      else named.mentions.push({ id: read(mentionNumber, itemId, name), mustAppear: itemKind === "appearance" });
      break;
    case "sponsor":
    case "entity":
    case "channel":
    case "result":
      named.entities.push(read(entityNumber, itemId, name));
      break;
    case "alert":
      named.alerts.push(itemId);
  }
  return named;
}

function read(schema: typeof entityNumber, itemId: string, name: string): number {
  const parsed = schema.safeParse(itemId);
  if (!parsed.success) throw misfit(`${name}: \`item_id\`: ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
  return parsed.data;
}

/** Throws `invalid_body` for a field of a change that its issue type does not know, and `misfitCode` for one that does not fit. */
export function requireChange(
  { itemKind, issueType, change }: Omit<Targeted, "itemId" | "name">,
  names: { field: string; misfitCode: "invalid_feedback_request" | "invalid_body" },
): void {
  const fault = findChangeFault(itemKind, issueType, change);
  if (fault === null) return;
  const code = fault.kind === "unknown_field" ? "invalid_body" : names.misfitCode;
  throw new ApiError(code, `The body field \`${names.field}\` is not valid: ${fault.message}`);
}

/** The same for what is another account's as for what is nowhere: only the correction is named. */
function notFound(code: ErrorCode, name: string): ApiError {
  return new ApiError(code, `${name}: ${new ApiError(code).message}`);
}

function misfit(message: string): ApiError {
  return new ApiError("invalid_feedback_request", message);
}
