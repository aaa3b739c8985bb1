import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { createEntity } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

const said = "Long ago I met Ada Quillfeather there.";
let edge: Edge;
let scene: ReviewScene;
let ada: number;
let videos = 0;
let videoId: string;
let mentionId: string;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  ada = await createEntity(edge.context, { name: "Ada Quillfeather", type: "person" });
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createReviewScene(edge);
  videos += 1;
  videoId = `rvwd-${String(videos).padStart(6, "0")}`;
  const names = new Gazetteer();
  names.add(ada, "Ada Quillfeather", false);
  const caller = { ...scene.owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
  const segments = [{ text: said, startSeconds: 0, endSeconds: 4, confidence: 0.9, words: [] }];
  await createTranscript(edge.context, caller, { videoId, names, durationSeconds: 4, segments });
  [mentionId = ""] = (await named()).ids;
});

const transcript = async () => (await edge.call("GET", `/v1/transcripts/${videoId}`, scene.owner)).json;
/** What the transcript names: the words, and the ids of the mentions. */
async function named() {
  const [{ text, entities }] = (await transcript()).segments;
  return {
    words: entities.map((each: { charStart: number; charEnd: number }) => text.slice(each.charStart, each.charEnd)),
    ids: entities.map((each: { mentionId: string }) => each.mentionId),
  };
}
async function edit(text: string): Promise<void> {
  const { revision, segments } = await transcript();
  const anchor = { segmentId: segments[0].id, contentHash: contentHash(segments[0].text) };
  const { status, text: answer } = await edge.call("POST", `/v1/videos/${videoId}/corrections`, {
    key: scene.owner.key,
    body: { kind: "line_edit", revision, anchor, text },
  });
  if (status !== 201) throw new Error(answer);
}

describe("what reviewers settled in a text that is edited after", () => {
  const opinion = { issue: "wrong_sentiment", change: { sentiment_score: 0.5 } };

  it("stays on its words where they move, and off the text where they are said no more", async () => {
    const feedbackId = await scene.submit([{ kind: "mention", id: mentionId, ...opinion }]);
    await scene.applied(feedbackId);
    await edit("I met Ada Quillfeather there.");
    expect(await named()).toEqual({ words: ["Ada Quillfeather"], ids: [mentionId] });
    await edit("Nobody.");
    expect(await named()).toEqual({ words: [], ids: [] });
    const { data } = await scene.read(`/v1/entities/ent_${ada}/mentions`);
    expect(data.map((each: { id: string }) => each.id)).toContain(mentionId);
    expect((await scene.review(feedbackId, "revert")).json.status).toBe("reverted");
  });

  it("and comes back to its words, wherever they are by then, when that is reverted", async () => {
    const feedbackId = await scene.submit([{ kind: "mention", id: mentionId, issue: "not_mentioned" }]);
    await scene.applied(feedbackId);
    expect(await named()).toEqual({ words: [], ids: [] });
    await edit("There I met Ada Quillfeather, who slept.");
    expect(await named()).toEqual({ words: [], ids: [] });
    await scene.review(feedbackId, "revert");
    expect(await named()).toEqual({ words: ["Ada Quillfeather"], ids: [mentionId] });
  });
});
