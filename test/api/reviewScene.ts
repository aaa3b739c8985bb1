import { entityId } from "../../domain/entities.ts";
import { mentionId } from "../../domain/evidence.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import type { Edge, NewKey } from "./edge.ts";

/** A correction to submit. */
export interface Item {
  kind: keyof typeof types;
  id: string;
  issue: string;
  change?: Record<string, unknown>;
  query?: Record<string, unknown>;
}
const types = {
  mention: "mentions",
  appearance: "appearances",
  recommendation: "recommendations",
  sponsor: "channel_sponsors",
  entity: "entities",
  result: "entities_search",
  alert: "monitor_alert",
};

let scenes = 0;

/** An account that reports errors of a video and two entities, and reviewers who decide on them. */
export async function createReviewScene(edge: Edge) {
  scenes += 1;
  const number = scenes;
  const channelId = `channel-${number}`;
  const owner = await edge.newKey();
  const videoId = await createVideo(edge.context, { channelId, publishedAt: new Date() });
  const company = await createEntity(edge.context, { type: "organization", name: `Company Number${number}` });
  const person = await createEntity(edge.context, { name: `Person Number${number}` });
  let mentions = 0;

  /** Reports; returns the feedback's number. */
  async function submit(items: readonly [Item, ...Item[]], caller: NewKey = owner): Promise<number> {
    const { status, json, text } = await edge.call("POST", "/v1/feedback", {
      key: caller.key,
      body: {
        type: types[items[0].kind],
        query: items[0].query ?? { channel_id: channelId },
        corrections: items.map((item) => ({
          item_id: item.id,
          item_kind: item.kind,
          issue_type: item.issue,
          ...(item.change !== undefined && { suggested_change: item.change }),
        })),
      },
    });
    if (status !== 201) throw new Error(text);
    return json.feedback_id;
  }

  const review = (feedbackId: number, verb: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    edge.call("POST", `/internal/reviews/${feedbackId}/${verb}`, { key: edge.internalKey, body, headers });
  const accept = (feedbackId: number) => review(feedbackId, "decide", { decision: "accepted" });
  const show = async (feedbackId: number) =>
    (await edge.call("GET", `/internal/reviews/${feedbackId}`, { key: edge.internalKey })).json;
  const read = async (path: string) => (await edge.call("GET", path, owner)).json;

  async function applied(feedbackId: number): Promise<void> {
    for (const { status, text } of [await accept(feedbackId), await review(feedbackId, "apply")])
      if (status !== 200) throw new Error(text);
  }

  /** Submits, accepts and applies; returns the feedback's number. */
  async function apply(item: Item): Promise<number> {
    const feedbackId = await submit([item]);
    await applied(feedbackId);
    return feedbackId;
  }

  /** Why feedback cannot be accepted, without the advice that follows, or not be applied; undefined where it is applied now. */
  async function refusalOf(feedbackId: number): Promise<string | undefined> {
    const accepted = await accept(feedbackId);
    const { json } = accepted.status === 200 ? await review(feedbackId, "apply") : accepted;
    return json.error?.message.replace(" Reject it, or accept it with changes that fit.", "");
  }

  /** Accepts and applies; what the API answers before, meanwhile, and after it is reverted. */
  async function throughReview<T>(item: Item, look: () => Promise<T>): Promise<{ before: T; applied: T; after: T }> {
    const feedbackId = await submit([item]);
    const before = await look();
    await applied(feedbackId);
    const meanwhile = await look();
    const { status, text } = await review(feedbackId, "revert");
    if (status !== 200) throw new Error(text);
    return { before, applied: meanwhile, after: await look() };
  }

  /** A mention of its own that is none. */
  async function notMentioned(): Promise<Item> {
    mentions += 1;
    const id = await createMention(edge.context, { videoId, entityId: company, startSeconds: mentions * 10 });
    return { kind: "mention", id: mentionId(id), issue: "not_mentioned" };
  }

  return {
    number,
    owner,
    channelId,
    videoId,
    company,
    person,
    companyId: entityId(company),
    personId: entityId(person),
    submit,
    review,
    accept,
    applied,
    apply,
    refusalOf,
    show,
    read,
    queue: (query: string) => edge.call("GET", `/internal/reviews?${query}`, { key: edge.internalKey }),
    throughReview,
    notMentioned,
  };
}

export type ReviewScene = Awaited<ReturnType<typeof createReviewScene>>;
