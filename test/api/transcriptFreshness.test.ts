import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { unmergeEntities } from "../../services/entities/unmergeEntities.ts";
import { indexVideo } from "../../services/indexing/indexVideo.ts";
import { spokenSegments } from "../../services/indexing/spokenSegments.ts";
import { createEntity } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const said = ["I met Ada Quillfeather there.", "She slept on a Lumora Mattress."];

let edge: Edge;
let owner: NewKey;
let ada: number;
let names: Gazetteer;
beforeAll(async () => {
  edge = await startEdge({ connections: 20 });
  owner = await edge.newKey();
  ada = await createEntity(edge.context, { name: "Ada Quillfeather", type: "person" });
});
afterAll(() => edge.close());

let videoId = "";
let videos = 0;
beforeEach(async () => {
  videoId = `fresh-${String((videos += 1)).padStart(5, "0")}`;
  names = new Gazetteer();
  names.add(ada, "Ada Quillfeather", false);
  const caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
  const segments = said.map((text, index) => ({
    text,
    startSeconds: index * 5,
    endSeconds: index * 5 + 4,
    confidence: 0.9,
    words: [],
  }));
  await createTranscript(edge.context, caller, { videoId, names, durationSeconds: 10, segments });
});

const read = (headers: Record<string, string> = {}, query = "") =>
  edge.call("GET", `/v1/transcripts/${videoId}${query}`, { key: owner.key, headers });
const readTag = async () => (await read()).headers.get("etag") ?? "";
const namedIn = async () => {
  const { json } = await read();
  return json.segments.map((segment: { entities: { entityId: string }[] }) =>
    segment.entities.map((named) => named.entityId),
  );
};

/** Does it, and expects the tag of before to be out of date. */
async function changing(change: () => Promise<unknown>): Promise<void> {
  const etag = await readTag();
  expect((await read({ "if-none-match": etag })).status).toBe(304);
  await change();
  expect((await read({ "if-none-match": etag })).status).toBe(200);
}

describe("a text that was read before is what the index says now", () => {
  it("when an entity in it is merged, and when that is undone", async () => {
    const other = await createEntity(edge.context, { type: "person" });
    expect(await namedIn()).toEqual([[`ent_${ada}`], []]);
    const etag = await readTag();
    await changing(() => edge.context.pool.transaction((tx) => mergeEntities(tx, ada, other)));
    expect(await namedIn()).toEqual([[`ent_${other}`], []]);
    await changing(() => edge.context.pool.transaction((tx) => unmergeEntities(tx, ada)));
    expect(await namedIn()).toEqual([[`ent_${ada}`], []]);
    expect(await readTag()).toBe(etag);
  });

  it("when the video is indexed anew with more names", async () => {
    const lumora = await createEntity(edge.context, { name: "Lumora Mattress", type: "brand" });
    names.add(lumora, "Lumora Mattress", false);
    await changing(() =>
      edge.context.pool.transaction(async (transaction) => {
        const segments = spokenSegments(await readAllSegments(transaction, videoId), []);
        await indexVideo(transaction, names, { videoId, source: "speech", transcriptRevision: 1, segments });
      }),
    );
    expect(await namedIn()).toEqual([[`ent_${ada}`], [`ent_${lumora}`]]);
  });

  it("when what is said of the video changes", async () => {
    await changing(() =>
      edge.context.pool.query(sql.typeAlias("void")`update video set title = 'A better title' where id = ${videoId}`),
    );
    expect((await read()).json.title).toBe("A better title");
  });

  it("but nothing else of other videos makes it be sent again", async () => {
    const etag = await readTag();
    const [one, other] = [await createEntity(edge.context), await createEntity(edge.context)];
    await edge.context.pool.transaction((tx) => mergeEntities(tx, one, other));
    expect((await read({ "if-none-match": etag })).status).toBe(304);
  });
});

/** What a correction of everything does to the tables. */
async function rewriteAll(revision: number): Promise<void> {
  await edge.context.pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias("void")`
      update transcript set revision = ${revision}, seq = ${revision - 1} where video_id = ${videoId}`);
    await transaction.query(sql.typeAlias("void")`
      update transcript_segment set text = ${`revision ${revision}`} where video_id = ${videoId}`);
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(1);
}

describe("while a text is being corrected", () => {
  it.each(["", "?start=0"])(
    "every answer%s is of one revision, the one that it names, and a tag never outlives its text",
    async (query) => {
      const last = 30;
      const state = { answers: 0, correcting: true };
      await rewriteAll(1);
      const corrections = (async () => {
        for (let revision = 2; revision <= last; revision += 1) {
          await rewriteAll(revision);
          await until(() => state.answers >= 2 * revision);
        }
        state.correcting = false;
      })();
      const readers = Array.from({ length: 8 }, async () => {
        let [etag, known] = ["", 0];
        while (state.correcting) {
          const { status, json, headers } = await read(etag === "" ? {} : { "if-none-match": etag }, query);
          state.answers += 1;
          if (status === 304) continue;
          const texts: string[] = json.segments.map(({ text }: { text: string }) => text);
          expect(new Set(texts)).toEqual(new Set([`revision ${json.revision}`]));
          expect(json.revision).toBeGreaterThanOrEqual(known);
          [etag, known] = [headers.get("etag") ?? "", json.revision];
        }
        const { status, json } = await read({ "if-none-match": etag }, query);
        expect(status === 304 ? known : json.revision).toBe(last);
      });
      await Promise.all([corrections, ...readers]);
    },
  );
});
