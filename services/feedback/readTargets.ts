import type { Queryable } from "../../database/pool.ts";
import {
  findTargetAlerts,
  findTargetEntities,
  findTargetMentions,
  findTargetRecommendations,
  findTargetVideos,
} from "../../database/reviewTargets.ts";
import type { Fields } from "../../database/feedback.ts";
import { ApiError } from "../../domain/errors.ts";
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

  if (entityIds.some((id) => !types.has(id))) throw new ApiError("entity_not_found");
  if (mentions.some(({ id }) => !appearances.has(id))) throw new ApiError("mention_not_found");
  if (recommendationIds.some((id) => !recommendations.has(id))) throw new ApiError("recommendation_not_found");
  if (alertIds.some((id) => !alerts.has(id))) throw new ApiError("alert_not_found");
  const noVideo = videoIds.find((id) => !videos.has(id));
  if (noVideo !== undefined) throw misfit(`No video in the index is ${noVideo}.`);
  if (mentions.some(({ id, mustAppear }) => mustAppear && appearances.get(id) !== true))
    throw misfit("A correction of an appearance names a mention that is none.");
  if (type === "appearances" && entityIds.some((id) => types.get(id) !== "person"))
    throw misfit("Only persons appear; a correction names an entity that is none.");
  if (type === "channels" && corrections.some(({ itemId }) => types.get(Number(itemId.slice(4))) !== "channel"))
    throw misfit("Feedback of type `channels` is about channels; a correction names another entity.");
}

function namedBy({ itemKind, itemId, issueType, change }: Targeted): NamedIds {
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
      if (isEntity) named.entities.push(read(entityNumber, itemId));
      else named.recommendations.push(read(recommendationNumber, itemId));
      break;
    case "mention":
    case "appearance":
      if (isEntity) named.entities.push(read(entityNumber, itemId));
      else named.mentions.push({ id: read(mentionNumber, itemId), mustAppear: itemKind === "appearance" });
      break;
    case "sponsor":
    case "entity":
    case "channel":
    case "result":
      named.entities.push(read(entityNumber, itemId));
      break;
    case "alert":
      named.alerts.push(itemId);
  }
  return named;
}

function read(schema: typeof entityNumber, itemId: string): number {
  const parsed = schema.safeParse(itemId);
  if (!parsed.success) throw misfit(`\`item_id\`: ${parsed.error.issues[0]?.message ?? "is not valid"}.`);
  return parsed.data;
}

/** Throws `invalid_body` for a field of a change that its issue type does not know, and `misfitCode` for one that does not fit. */
export function requireChange(
  { itemKind, issueType, change }: Omit<Targeted, "itemId">,
  names: { field: string; misfitCode: "invalid_feedback_request" | "invalid_body" },
): void {
  const fault = findChangeFault(itemKind, issueType, change);
  if (fault === null) return;
  const code = fault.kind === "unknown_field" ? "invalid_body" : names.misfitCode;
  throw new ApiError(code, `The body field \`${names.field}\` is not valid: ${fault.message}`);
}

function misfit(message: string): ApiError {
  return new ApiError("invalid_feedback_request", message);
}
