import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeRecording, type Recording } from "../../bench/audio/recording.ts";
import { listLedger } from "../../database/ledger.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { hasEnded, Installation } from "../builders/installation.ts";
import { eventually, type PartName, partNames, runningParts } from "../environment/startedSystem.ts";

jest.setTimeout(300_000);
let installation: Installation;
let recording: Recording;
beforeAll(async () => {
  installation = await Installation.start();
  recording = await makeRecording(60, path.join(tmpdir(), "media-index-recordings"));
});
afterAll(() => installation?.stop());

/** A job that is being worked on. */
async function beginJob(videoId: string): Promise<{ accountId: string; key: string }> {
  await installation.addMedia(videoId, recording.path);
  const account = await installation.createKey();
  await installation.submit(account.key, videoId);
  await installation.waitFor(account.key, videoId, (job) => job.stage === "recognising", 50);
  return account;
}

async function expectChargedOnce(accountId: string): Promise<void> {
  const { context } = installation;
  const entries = await listLedger(context.pool, accountId, usagePeriod(context.clock()));
  expect(entries.filter((entry) => entry.kind === "capture")).toHaveLength(1);
  expect(entries.reduce((sum, entry) => sum + entry.rows, 0)).toBe(100);
  expect((await readUsage(context, accountId)).rows_used).toBe(100);
}

function kill(name: PartName): void {
  const part = runningParts(installation.where.home)[name];
  if (part === undefined) throw new Error(`${name} is not running`);
  process.kill(part.pid, "SIGKILL");
}

/** A client's poll survives what it polls being restarted. */
async function waitForEnd(key: string, videoId: string) {
  return eventually(async () => {
    const job = await installation.poll(key, videoId).catch(() => null);
    return job !== null && hasEnded(job) ? job : undefined;
  });
}

describe("a job in whose middle something is killed with -9", () => {
  it.each(["postgres", "temporal", "workers", "api"] as const)("ends, charged once, when it is %s", async (name) => {
    const videoId = `kill-${name}`.padEnd(11, "_").slice(0, 11);
    const { accountId, key } = await beginJob(videoId);
    kill(name);
    expect(await waitForEnd(key, videoId)).toMatchObject({ status: "completed", rowsCharged: 100 });
    await eventually(
      async () => (await readUsage(installation.context, accountId).catch(() => undefined)) ?? undefined,
    );
    await expectChargedOnce(accountId);
  });

  it("ends after the next start, charged once, when it is everything at once", async () => {
    const videoId = "kill-all___";
    const { accountId, key } = await beginJob(videoId);
    installation.system.child.kill("SIGKILL");
    for (const name of partNames) kill(name);
    await installation.system.exit;
    await installation.startAgain();
    expect(await waitForEnd(key, videoId)).toMatchObject({ status: "completed", rowsCharged: 100 });
    await expectChargedOnce(accountId);
  });
});
