import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { talk } from "../builders/speech.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const videoId = "ten-hours-1";
const tenHours = talk(36_000);
/** There are a hundred batches of a hundred segments; what is collected as garbage comes on top of one. */
const mostOfOneTurn = 0.1;

let edge: Edge;
let owner: NewKey;
let statements = 0;
beforeAll(async () => {
  edge = await startEdge({ onStatement: () => (statements += 1) });
  owner = await edge.newKey();
  const caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
  await createTranscript(edge.context, caller, { ...tenHours, videoId });
}, 120_000);
afterAll(() => edge.close());

/** The status and the bytes, without what a test would make of them. */
async function readWhole(query: string): Promise<{ status: number; bytes: number }> {
  const response = await begin(query);
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
}

/** The answer up to its head: the text is written by then, and none of it has been read here. */
const begin = (query: string) =>
  fetch(`${edge.url}/v1/transcripts/${videoId}${query}`, {
    headers: { "x-api-key": owner.key, "accept-encoding": "identity" },
  });

/** The least of three, each of a new revision, which no kept text serves: what turns are is in all of them, garbage that is collected in some. */
async function leastLongestTurn(query: string): Promise<number> {
  const turns: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    turns.push(await longestTurn(() => begin(query)));
    await edge.context.pool.query(sql.typeAlias("void")`
      update transcript set revision = revision + 1 where video_id = ${videoId}`);
  }
  return Math.min(...turns);
}

/** Microseconds. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The longest that the process works without getting round to others, as a share of all that it works meanwhile. */
async function longestTurn(run: () => Promise<Response>): Promise<number> {
  const begun = worked();
  let [last, longest, running] = [begun, 0, true];
  const turn = () => {
    const now = worked();
    [last, longest] = [now, Math.max(longest, now - last)];
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const response = await run();
  turn();
  running = false;
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return longest / (last - begun);
}

async function statementsDuring<T>(run: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const before = statements;
  const result = await run();
  return { result, statements: statements - before };
}

describe("a transcript of ten hours with words", () => {
  it.each(["?include=words", "?include=words&start=0", "", "?format=vtt&end=90000"])(
    "is written in many short turns: %p",
    async (query) => expect(await leastLongestTurn(query)).toBeLessThan(mostOfOneTurn),
  );

  it("is answered past by small requests", async () => {
    const state = { reading: true };
    const reads = Promise.all([readWhole("?include=words&start=0"), readWhole("?include=words&end=90000")]).finally(
      () => (state.reading = false),
    );
    let answered = 0;
    while (state.reading) {
      const response = await fetch(`${edge.url}/v1/health`);
      await response.arrayBuffer();
      if (response.ok) answered += 1;
    }
    for (const { status } of await reads) expect(status).toBe(200);
    expect(answered).toBeGreaterThan(10);
  });

  it("is written once for all who ask for it at the same time", async () => {
    const alone = await statementsDuring(() => readWhole("?format=vtt"));
    const together = await statementsDuring(() =>
      Promise.all(Array.from({ length: 8 }, () => readWhole("?format=txt"))),
    );
    expect(new Set(together.result.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1);
    // Of admissions and heads each batch has one.
    expect(together.statements).toBeLessThan(2 * alone.statements + 8);
  });

  it("is searched in many short turns", async () => {
    expect(await leastLongestTurn("/search?q=%22in+the+workshop%22")).toBeLessThan(mostOfOneTurn);
  });
});
