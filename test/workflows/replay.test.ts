import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";

const folder = path.join(import.meta.dirname, "histories");
const waysToEnd = ["completed", "engine-outage", "engine-unavailable", "failed-media", "canceled", "insufficient-rows"];

async function keptHistories(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith(".json")).toSorted();
}

async function replay(files: readonly string[]): Promise<{ file: string; error: string | null }[]> {
  const script = path.join(import.meta.dirname, "replayHistories.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...files], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n[") + 1));
}

describe("histories of released versions", () => {
  it("are kept for every way a transcription can end", async () => {
    const ways = waysToEnd.map((way) => `1.2.0/transcription-${way}.json`);
    expect(await keptHistories()).toEqual(expect.arrayContaining(ways));
  });

  it("are kept for every way a delivery can end", async () => {
    const ways = ["alert-delivery", "alert-delivery-retried", "alert-delivery-failed", "alert-delivery-suppressed"];
    const deliveries = [...ways, "webhook-notice", "test-delivery", "webhook-secret-rotation"].map(
      (name) => `1.2.0/${name}.json`,
    );
    expect(await keptHistories()).toEqual(expect.arrayContaining(deliveries));
  });

  it("are kept for every way a scan can end", async () => {
    const ways = ["captions", "speech", "failed"].map((way) => `1.2.0/scan-${way}.json`);
    expect(await keptHistories()).toEqual(expect.arrayContaining(ways));
  });

  it("are kept for what runs by schedule", async () => {
    const names = ["idempotency-purge", "brand-profiles", "image-resolution", "channel-poll", "mention-retyping"];
    const scheduled = names.map((name) => `1.2.0/${name}.json`);
    expect(await keptHistories()).toEqual(expect.arrayContaining(scheduled));
  });

  it("are kept for what becomes of a feedback", async () => {
    const ways = ["400-days", "applied-again", "rejected", "signals"].map((way) => `1.2.0/feedback-review-${way}.json`);
    expect(await keptHistories()).toEqual(expect.arrayContaining(ways));
  });

  it("are kept for what becomes of a taught name", async () => {
    const ways = ["carried", "undone"].map((way) => `1.2.0/name-teaching-${way}.json`);
    expect(await keptHistories()).toEqual(expect.arrayContaining(ways));
  });

  it("replay on today's code", async () => {
    const files = (await keptHistories()).map((file) => path.join(folder, file));
    expect(await replay(files)).toEqual(files.map((file) => ({ file, error: null })));
  });

  it("would be noticed if they did not", async () => {
    const scratch = await mkdtemp(path.join(tmpdir(), "media-index-history-"));
    const completed = await readFile(path.join(folder, "1.2.0/transcription-completed.json"), "utf8");
    const altered = path.join(scratch, "altered.json");
    await writeFile(altered, completed.replaceAll("describeVideo", "anotherStep"));
    const [result] = await replay([altered]);
    await rm(scratch, { recursive: true });
    expect(result?.error).toMatch(/determinism/i);
  });
});
