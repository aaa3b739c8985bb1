import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { talk } from "../builders/speech.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const videoId = "ten-hours-1";
const tenHours = talk(36_000);
/** As the database hands them over. */
const segmentsOfBatch = 100;
const batches = Math.floor(tenHours.segments.length / segmentsOfBatch);

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
  const response = await fetch(`${edge.url}/v1/transcripts/${videoId}${query}`, {
    headers: { "x-api-key": owner.key, "accept-encoding": "identity" },
  });
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
}

/** Runs it, and counts how often the process meanwhile got round to others. */
async function turnsDuring<T>(run: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let [turns, running] = [0, true];
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const result = await run();
  running = false;
  return { result, turns };
}

async function statementsDuring<T>(run: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const before = statements;
  const result = await run();
  return { result, statements: statements - before };
}

describe("a transcript of ten hours with words", () => {
  it("lets others in after every hundred segments, while it is written and when it is sent again", async () => {
    const first = await turnsDuring(() => readWhole("?include=words"));
    expect(first.result.status).toBe(200);
    expect(first.result.bytes).toBeGreaterThan(5_000_000);
    expect(first.turns).toBeGreaterThan(batches);
    const others = await turnsDuring(() => readWhole("?include=words&start=0"));
    expect(others.result).toEqual(first.result);
    expect(others.turns).toBeGreaterThan(batches);
  });

  it("is answered past by small requests", async () => {
    let reading = true;
    const reads = Promise.all([readWhole("?include=words&start=0"), readWhole("?include=words&end=90000")]).finally(
      () => (reading = false),
    );
    let answered = 0;
    while (reading) {
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

  it("is searched without holding up others", async () => {
    const { result, turns } = await turnsDuring(async () => {
      const response = await fetch(`${edge.url}/v1/transcripts/${videoId}/search?q=%22in+the+workshop%22`, {
        headers: { "x-api-key": owner.key },
      });
      await response.arrayBuffer();
      return response.status;
    });
    expect(result).toBe(200);
    expect(turns).toBeGreaterThan(batches);
  });
});
