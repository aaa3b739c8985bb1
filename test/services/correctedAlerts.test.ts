import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { readPresent } from "../../database/transcriptParts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { Caller } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { acceptName, undoName } from "../../services/teaching/decide.ts";
import { listOffers } from "../../services/teaching/read.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { carryAll } from "../builders/taughtNames.ts";
import { createTestMonitor, createTestTracker } from "../builders/monitors.ts";

const spoken = ["I met Ada Quillfeather there.", "She told me of Osric Vandermere.", "We walked on and said no more."];

let context: TestContext;
let caller: Caller;
let names: NameIndex;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context, { tier: "enterprise" });
  for (const name of ["Ada Quillfeather", "Osric Vandermeer"]) await createEntity(context, { name, type: "person" });
  names = new NameIndex(context);
  await names.load();
  const { monitor } = await createTestMonitor(context, caller);
  for (const entityName of ["Ada Quillfeather", "Osric Vandermeer"])
    await createTestTracker(context, caller, { entityName, monitorId: monitor.monitorId });
});
afterAll(() => context.close());

let videoId = "";
let videos = 0;
beforeEach(async () => {
  videoId = await publish();
});

async function publish(): Promise<string> {
  const published = `alerted-${String((videos += 1)).padStart(3, "0")}`;
  const segments = spoken.map((text, n) => {
    const startSeconds = n * 5;
    return { text, startSeconds, endSeconds: startSeconds + 4.5, confidence: 0.9, words: [] };
  });
  const transcript = { videoId: published, names: names.gazetteer, durationSeconds: 15, segments };
  return createTranscript(context, caller, transcript);
}

async function edit(segmentId: string, text: string): Promise<string> {
  const [segment] = await readPresent(context.pool, videoId, [segmentId]);
  const anchor = { segmentId, contentHash: contentHash(segment?.text ?? "") };
  const correction = { kind: "line_edit" as const, revision: 1, anchor, text };
  const order = { correction, seq: null, note: null, asked: "{}" };
  const { id } = await context.pool.transaction((transaction) =>
    correctTranscript(transaction, caller, videoId, order),
  );
  return id;
}

const fired = () =>
  context.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select entity.name from alert_occurrence join tracker on tracker.id = alert_occurrence.tracker_id
      join entity on entity.id = tracker.entity_id where video_id = ${videoId} order by entity.name`);

describe("a correction", () => {
  it("fires the trackers of whom it names first, and none a second time", async () => {
    expect(await fired()).toEqual(["Ada Quillfeather"]);
    const id = await edit("seg_1", "She told me of Osric Vandermeer.");
    expect(await fired()).toEqual(["Ada Quillfeather", "Osric Vandermeer"]);
    await context.pool.transaction((transaction) => undoCorrection(transaction, id, null));
    await edit("seg_1", "She told me of Osric Vandermeer, and of Ada Quillfeather.");
    await edit("seg_0", "I met nobody there.");
    await edit("seg_0", "I met Ada Quillfeather there.");
    expect(await fired()).toEqual(["Ada Quillfeather", "Osric Vandermeer"]);
  });

  it("teaches a name, which fires once where it is corrected too, and never again", async () => {
    const elsewhere = videoId;
    videoId = await publish();
    await edit("seg_1", "She told me of Osric Vandermeer.");
    videoId = elsewhere;
    const { names: offers } = await listOffers(context, ["offered", "undone"], { limit: 1, after: null });
    const id = offers[0]?.name.id ?? 0;
    for (let round = 0; round < 2; round += 1) {
      await context.pool.transaction((tx) => acceptName(tx, id, { withAlias: true, videoIds: null }, "key_test"));
      await carryAll(context, id);
      expect(await fired()).toEqual(["Ada Quillfeather", "Osric Vandermeer"]);
      await context.pool.transaction((tx) => undoName(tx, id));
      await carryAll(context, id);
    }
    expect(await fired()).toEqual(["Ada Quillfeather", "Osric Vandermeer"]);
  });
});
