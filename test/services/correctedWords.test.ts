import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { Caller } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import type { CorrectionRequest } from "../../services/corrections/request.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { indexVideo } from "../../services/indexing/indexVideo.ts";
import { spokenSegments } from "../../services/indexing/spokenSegments.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";

let context: TestContext;
let caller: Caller;
let names: NameIndex;
let ada: number;
let osric: number;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context, { tier: "enterprise" });
  ada = await createEntity(context, { name: "Ada Quillfeather", type: "person" });
  osric = await createEntity(context, { name: "Osric Vandermeer", type: "person" });
  names = new NameIndex(context);
  await names.load();
});
afterAll(() => context.close());

let videoId = "";
let videos = 0;
/** One segment without times of words. */
beforeEach(async () => {
  videoId = `worded-${String((videos += 1)).padStart(4, "0")}`;
  const segments = [{ text: "Welcome.", startSeconds: 0, endSeconds: 15, confidence: 0.9, words: [] }];
  await createTranscript(context, caller, { videoId, names: names.gazetteer, durationSeconds: 15, segments });
});

const correct = (correction: CorrectionRequest) =>
  context.pool.transaction((transaction) =>
    correctTranscript(transaction, caller, videoId, { correction, seq: null, note: null, asked: "{}" }),
  );
const undo = (id: string) => context.pool.transaction((transaction) => undoCorrection(transaction, id, null));
async function anchor() {
  const [segment] = await readAllSegments(context.pool, videoId);
  return { revision: 1, anchor: { segmentId: segment?.id ?? "", contentHash: contentHash(segment?.text ?? "") } };
}
const edit = async (text: string) => correct({ kind: "line_edit", ...(await anchor()), text });
const tag = async (charStart: number, charEnd: number, entityId: number, action: "add" | "remove" = "add") =>
  correct({ kind: "entity_tag", ...(await anchor()), tag: { entityId, charStart, charEnd, action } });

const mentionRow = z.object({
  id: count,
  entity_id: count,
  char_start: z.number(),
  char_end: z.number(),
  surface_form: z.string(),
});
const rows = () =>
  context.pool.any(sql.type(mentionRow)`
    select id, entity_id, char_start, char_end, surface_form from mention
    where video_id = ${videoId} and not is_appearance order by char_start`);
const ids = async () => (await rows()).map(({ id }) => id);
/** [entity, first character, end, words] of the mentions, which are the same when a worker indexes the transcript as it stands. */
async function named() {
  const before = await rows();
  await context.pool.transaction(async (transaction) => {
    const segments = spokenSegments(await readAllSegments(transaction, videoId), []);
    await indexVideo(transaction, names.gazetteer, { videoId, source: "speech", transcriptRevision: 1, segments });
  });
  expect(await rows()).toEqual(before);
  return before.map((row) => [row.entity_id, row.char_start, row.char_end, row.surface_form]);
}

describe("a mention in a segment without times of words", () => {
  it("keeps its id where its words go, though they are said at another second then", async () => {
    await edit("It is good, Osric Vandermeer, and it is just as good to be here with Osric Vandermeer.");
    const [, second] = await ids();
    const { id } = await edit("It is just as good to be here with Osric Vandermeer.");
    expect(await ids()).toEqual([second]);
    await undo(id);
    expect(await ids()).toEqual([expect.any(Number), second]);
  });
});

describe("a tag", () => {
  it("is of the very characters in a script without spaces", async () => {
    await edit("今天我们谈论卓越的发动机和卓越");
    await tag(6, 8, ada);
    await tag(13, 15, ada);
    await tag(9, 12, osric);
    await expect(tag(0, 2, ada, "remove")).rejects.toThrow("anchor_mismatch");
    const [first, ...others] = [
      [ada, 6, 8, "卓越"],
      [osric, 9, 12, "发动机"],
      [ada, 13, 15, "卓越"],
    ];
    expect(await named()).toEqual([first, ...others]);
    await tag(6, 8, ada, "remove");
    expect(await named()).toEqual(others);
  });

  it.each(["ラーメン", "เครื่องยนต์"])("is of the very characters of %s", async (words) => {
    await edit(`${words}${words}`);
    await tag(words.length, 2 * words.length, ada);
    expect(await named()).toEqual([[ada, words.length, 2 * words.length, words]]);
  });

  it("is of the very characters of a part of a word", async () => {
    await edit("This is Osric's day.");
    await tag(8, 13, osric);
    expect(await named()).toEqual([[osric, 8, 13, "Osric"]]);
  });
});
