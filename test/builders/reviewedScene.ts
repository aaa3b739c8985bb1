import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { type FeedbackType, issueTypesOfKind, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { type SubmittedCorrection, submitFeedback } from "../../services/feedback/submit.ts";
import { takeReviewStep } from "../../services/feedback/takeReviewStep.ts";
import { createEntity } from "./context.ts";
import { createMention, createRecommendation, createVideo } from "./evidence.ts";
import { createFiredAlert, suggestedChange } from "./feedback.ts";

/** A video with evidence of an entity, whose rows corrections are about, amid that of others. */
export async function createReviewedScene(context: ServiceContext, { accountId }: Caller, seconds: number) {
  const videoId = await createVideo(context);
  const person = await createEntity(context);
  const host = await createEntity(context);
  const company = await createEntity(context, { type: "organization", aliases: [`Alias ${person}`] });
  const merged = await createEntity(context, { type: "organization" });
  const channel = await createEntity(context, { type: "channel" });
  const about = { videoId, entityId: company };
  const mention = await createMention(context, { ...about, startSeconds: seconds, sentimentScore: 0.4 });
  const secondMention = await createMention(context, { ...about, startSeconds: seconds + 3 });
  await createMention(context, { videoId, entityId: merged, startSeconds: seconds });
  const appearance = await createMention(context, {
    videoId,
    entityId: host,
    startSeconds: seconds,
    isAppearance: true,
    role: "host",
  });
  const row = await createRecommendation(context, { ...about, startSeconds: seconds, promoCode: "ACME" });
  const secondRow = await createRecommendation(context, { ...about, startSeconds: seconds + 5 });
  await createRecommendation(context, { videoId, entityId: merged, startSeconds: seconds });
  await context.pool.query(
    sql.typeAlias("void")`insert into known_advertiser (channel_id, entity_id) values ('channel-1', ${company})`,
  );
  const alertId = await createFiredAlert(context, accountId, { ...about, mentionId: mention });
  const otherAlertId = await createFiredAlert(context, accountId, about);
  const items = {
    recommendation: recommendationId(row),
    sponsor: entityId(company),
    mention: mentionId(mention),
    appearance: mentionId(appearance),
    entity: entityId(company),
    channel: entityId(channel),
    result: entityId(company),
    alert: alertId,
  };
  return { items, company, person, second: { mention: secondMention, row: secondRow }, videoId, otherAlertId };
}

export type ReviewedScene = Awaited<ReturnType<typeof createReviewedScene>>;

/** A correction of the scene that says what is right instead. */
export function correctionIn(scene: ReviewedScene, type: FeedbackType, issueType: string): SubmittedCorrection {
  const itemKind = itemKindOf(type);
  return {
    itemId: scene.items[itemKind],
    itemKind,
    issueType,
    reason: null,
    suggestedChange: suggestedChange(itemKind, issueType, scene) ?? null,
    notes: null,
    observedRank: 1,
  };
}

/** The issue types of a feedback type, of the domain's own catalogue. */
export function issuesOf(type: FeedbackType): readonly string[] {
  return issueTypesOfKind[itemKindOf(type)];
}

/** Feedback whose corrections are accepted. */
export async function createAcceptedFeedback(
  context: ServiceContext,
  caller: Caller,
  type: FeedbackType,
  corrections: readonly SubmittedCorrection[],
): Promise<number> {
  const submission = { type, query: { channel_id: "channel-1", q: "Acme" }, notes: null, corrections };
  const { feedbackId } = await context.pool.transaction((tx) => submitFeedback(tx, caller, submission));
  const ask = { action: "decide", decision: "accepted", change: null, note: null } as const;
  await takeReviewStep(context, null, { feedbackId, correctionIds: null, ask, actor: "test" });
  return feedbackId;
}
