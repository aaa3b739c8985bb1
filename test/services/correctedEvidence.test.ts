import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { Caller } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import type { CorrectionRequest } from "../../services/corrections/request.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { indexVideo } from "../../services/indexing/indexVideo.ts";
import { spokenSegments } from "../../services/indexing/spokenSegments.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";

const spoken = [
  "Welcome back to the show.",
  "My guest today is Ada Quilfeather.",
  "She has spent years with old machines.",
  "Ada Quillfeather, thank you for coming.",
  "It is good to be here.",
  "This episode is brought to you by Lumora Mattress.",
  "Go to lumora dot com and use code ADA20 for twenty percent off your first order.",
  "So tell us about Osric Vandermeer.",
  "I met Osric Vandermeer in the spring, and he showed me the workshop.",
  "He never spoke of money.",
  "We built the first of them by hand.",
  "That is all for today.",
];

let context: TestContext;
let caller: Caller;
let names: NameIndex;
let ada: number;
let osric: number;
let lumora: number;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context, { tier: "enterprise" });
  ada = await createEntity(context, { name: "Ada Quillfeather", type: "person" });
  osric = await createEntity(context, { name: "Osric Vandermeer", type: "person" });
  lumora = await createEntity(context, { name: "Lumora Mattress", type: "brand" });
  names = new NameIndex(context);
  await names.load();
});
afterAll(() => context.close());

let videoId = "";
let videos = 0;
beforeEach(async () => {
  videoId = `evident-${String((videos += 1)).padStart(3, "0")}`;
  const segments = spoken.map((text, index) => ({
    text,
    startSeconds: index * 5,
    endSeconds: index * 5 + 4.5,
    confidence: 0.9,
    words: [],
  }));
  await createTranscript(context, caller, { videoId, names: names.gazetteer, durationSeconds: 60, segments });
});

const correct = async (correction: CorrectionRequest) =>
  context.pool.transaction((transaction) =>
    correctTranscript(transaction, caller, videoId, { correction, seq: null, note: null, asked: "{}" }),
  );
const undo = (id: string) => context.pool.transaction((transaction) => undoCorrection(transaction, id, null));

async function anchorOf(at: number, to = at) {
  const range = (await readAllSegments(context.pool, videoId)).slice(at, to + 1);
  const [segmentId = "", toSegmentId = ""] = [range[0]?.id, range.at(-1)?.id];
  const hash = contentHash(range.map(({ text }) => text).join("\n"));
  return { revision: 1, anchor: { segmentId, contentHash: hash }, range: { fromSegmentId: segmentId, toSegmentId } };
}
const edit = async (at: number, text: string) => correct({ kind: "line_edit", ...(await anchorOf(at)), text });
const rewrite = async (from: number, to: number, texts: readonly string[]) =>
  correct({
    kind: "segment_rewrite",
    ...(await anchorOf(from, to)),
    replacements: texts.map((text) => ({ text, speakerId: null, startSeconds: null, endSeconds: null })),
  });
const reassign = async (at: number, newSpeakerLabel: string) =>
  correct({ kind: "speaker_reassign", ...(await anchorOf(at)), to: { newSpeakerLabel } });
async function tag(at: number, surface: string, entityId: number, action: "add" | "remove" = "add") {
  const text = (await readAllSegments(context.pool, videoId))[at]?.text ?? "";
  const charStart = text.indexOf(surface);
  const place = { entityId, charStart, charEnd: charStart + surface.length, action };
  return correct({ kind: "entity_tag", ...(await anchorOf(at)), tag: place });
}

const mentionRow = z.object({
  id: count,
  entity_id: count,
  segment_id: z.string(),
  char_start: z.number(),
  char_end: z.number(),
  start_seconds: z.number(),
  end_seconds: z.number(),
  quote: z.string(),
  in_ad: z.boolean(),
  speaker_name: z.string().nullable(),
  speaker_entity_id: count.nullable(),
});
const mentions = () =>
  context.pool.any(sql.type(mentionRow)`
    select id, entity_id, segment_id, char_start, char_end, start_seconds, end_seconds, quote, in_ad, speaker_name, speaker_entity_id
    from mention where video_id = ${videoId} and not is_appearance order by start_seconds, char_start, id`);
const appearanceRow = z.object({
  id: count,
  entity_id: count,
  role: z.string().nullable(),
  start_seconds: z.number(),
  end_seconds: z.number(),
  speaking_seconds: z.number().nullable(),
});
const appearances = () =>
  context.pool.any(sql.type(appearanceRow)`
    select id, entity_id, appearance_role as role, start_seconds, end_seconds, speaking_seconds
    from mention where video_id = ${videoId} and is_appearance order by entity_id`);
const commercialRow = z.object({
  id: count,
  entity_id: count,
  promo_code: z.string().nullable(),
  verbatim_quote: z.string(),
});
const commercials = () =>
  context.pool.any(sql.type(commercialRow)`
    select id, entity_id, promo_code, verbatim_quote from recommendation where video_id = ${videoId} order by id`);

const withoutIds = (rows: readonly { id: number }[]) => rows.map((row) => Object.assign({}, row, { id: null }));

/** Indexes the transcript as it stands as a worker would, with all names. */
async function reindex(): Promise<void> {
  await names.refresh();
  await context.pool.transaction(async (transaction) => {
    const speakers = await readSpeakers(transaction, videoId);
    const segments = spokenSegments(await readAllSegments(transaction, videoId), speakers);
    await indexVideo(transaction, names.gazetteer, {
      videoId,
      source: "speech",
      transcriptRevision: 9,
      segments,
      speakers,
    });
  });
}

/** All evidence, and that a worker would find no other. */
async function expectAsIfIndexed() {
  const evidence = { mentions: await mentions(), appearances: await appearances(), commercials: await commercials() };
  await reindex();
  expect({ mentions: await mentions(), appearances: await appearances(), commercials: await commercials() }).toEqual(
    evidence,
  );
  return evidence;
}

describe("evidence of a corrected transcript", () => {
  it("has what the corrected words name, and what stayed under its ids", async () => {
    const before = await mentions();
    const [appearance] = await appearances();
    await edit(1, "My guest today is Ada Quillfeather.");
    const after = await expectAsIfIndexed();
    expect(after.mentions.filter(({ segment_id }) => segment_id === "seg_1")).toMatchObject([
      { entity_id: ada, char_start: 18, char_end: 34, quote: "My guest today is Ada Quillfeather." },
    ]);
    expect(after.mentions.filter(({ segment_id }) => segment_id !== "seg_1").map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    );
    expect(appearance).toMatchObject({ entity_id: ada, start_seconds: 15 });
    expect(after.appearances).toMatchObject([{ id: appearance?.id, entity_id: ada, role: "guest", start_seconds: 5 }]);
  });

  it("loses what is no longer said, and gets it back under the ids of what stayed when that is undone", async () => {
    const before = { mentions: await mentions(), appearances: await appearances(), commercials: await commercials() };
    const { id } = await edit(8, "I met somebody in the spring, and he showed me the workshop.");
    const after = await expectAsIfIndexed();
    expect(after.mentions.filter(({ entity_id }) => entity_id === osric)).toHaveLength(1);
    await undo(id);
    const restored = await mentions();
    expect(withoutIds(restored)).toEqual(withoutIds(before.mentions));
    const kept = before.mentions.filter(({ segment_id }) => segment_id !== "seg_8").map((row) => row.id);
    expect(restored.filter(({ segment_id }) => segment_id !== "seg_8").map((row) => row.id)).toEqual(kept);
    expect(await commercials()).toEqual(before.commercials);
  });

  it("quotes the words as they are now beside a correction", async () => {
    const before = (await mentions()).find(({ segment_id }) => segment_id === "seg_8");
    await rewrite(8, 9, ["I met Osric Vandermeer in the spring", "at his house, and he never spoke of money."]);
    const after = await expectAsIfIndexed();
    const moved = after.mentions.find(({ quote }) => quote.startsWith("I met"));
    expect(moved).toMatchObject({
      id: before?.id,
      entity_id: osric,
      quote: "I met Osric Vandermeer in the spring at his house, and he never spoke of money.",
    });
  });

  it("has a commercial row with what is said now, under its id, and none where nothing is sold any more", async () => {
    const before = await commercials();
    expect(before).toMatchObject([{ entity_id: lumora, promo_code: "ADA20" }]);
    await edit(6, "Go to lumora dot com and use code ADA30 for thirty percent off your first order.");
    expect((await expectAsIfIndexed()).commercials).toMatchObject([{ id: before[0]?.id, promo_code: "ADA30" }]);
    await rewrite(5, 6, ["I slept on a Lumora Mattress once."]);
    const after = await expectAsIfIndexed();
    expect(after.commercials).toEqual([]);
    expect(after.mentions.find(({ entity_id }) => entity_id === lumora)).toMatchObject({ in_ad: false });
  });

  it("goes with a deleted range, and comes back with it", async () => {
    const before = { mentions: await mentions(), commercials: await commercials() };
    const { id } = await rewrite(3, 8, []);
    expect(await expectAsIfIndexed()).toMatchObject({ mentions: [], commercials: [] });
    await undo(id);
    expect(withoutIds(await mentions())).toEqual(withoutIds(before.mentions));
    expect(withoutIds(await commercials())).toEqual(withoutIds(before.commercials));
  });
});

describe("what people say of names", () => {
  it("goes before what is detected, there and after the video is indexed again", async () => {
    const { id } = await tag(2, "She", ada);
    await tag(7, "Osric Vandermeer", osric, "remove");
    const after = await expectAsIfIndexed();
    expect(after.mentions.filter(({ segment_id }) => ["seg_2", "seg_7"].includes(segment_id))).toMatchObject([
      { entity_id: ada, segment_id: "seg_2", char_start: 0, char_end: 3 },
    ]);
    await edit(2, "Well, she has spent years with old machines.");
    expect((await expectAsIfIndexed()).mentions.find(({ segment_id }) => segment_id === "seg_2")).toMatchObject({
      id: after.mentions.find(({ segment_id }) => segment_id === "seg_2")?.id,
      char_start: 6,
      char_end: 9,
    });
    await expect(undo(id)).rejects.toThrow("anchor_mismatch");
  });

  it("is taken back by the opposite and by an undo", async () => {
    const { id } = await tag(2, "She", ada);
    await undo(id);
    expect((await expectAsIfIndexed()).mentions.filter(({ segment_id }) => segment_id === "seg_2")).toEqual([]);
    await tag(7, "Osric Vandermeer", osric, "remove");
    await tag(7, "Osric Vandermeer", osric, "add");
    expect((await expectAsIfIndexed()).mentions.filter(({ segment_id }) => segment_id === "seg_7")).toHaveLength(1);
    await expect(tag(7, "Osric Vandermeer", osric, "add")).rejects.toThrow("anchor_mismatch");
  });

  it("follows a merge of the entity", async () => {
    const [twin, other] = [
      await createEntity(context, { name: "Grace Thackeray", type: "person" }),
      await createEntity(context, { name: "G. Thackeray", type: "person" }),
    ];
    await tag(2, "She", twin);
    await context.pool.transaction((transaction) => mergeEntities(transaction, twin, other));
    const tagged = (await mentions()).find(({ segment_id }) => segment_id === "seg_2");
    await expect(tag(2, "She", other)).rejects.toThrow("anchor_mismatch");
    await edit(2, "She has spent many years with old machines.");
    expect((await mentions()).find(({ segment_id }) => segment_id === "seg_2")).toMatchObject({
      id: tagged?.id,
      entity_id: twin,
    });
    const { id } = await tag(2, "She", other, "remove");
    expect((await mentions()).filter(({ segment_id }) => segment_id === "seg_2")).toEqual([]);
    await undo(id);
    const told = async () => (await readAllSegments(context.pool, videoId))[2]?.tags.map(({ entityId }) => entityId);
    expect(await told()).toEqual([other]);
    await context.pool.transaction((transaction) => unmergeEntities(transaction, twin));
    expect(await told()).toEqual([twin]);
  });
});

describe("what people say of persons", () => {
  it("makes appearances, with the times of who speaks, and takes them away again", async () => {
    await edit(3, "Thank you for coming.");
    expect(await appearances()).toEqual([]);
    const first = await reassign(4, "The guest");
    await reassign(8, "The guest");
    await correct({ kind: "speaker_identify", speakerId: "spk_2", entityId: osric });
    expect((await expectAsIfIndexed()).appearances).toMatchObject([
      { entity_id: osric, role: "host", start_seconds: 20, end_seconds: 44.5, speaking_seconds: 9 },
    ]);
    const spoken = (await mentions()).find(({ segment_id }) => segment_id === "seg_8");
    expect(spoken).toMatchObject({ speaker_name: "The guest", speaker_entity_id: osric });
    await correct({ kind: "add_person", person: { entityId: osric }, role: "guest" });
    const added = await correct({ kind: "add_person", person: { entityId: ada }, role: "host" });
    expect((await expectAsIfIndexed()).appearances).toMatchObject([
      { entity_id: ada, role: "host", start_seconds: 0, end_seconds: 60, speaking_seconds: null },
      { entity_id: osric, role: "guest" },
    ]);
    await undo(added.id);
    expect((await expectAsIfIndexed()).appearances).toMatchObject([{ entity_id: osric }]);
    await expect(undo(first.id)).rejects.toThrow("anchor_mismatch");
  });

  it("keeps the appearance that the text tells of under its id, whoever says what and takes it back", async () => {
    await edit(1, "My guest today is Ada Quillfeather.");
    const [told] = await appearances();
    await reassign(4, "The guest");
    const { id } = await correct({ kind: "speaker_identify", speakerId: "spk_2", entityId: ada });
    expect((await expectAsIfIndexed()).appearances).toMatchObject([
      { id: told?.id, role: "guest", start_seconds: 20, speaking_seconds: 4.5 },
    ]);
    await undo(id);
    expect((await expectAsIfIndexed()).appearances).toEqual([told]);
  });
});
