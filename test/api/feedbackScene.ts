import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import type { Edge, NewKey } from "./edge.ts";

/** An account, and a video with rows of evidence that it can report. */
export async function createFeedbackScene(edge: Edge) {
  const { context } = edge;
  const owner: NewKey = await edge.newKey();
  const videoId = await createVideo(context);
  const person = await createEntity(context);
  const company = await createEntity(context, { type: "organization" });
  const ids = {
    person,
    company,
    channel: await createEntity(context, { type: "channel" }),
    mention: await createMention(context, { videoId, entityId: company }),
    appearance: await createMention(context, { videoId, entityId: person, isAppearance: true }),
    row: await createRecommendation(context, { videoId, entityId: company }),
  };

  const submit = (body: unknown, { key }: { key: string } = owner, headers: Record<string, string> = {}) =>
    edge.call("POST", "/v1/feedback", { key, body, headers });
  const wrongEntity = (more: Record<string, unknown> = {}) => ({
    item_id: mentionId(ids.mention),
    item_kind: "mention",
    issue_type: "wrong_entity",
    suggested_change: { entity_id: entityId(person) },
    ...more,
  });

  return {
    owner,
    videoId,
    ids,
    submit,
    read: (feedbackId: number | string) => edge.call("GET", `/v1/feedback/${feedbackId}`, owner),
    wrongEntity,
    aboutMention: (correction: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
      type: "mentions",
      query: { entity_id: entityId(company) },
      corrections: [wrongEntity(correction)],
      ...more,
    }),
    /** Status and error code of a submission. */
    codeOf: async (body: unknown, caller: { key: string } = owner) => {
      const { status, json } = await submit(body, caller);
      return [status, json.error?.code];
    },
  };
}

export type FeedbackScene = Awaited<ReturnType<typeof createFeedbackScene>>;
