import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  consequenceOf,
  nextAttemptSeconds,
  retryAfterSeconds,
  webhookOutcome,
} from "../../domain/delivery/attempts.ts";
import { testSettings } from "../builders/settings.ts";

const { retryDelaysSeconds, jitterShare, autoDisable } = testSettings().alerts;
const plan = { retryDelaysSeconds, jitterShare };
const now = new Date("2026-11-21T12:00:00Z");

describe("the pauses between attempts", () => {
  it("are nine, about 3.2 days in all", () => {
    const pauses = Array.from({ length: 10 }, (_, index) =>
      nextAttemptSeconds(plan, { attempts: index + 1, retryAfterSeconds: null }, 0.5),
    );
    expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
    expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 86_400).toBeCloseTo(3.15, 2);
  });

  it("vary by a fifth, and follow a longer Retry-After up to twice their length", () => {
    const attempts = fc.integer({ min: 1, max: 9 });
    const wish = fc.option(fc.integer({ min: 0, max: 1_000_000 }));
    fc.assert(
      fc.property(attempts, wish, fc.double({ min: 0, max: 1, noNaN: true }), (made, retryAfter, random) => {
        const pause = plan.retryDelaysSeconds[made - 1] ?? 0;
        const next = nextAttemptSeconds(plan, { attempts: made, retryAfterSeconds: retryAfter }, random) ?? 0;
        expect(next).toBeGreaterThanOrEqual(Math.max(pause * 0.799, Math.min(retryAfter ?? 0, 2 * pause)));
        expect(next).toBeLessThanOrEqual(2 * pause);
      }),
    );
  });
});

const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

describe("auto-disable", () => {
  it.each([
    [{ failures: 9, firstFailedAt: hoursAgo(5) }, "none"],
    [{ failures: 10, firstFailedAt: hoursAgo(0.1) }, "warn"],
    [{ failures: 11, firstFailedAt: hoursAgo(5) }, "none"],
    [{ failures: 20, firstFailedAt: hoursAgo(0.9) }, "none"],
    [{ failures: 20, firstFailedAt: hoursAgo(1) }, "disable"],
    [{ failures: 500, firstFailedAt: hoursAgo(0.5) }, "none"],
    [{ failures: 501, firstFailedAt: hoursAgo(1.5) }, "disable"],
  ])("%j → %s", (run, consequence) => expect(consequenceOf(run, autoDisable, now)).toBe(consequence));
});

describe("what an answer means", () => {
  it.each([
    [200, null, { kind: "succeeded" }],
    [204, null, { kind: "succeeded" }],
    [301, null, { kind: "failed", retryAfterSeconds: null }],
    [410, "5", { kind: "refused" }],
    [503, "120", { kind: "failed", retryAfterSeconds: 120 }],
  ])("%i with Retry-After %s → %j", (status, header, outcome) =>
    expect(webhookOutcome(status, header, now)).toEqual(outcome),
  );

  it.each([
    ["Sat, 21 Nov 2026 12:01:30 GMT", 90],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
  ])("Retry-After: %s → %s", (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds));
});
