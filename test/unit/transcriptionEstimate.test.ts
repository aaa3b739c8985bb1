import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { contentHash } from "../../domain/contentHash.ts";
import { etaSeconds, nextPollSeconds } from "../../domain/eta.ts";
import { jobProgress, jobStages } from "../../domain/transcriptionJob.ts";

const limits = { minPollSeconds: 2, maxPollSeconds: 60 };

describe("the estimate of a job", () => {
  it("is the work ahead and the work left at the measured speed, shared by the engines", () => {
    const workload = {
      aheadAudioSeconds: 600,
      remainingAudioSeconds: 400,
      secondsPerAudioSecond: 0.05,
      engineProcesses: 2,
    };
    expect(etaSeconds(workload)).toBe(25);
    expect(etaSeconds({ ...workload, engineProcesses: 0 })).toBe(50);
  });

  it("is never 0 before the end", () => {
    expect(
      etaSeconds({ aheadAudioSeconds: 0, remainingAudioSeconds: 0, secondsPerAudioSecond: 0.05, engineProcesses: 2 }),
    ).toBe(1);
  });

  it("asks for the next poll after a quarter of it, within 2 and 60 seconds", () => {
    expect([1, 8, 9, 100, 240, 1000].map((eta) => nextPollSeconds(eta, limits))).toEqual([2, 2, 3, 25, 60, 60]);
  });

  it("makes progress that never goes back from stage to stage", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const progress = jobStages.map((stage) => jobProgress(stage, share));
        expect(progress).toEqual(progress.toSorted((a, b) => a - b));
        expect(progress.at(-1)).toBe(1);
      }),
    );
  });
});

describe("the content hash", () => {
  it("is djb2 over UTF-16 units in base 36", () => {
    expect(contentHash("hello world")).toBe("eslcxt");
    expect(contentHash("")).toBe((5381).toString(36));
    expect(contentHash("😀")).toBe(((((5381 * 33 + 0xd83d) >>> 0) * 33 + 0xde00) >>> 0).toString(36));
  });
});
