import { expect, it } from "@jest/globals";
import { ReceiverBusy, ReceiverTurns } from "../../services/alerts/receiverTurns.ts";

let now = 0;
const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { release: resolve, ended: promise };
};
const turnedAway = async (turns: ReceiverTurns, name = "slow") => {
  const error = await turns.take(name, async () => undefined).catch((thrown: unknown) => thrown);
  return error instanceof ReceiverBusy ? error.waitSeconds : null;
};

it("a receiver with as many exchanges under way as it may have keeps no other waiting", async () => {
  const turns = new ReceiverTurns(2, { nowSeconds: () => now });
  const { release, ended } = held();
  const first = [turns.take("slow", () => ended), turns.take("slow", () => ended)];
  expect(await turnedAway(turns)).not.toBeNull();
  expect(await turnedAway(turns, "quick")).toBeNull();
  release();
  await Promise.all(first);
  expect(await turnedAway(turns)).toBeNull();
});

it("who is turned away comes back one after the other, as fast as the receiver has been of late", async () => {
  const turns = new ReceiverTurns(2, { nowSeconds: () => now });
  for (let time = 0; time < 50; time += 1) {
    const { release, ended } = held();
    const exchange = turns.take("slow", () => ended);
    now += 10;
    // Keeps the receiver known, as a burst does.
    const other = held();
    const overlapping = turns.take("slow", () => other.ended);
    release();
    await exchange;
    other.release();
    await overlapping;
  }
  const { release, ended } = held();
  const underWay = [turns.take("slow", () => ended), turns.take("slow", () => ended)];
  const waits = [await turnedAway(turns), await turnedAway(turns), await turnedAway(turns)].map((wait) => wait ?? 0);
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  expect(new Set(waits).size).toBe(3);
  release();
  await Promise.all(underWay);
});

it("nobody waits for hours", async () => {
  const turns = new ReceiverTurns(1, { nowSeconds: () => now });
  const { release, ended } = held();
  const underWay = turns.take("slow", () => ended);
  let longest = 0;
  for (let time = 0; time < 10_000; time += 1) longest = Math.max(longest, (await turnedAway(turns)) ?? 0);
  expect(longest).toBeGreaterThan(500);
  expect(longest).toBeLessThanOrEqual(600);
  release();
  await underWay;
});

it("an exchange that fails gives its room back", async () => {
  const turns = new ReceiverTurns(1, { nowSeconds: () => now });
  const failure = new Error("no");
  await expect(turns.take("slow", () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await turnedAway(turns)).toBeNull();
});

it("who comes to a receiver that answers fast waits in line, in the order of coming, and is not turned away", async () => {
  const turns = new ReceiverTurns(2, { patienceSeconds: 30 });
  const served: number[] = [];
  const exchanges = Array.from({ length: 50 }, (_, index) =>
    turns.take("fast", async () => {
      await new Promise((resolve) => setImmediate(resolve));
      served.push(index);
    }),
  );
  await Promise.all(exchanges);
  expect(served).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

it("the line is no longer than there is patience for, and nobody stands in it longer", async () => {
  const turns = new ReceiverTurns(2, { patienceSeconds: 1.1 });
  const { release, ended } = held();
  const underWay = [turns.take("slow", () => ended), turns.take("slow", () => ended)];
  // Two exchanges of a second each at once: there is patience for two in line.
  const leftLine: unknown[] = [];
  const inLine = [0, 1].map(() => turnedAway(turns).finally(() => leftLine.push(null)));
  expect(await turnedAway(turns)).not.toBeNull();
  expect(leftLine).toHaveLength(0);
  expect(await Promise.all(inLine)).toEqual([expect.any(Number), expect.any(Number)]);
  release();
  await Promise.all(underWay);
  expect(await turnedAway(turns)).toBeNull();
});
