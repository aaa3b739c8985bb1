import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFfmpeg } from "../../adapters/audio/findFfmpeg.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";
import { createLocalEngine, type LocalEngine } from "../../adapters/speech/localEngine.ts";
import { heldSetReferences, loadHeldSet } from "../../bench/audio/clips.ts";
import { seededRandom, writeRecording } from "../../bench/audio/recording.ts";
import { wordErrorRate } from "../../domain/wordErrorRate.ts";
import { testEnvironment } from "../environment/addresses.ts";
import { edgeErrorsSeconds, recogniseFile, textOf } from "./recognised.ts";

const worstWordErrorRate = 0.06;
const worstEdgeErrorSeconds = 0.5;

let engine: LocalEngine;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-accuracy-"));
  engine = createLocalEngine({ pythonPath: testEnvironment().python, model: "bundled", processes: 2 });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

describe("recognition of real speech with the bundled model", () => {
  test("the demo clip", async () => {
    const segments = await recogniseFile(engine, demoClip.file, folder);
    expect(wordErrorRate(demoClip.text, textOf(segments))).toBeLessThanOrEqual(worstWordErrorRate);
  });

  test("the demo clip at a three hundredth of its loudness", async () => {
    const quiet = path.join(folder, "quiet.wav");
    await promisify(execFile)(await findFfmpeg(undefined), [
      "-v",
      "error",
      "-i",
      demoClip.file,
      "-af",
      "volume=-50dB",
      quiet,
    ]);
    const segments = await recogniseFile(engine, quiet, folder);
    expect(wordErrorRate(demoClip.text, textOf(segments))).toBeLessThanOrEqual(worstWordErrorRate);
  });

  test("the held set: words and times", async () => {
    const recording = await writeRecording(path.join(folder, "heldSet.wav"), await loadHeldSet(), seededRandom(3));
    const segments = await recogniseFile(engine, recording.path, folder);
    const reference = recording.utterances.map(({ text }) => text).join(" ");
    const rate = wordErrorRate(reference, textOf(segments));
    const { errors, edges } = edgeErrorsSeconds(recording.utterances, segments);
    console.info(
      `held set: word error rate ${(rate * 100).toFixed(1)} %, worst edge ${Math.max(...errors).toFixed(2)} s, ${errors.length} of ${edges} edges recognised`,
    );
    expect(rate).toBeLessThanOrEqual(worstWordErrorRate);
    expect(errors.length / edges).toBeGreaterThan(0.8);
    expect(errors.filter((seconds) => seconds > worstEdgeErrorSeconds)).toEqual([]);
    expectInOrder(segments);
  });

  test("the held set is as its notice says", async () => {
    const references = await heldSetReferences();
    expect(references).toHaveLength(29);
    for (const { file, sha256 } of references) {
      expect(
        createHash("sha256")
          .update(await readFile(file))
          .digest("hex"),
      ).toBe(sha256);
    }
  });
});

function expectInOrder(segments: { startSeconds: number; endSeconds: number }[]): void {
  let previousEnd = 0;
  for (const { startSeconds, endSeconds } of segments) {
    expect(startSeconds).toBeGreaterThanOrEqual(previousEnd - 0.02);
    expect(endSeconds).toBeGreaterThan(startSeconds);
    previousEnd = endSeconds;
  }
}
