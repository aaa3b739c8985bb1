import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, type Pool, sql, type Transaction } from "../../database/pool.ts";
import { queueScan, readScan, startScan } from "../../database/scans.ts";
import { listNamedIn } from "../../database/segmentEvidence.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { Caller } from "../../services/context.ts";
import { correctTranscript } from "../../services/corrections/correct.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { indexScan } from "../../services/scans/indexScan.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";

const videoId = "scanned-001";
const texts = ["Welcome back to the show.", "Now Dorna Vexley is here.", "That is all for today."];

let context: TestContext;
let caller: Caller;
let names: NameIndex;
beforeAll(async () => {
  context = await createTestContext();
  caller = await createCaller(context, { tier: "enterprise" });
  await createEntity(context, { name: "Dorna Vexley", type: "person" });
  names = new NameIndex(context);
  await names.load();
  const segments = texts.map((text, n) => ({
    text,
    startSeconds: n * 5,
    endSeconds: n * 5 + 4,
    confidence: 0.9,
    words: [],
  }));
  await createTranscript(context, caller, { videoId, names: names.gazetteer, durationSeconds: 20, segments });
});
afterAll(() => context.close());

/** The pool, whose transactions run `before` when they are about to replace evidence. */
function interrupted(pool: Pool, before: () => Promise<void>): Pool {
  return new Proxy(pool, {
    get: (of, key) =>
      key === "transaction"
        ? (run: (transaction: Transaction) => Promise<unknown>) => of.transaction((one) => run(halting(one, before)))
        : Reflect.get(of, key),
  });
}

function halting(transaction: Transaction, before: () => Promise<void>): Transaction {
  return new Proxy(transaction, {
    get: (of, key) =>
      key === "query"
        ? async (query: Parameters<Transaction["query"]>[0]) => {
            if (query.sql.includes("no key update")) await before();
            return of.query(query);
          }
        : Reflect.get(of, key),
  });
}

async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const waiting = await context.pool.oneFirst(sql.type(z.object({ n: count }))`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (waiting > 0) return;
    await sleep(20);
  }
}

it("a scan and a correction of one transcript go one after the other, so that no evidence of the old text is left", async () => {
  const [, segment] = await readAllSegments(context.pool, videoId);
  if (segment === undefined) throw new Error("there is no segment");
  const named = async () => (await listNamedIn(context.pool, videoId, [segment.id])).length;
  expect(await named()).toBe(1);
  await queueScan(context.pool, videoId);
  const run = (await readScan(context.pool, videoId))?.run ?? 0;
  await startScan(context.pool, { videoId, run });

  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const correcting = reached.promise.then(async () => {
    const correction = {
      kind: "line_edit",
      revision: 1,
      anchor: { segmentId: segment.id, contentHash: contentHash(segment.text) },
      text: "Now nobody at all is here.",
    } as const;
    const made = context.pool.transaction((transaction) =>
      correctTranscript(transaction, caller, videoId, { correction, seq: null, note: null, asked: "{}" }),
    );
    await Promise.race([made, untilSomebodyWaits()]);
    goOn.resolve();
    return made;
  });
  const pool = interrupted(context.pool, () => {
    reached.resolve();
    return goOn.promise;
  });
  expect(await indexScan({ ...context, pool }, names.gazetteer, { videoId, run })).toBe("speech");
  expect((await correcting).revision).toBe(2);
  expect(await named()).toBe(0);
});
