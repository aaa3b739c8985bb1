import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { listLedger } from "../../database/ledger.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { startApiProcess } from "../builders/apiProcess.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import { talk } from "../builders/speech.ts";

const rateLimit = 100_000;
let context: TestContext;
let home: string;
let entityId: number;
beforeAll(async () => {
  context = await createTestContext();
  entityId = await createEntity(context);
  home = await mkdtemp(path.join(tmpdir(), "media-index-two-"));
  await writeFile(
    path.join(home, "settings.json"),
    JSON.stringify({ rateLimitPerMinute: { enterprise: rateLimit, ultra: 100 } }),
  );
});
afterAll(async () => {
  await context.close();
  await rm(home, { recursive: true });
});

let processes: readonly ChildProcess[] = [];
let urls: readonly [string, string];
beforeEach(async () => {
  const settings = { MEDIA_INDEX_SETTINGS: path.join(home, "settings.json") };
  const [one, other] = await Promise.all([
    startApiProcess(context.databaseUrl, home, settings),
    startApiProcess(context.databaseUrl, home, settings),
  ]);
  processes = [one.api, other.api];
  urls = [one.url, other.url];
});
afterEach(async () => {
  const exits = processes
    .filter((api) => api.exitCode === null && api.signalCode === null)
    .map((api) => once(api, "exit"));
  for (const api of processes) api.kill("SIGKILL");
  await Promise.all(exits);
});

async function newAccount(rows: number, keys: number, tier: "enterprise" | "ultra" = "enterprise") {
  const { accountId } = await createAccount(context, { email: "two@example.com", tier, monthlyRows: rows });
  const created = await Promise.all(Array.from({ length: keys }, () => createKey(context, { accountId })));
  return { accountId, keys: created.map(({ key }) => key) };
}

/** A request's status, or null when its answer was lost with its process. */
async function read(url: string, key: string): Promise<{ status: number; requestId: string | null } | null> {
  try {
    const response = await fetch(`${url}/v1/entities/${entityId}`, { headers: { "x-api-key": key } });
    await response.arrayBuffer();
    return { status: response.status, requestId: response.headers.get("x-request-id") };
  } catch {
    return null;
  }
}

/** 64 clients, each of which reads until it is refused; one whose process dies goes on at the other. */
async function race(keys: readonly string[], onAnswer: (answers: number) => void = () => undefined) {
  const answers: { status: number; requestId: string | null }[] = [];
  await Promise.all(
    Array.from({ length: 64 }, async (_, client) => {
      let url = urls[client % 2] ?? urls[0];
      for (;;) {
        const answer = await read(url, keys[client % keys.length] ?? "");
        if (answer === null) {
          url = urls[1];
          continue;
        }
        answers.push(answer);
        onAnswer(answers.length);
        if (answer.status !== 200) return;
      }
    }),
  );
  return answers;
}

async function books(accountId: string) {
  const entries = await listLedger(context.pool, accountId, usagePeriod(new Date()));
  const { rows_used } = await readUsage(context, accountId);
  return { used: rows_used, sum: entries.reduce((sum, { rows }) => sum + rows, 0), entries };
}

describe("64 clients race over two processes for the last rows of one account", () => {
  it.each([1, 16])("with %i keys: exactly the pool is debited, and all others are refused", async (keyCount) => {
    const pool = 500;
    const { accountId, keys } = await newAccount(pool, keyCount);
    const answers = await race(keys);
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid).toHaveLength(pool);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(answers.length - pool);
    const { used, sum, entries } = await books(accountId);
    expect([used, sum]).toEqual([pool, pool]);
    expect(new Set(entries.map((entry) => entry.request_id))).toEqual(new Set(paid.map(({ requestId }) => requestId)));
  });

  it("and one process is killed: the ledger sums to the counter, and whatever was answered had been debited", async () => {
    const pool = 800;
    const { accountId, keys } = await newAccount(pool, 16);
    const answers = await race(keys, (count) => {
      if (count === 200) processes[0]?.kill("SIGKILL");
    });
    expect(processes[0]?.signalCode).toBe("SIGKILL");
    const { used, sum, entries } = await books(accountId);
    expect(sum).toBe(used);
    expect(used).toBeLessThanOrEqual(pool);
    const debited = new Set(entries.map((entry) => entry.request_id));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid.filter(({ requestId }) => !debited.has(requestId))).toEqual([]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
    // The other process went on until the pool was used up, so what is missing is only what was never asked.
    expect(used).toBe(pool);
  });
});

it("32 requests with one Idempotency-Key over two processes have one effect", async () => {
  const { accountId, keys } = await newAccount(10_000, 1);
  const answers = await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      const response = await fetch(`${urls[client % 2]}/v1/transcriptions`, {
        method: "POST",
        headers: { "x-api-key": keys[0] ?? "", "idempotency-key": "race", "content-type": "application/json" },
        body: JSON.stringify({ videoId: "twoProcess1" }),
      });
      return {
        status: response.status,
        replayed: response.headers.get("idempotency-replayed"),
        text: await response.text(),
      };
    }),
  );
  const done = answers.filter(({ status }) => status === 202);
  expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  const others = answers.filter(({ status }) => status !== 202);
  for (const { status, text } of others)
    expect([status, JSON.parse(text).error.code]).toEqual([409, "idempotency_in_progress"]);
  const { used, entries } = await books(accountId);
  expect([used, entries.map(({ kind }) => kind)]).toEqual([100, ["hold"]]);
});

it("64 clients unlock one transcript over two processes: it is charged once, and a retry at the other is free", async () => {
  const [submitter, { accountId, keys }] = [await createCaller(context), await newAccount(10_000, 1)];
  const videoId = await createTranscript(context, submitter, { ...talk(60), videoId: "twoProcess2" });
  const unlock = async (url: string) => {
    const headers = { "x-api-key": keys[0] ?? "" };
    const response = await fetch(`${url}/v1/transcripts/${videoId}?unlock=true`, { headers });
    return `${response.status} ${/"access":"(\w+)"/.exec(await response.text())?.[1]}`;
  };
  const answers = await Promise.all(Array.from({ length: 64 }, (_, client) => unlock(urls[client % 2] ?? "")));
  expect(new Set([...answers, await unlock(urls[0]), await unlock(urls[1])])).toEqual(new Set(["200 unlocked"]));
  const { used, entries } = await books(accountId);
  expect([used, entries.map(({ reason }) => reason)]).toEqual([50, ["transcript unlock"]]);
});

it("the rate limit of a key is one over two processes: every position once, then 429", async () => {
  const { keys } = await newAccount(10_000, 1, "ultra");
  const answers = await Promise.all(
    Array.from({ length: 160 }, async (_, client) => {
      const response = await fetch(`${urls[client % 2]}/v1/me`, { headers: { "x-api-key": keys[0] ?? "" } });
      await response.arrayBuffer();
      return { status: response.status, remaining: Number(response.headers.get("ratelimit-remaining")) };
    }),
  );
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed.map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, position) => position),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
});
