import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import type { MentionRow } from "../../domain/imports/rows.ts";
import { mentionWriter } from "../../services/imports/evidence.ts";
import { type Entry, importRows, type RowWriter } from "../../services/imports/importRows.ts";
import { videoWriter } from "../../services/imports/videos.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function* entriesOf<Row>(rows: readonly Row[]): AsyncGenerator<Entry<Row>[]> {
  for (const [n, row] of rows.entries()) yield [{ line: n + 1, sizeBytes: 10, row }];
}

const importAll = <Row>(writer: RowWriter<Row>, rows: readonly Row[], maxBatchLines: number) =>
  importRows(context, writer, entriesOf(rows), { maxBatchLines });

const mentionOf = (videoId: string, entity: number, start: number): MentionRow => ({
  video_id: videoId,
  entity,
  start_seconds: start,
  end_seconds: start + 1,
  quote: "So.",
});
const waiting = sql.type(z.object({ n: z.number() }))`
  select count(*)::int4 as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

describe("imports", () => {
  it("of the same rows at the same time, in opposite order, store each once and count it once", async () => {
    const videoId = await createVideo(context);
    const entities = await Promise.all(Array.from({ length: 20 }, () => createEntity(context)));
    const rows = Array.from({ length: 600 }, (_, n) => mentionOf(videoId, entities[n % entities.length] ?? 0, n));
    const reports = await Promise.all([
      importAll(mentionWriter, rows, 20),
      importAll(mentionWriter, rows.toReversed(), 30),
    ]);
    expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(600);
    expect(reports.map(({ updated, rejected }) => updated + rejected)).toEqual([0, 0]);
    const counts = await context.pool.anyFirst(sql.type(z.object({ n: z.number() }))`
      select mention_count::int4 as n from entity where id = any(${sql.array(entities, "int8")})`);
    expect(new Set(counts)).toEqual(new Set([30]));
  });

  it("lose no good row to one that the database refuses unforeseen", async () => {
    const stored: number[] = [];
    const writer: RowWriter<number> = {
      batchesAtOnce: 2,
      keysOf: (row) => ({ needs: [String(row)], claims: [String(row)] }),
      write: async (transaction, rows) => {
        await transaction.query(sql.unsafe`select 1 / each from unnest(${sql.array([...rows], "int4")}) as each`);
        stored.push(...rows);
        return { imported: rows.length, updated: 0, settled: 0, refused: [] };
      },
    };
    const rows = [5, 4, 3, 0, 2, 1, 6, 7, 8, 9];
    expect(await importAll(writer, rows, 8)).toEqual({
      imported: 9,
      updated: 0,
      settled: 0,
      rejected: 1,
      rejects: [{ line: 4, reason: expect.stringMatching(/^the database refuses it: division by zero/) }],
    });
    expect(stored.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("that end early say so, keep what was stored, and reject nothing unhandled", async () => {
    const writer: RowWriter<number> = {
      batchesAtOnce: 2,
      keysOf: (row) => ({ needs: [String(row)], claims: [String(row)] }),
      write: async (_, rows) => {
        if (rows.includes(3)) throw new Error("the server is away");
        return { imported: rows.length, updated: 0, settled: 0, refused: [] };
      },
    };
    await expect(importAll(writer, [1, 2, 3, 4, 5, 6, 7], 1)).rejects.toThrow(
      /stopped at about line \d: the server is away\. .*again/,
    );
  });

  it("of a video that moves wait for mentions that are just copying where it was, and take them along", async () => {
    const videoId = await createVideo(context, { channelId: "old-channel" });
    const entity = await createEntity(context);
    const moved = {
      video_id: videoId,
      title: "Moved",
      channel: { id: "new-channel", name: "New" },
      published_at: "2019-01-01T00:00:00.000Z",
      duration_seconds: 60,
    };
    const copied = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const copying = context.pool.transaction(async (transaction) => {
      await mentionWriter.write(transaction, [mentionOf(videoId, entity, 5)]);
      copied.resolve();
      await commit.promise;
    });
    await copied.promise;
    const moving = importAll(videoWriter("platform"), [moved], 10);
    while ((await context.pool.oneFirst(waiting)) === 0) await sleep(5);
    commit.resolve();
    await copying;
    expect(await moving).toMatchObject({ imported: 0, updated: 1 });
    expect(
      await context.pool.one(sql.unsafe`
        select channel_id, sorted_at = '2019-01-01Z' as follows from mention where video_id = ${videoId}`),
    ).toEqual({ channel_id: "new-channel", follows: true });
  });
});
