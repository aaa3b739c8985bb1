import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { createEntity } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

const said = "Long ago I met Ada Quillfeather there. It was nice.";
let edge: Edge;
let scene: ReviewScene;
let ada: number;
let bert: number;
let videos = 0;
let videoId: string;
let mentionId: string;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  ada = await createEntity(edge.context, { name: "Ada Quillfeather", type: "person" });
  bert = await createEntity(edge.context, { name: "Bert Sandoval", type: "person" });
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

interface Named {
  entityId: string;
  mentionId: string;
  charStart: number;
  charEnd: number;
}
/** What the transcript names: the words, whom they name, and the ids of the mentions. */
async function named() {
  const segments: { text: string; entities: Named[] }[] = (await transcript()).segments;
  const each = segments.flatMap(({ text, entities }) => entities.map((one) => ({ ...one, text })));
  return {
    words: each.map(({ text, charStart, charEnd }) => text.slice(charStart, charEnd)),
    ids: each.map((one) => one.mentionId),
    entities: each.map(({ entityId }) => entityId),
  };
}
/** The video's mentions of an entity, which are all counted that its list has. */
async function listed(entity = ada): Promise<string[]> {
  const { data }: { data: { id: string; media: { video_id: string } }[] } = await scene.read(
    `/v1/entities/ent_${entity}/mentions?limit=100`,
  );
  expect((await scene.read(`/v1/entities/ent_${entity}`)).entity.appearance_count).toBe(data.length);
  return data.filter(({ media }) => media.video_id === videoId).map(({ id }) => id);
}

async function ask(body: Record<string, unknown>) {
  const { revision, segments } = await transcript();
  const text = segments.map((segment: { text: string }) => segment.text).join("\n");
  const [from, to] = [segments[0].id, segments.at(-1).id];
  return edge.call("POST", `/v1/videos/${videoId}/corrections`, {
    key: scene.owner.key,
    body: {
      revision,
      anchor: { segmentId: from, contentHash: contentHash(text) },
      ...(body["kind"] === "segment_rewrite" && { range: { fromSegmentId: from, toSegmentId: to } }),
      ...body,
    },
  });
}
async function correct(body: Record<string, unknown>): Promise<string> {
  const { status, text, json } = await ask(body);
  if (status !== 201) throw new Error(text);
  return json.id;
}
const edit = (text: string) => correct({ kind: "line_edit", text });
const rewrite = (...texts: string[]) =>
  correct({ kind: "segment_rewrite", replacements: texts.map((text) => ({ text })) });
const withdraw = async (id: string) =>
  expect((await edge.call("DELETE", `/v1/corrections/segment-rewrites/${id}`, scene.owner)).status).toBe(200);
const undo = async (id: string) =>
  expect(
    (await edge.call("POST", `/internal/corrections/${id}/undo`, { key: edge.internalKey, body: {} })).status,
  ).toBe(200);

async function settle(issue: string, change?: Record<string, unknown>): Promise<number> {
  const feedbackId = await scene.submit([{ kind: "mention", id: mentionId, issue, ...(change && { change }) }]);
  await scene.applied(feedbackId);
  return feedbackId;
}
async function revert(feedbackId: number) {
  const { status, text, json } = await scene.review(feedbackId, "revert");
  if (status !== 200) throw new Error(text);
  expect(json.status).toBe("reverted");
}
const inOrder = () => ({ words: ["Ada Quillfeather"], ids: [mentionId], entities: [`ent_${ada}`] });
const nothing = { words: [], ids: [], entities: [] };

async function isNowhere(): Promise<void> {
  expect([await listed(ada), await listed(bert)]).toEqual([[], []]);
  expect(await named()).toEqual(nothing);
}

describe.each([
  ["an opinion", "wrong_sentiment", () => ({ sentiment_score: 0.5 }), () => ada],
  ["whose it is", "wrong_entity", () => ({ entity_id: `ent_${bert}` }), () => bert],
])("a mention of which %s was settled", (_what, issue, changeOf, ownerOf) => {
  let feedbackId: number;
  beforeEach(async () => {
    feedbackId = await settle(issue, changeOf());
  });
  const expected = (words = "Ada Quillfeather") => ({
    words: [words],
    ids: [mentionId],
    entities: [`ent_${ownerOf()}`],
  });
  const isListedOnce = async () => expect(await listed(ownerOf())).toEqual([mentionId]);
  it("goes where its words go: in a line, into pieces, back together, and back when that is withdrawn", async () => {
    await edit("I met ADA Quillfeather there. It was nice.");
    expect(await named()).toEqual(expected("ADA Quillfeather"));
    const split = await rewrite("I met", "Ada Quillfeather there.", "It was nice.");
    expect(await named()).toEqual(expected());
    const joined = await rewrite("It was nice. I met Ada Quillfeather there.");
    expect(await named()).toEqual(expected());
    await isListedOnce();
    await withdraw(joined);
    expect(await named()).toEqual(expected());
    await withdraw(split);
    expect(await named()).toEqual(expected("ADA Quillfeather"));
    await isListedOnce();
  });

  it("is in no read and no count while its words are gone, and comes back with them under its id", async () => {
    const replaced = await edit("Long ago I met nobody there. It was nice.");
    await isNowhere();
    const more = await edit("Long ago I met no one there. It was nice.");
    await undo(more);
    await isNowhere();
    await undo(replaced);
    expect(await named()).toEqual(expected());
    await isListedOnce();
    const deleted = await rewrite();
    await isNowhere();
    await withdraw(deleted);
    expect(await named()).toEqual(expected());
    await isListedOnce();
  });

  it("is not billed beside what was said of her later, and is the one again when that is taken back", async () => {
    const replaced = await edit("Nobody.");
    const later = await edit("Later Ada Quillfeather came.");
    const [id = ""] = await listed();
    expect([await listed(), id === mentionId]).toEqual([[id], false]);
    await undo(later);
    await undo(replaced);
    expect(await named()).toEqual(expected());
    await isListedOnce();
  });

  it.each([
    ["goes on", "I met Ada Quillfeather there.", ["Ada Quillfeather"]],
    ["is gone", "I met nobody there.", []],
  ])("is as it was when that is reverted while its text %s", async (_where, text, words) => {
    const edited = await edit(text);
    await revert(feedbackId);
    const isThere = words.length > 0;
    expect(await named()).toEqual(isThere ? inOrder() : nothing);
    expect([await listed(ada), await listed(bert)]).toEqual([isThere ? [mentionId] : [], []]);
    await undo(edited);
    expect(await named()).toEqual(inOrder());
    expect([await listed(ada), await listed(bert)]).toEqual([[mentionId], []]);
    await edit("There I met Ada Quillfeather.");
    expect(await named()).toEqual(inOrder());
  });
});

const tag = (entity: number, action: "add" | "remove", charStart = 15, charEnd = charStart + 16) =>
  ask({ kind: "entity_tag", entityId: `ent_${entity}`, action, charStart, charEnd });

async function refusal(answer: ReturnType<typeof tag>) {
  const { status, json } = await answer;
  return [status, json.error.code ?? json.error, json.error.message ?? json.reason];
}

describe("what a person says of settled words", () => {
  it("is refused, with the reason, where it could not change what they name", async () => {
    const feedbackId = await settle("not_mentioned");
    const reason = `A reviewer settled that the characters 15 to 31 of the segment do not name ent_${ada}. Report an error of that with POST /v1/feedback, as type \`mentions\` with the issue \`missing\`.`;
    expect(await refusal(tag(ada, "add"))).toEqual([400, "invalid_body", reason]);
    expect(await refusal(tag(ada, "remove"))).toEqual([409, "anchor_mismatch", "already_applied"]);
    expect((await tag(bert, "add")).status).toBe(201);
    expect((await named()).entities).toEqual([`ent_${bert}`]);
    await revert(feedbackId);
    expect((await tag(ada, "add")).status).toBe(409);
  });

  it("is refused where a mention of them stands by a review", async () => {
    await settle("wrong_sentiment", { sentiment_score: 0.5 });
    expect(await refusal(tag(ada, "remove"))).toEqual([
      400,
      "invalid_body",
      expect.stringContaining(`settled that the characters 15 to 31 of the segment name ent_${ada}.`),
    ]);
    expect((await refusal(tag(ada, "add", 15, 18)))[0]).toBe(400);
    expect((await refusal(tag(ada, "add")))[0]).toBe(409);
    await edit("I met nobody.");
    expect((await tag(ada, "add", 6, 12)).status).toBe(201);
  });
});

describe("words of which was settled that they are no mention", () => {
  let feedbackId: number;
  beforeEach(async () => {
    feedbackId = await settle("not_mentioned");
  });

  it("stay none where they go, and are one again, wherever they are by then, when that is reverted", async () => {
    expect(await named()).toEqual(nothing);
    await edit("There I met Ada Quillfeather, who slept.");
    expect(await named()).toEqual(nothing);
    const split = await rewrite("There I met", "Ada Quillfeather, who slept.");
    expect(await named()).toEqual(nothing);
    await revert(feedbackId);
    expect(await named()).toEqual(inOrder());
    await withdraw(split);
    expect(await named()).toEqual(inOrder());
  });

  it("tell nothing of what is said later there", async () => {
    const other = await edit("And here is indeed Ada Quillfeather.");
    const { words, ids } = await named();
    expect([words, ids.includes(mentionId)]).toEqual([["Ada Quillfeather"], false]);
    await undo(other);
    expect(await named()).toEqual(nothing);
    const rewritten = await rewrite("That was another day.", "Then came Ada Quillfeather.");
    expect((await named()).words).toEqual(["Ada Quillfeather"]);
    await withdraw(rewritten);
    expect(await named()).toEqual(nothing);
    const more = await edit("Long ago I met Ada Quillfeather there. Ada Quillfeather was nice.");
    expect((await named()).words).toEqual(["Ada Quillfeather"]);
    await undo(more);
    await revert(feedbackId);
    expect(await named()).toEqual(inOrder());
  });

  it("come back with them when that is reverted while they are gone", async () => {
    const gone = await rewrite();
    await revert(feedbackId);
    expect(await listed()).toEqual([]);
    await withdraw(gone);
    expect(await named()).toEqual(inOrder());
  });
});
