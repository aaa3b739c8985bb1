import { describe, expect, it } from "@jest/globals";
import { createBatches } from "../../services/batches.ts";

/** Batches of words, each of which ends when the test says so; a word's lane is its first letter. */
function heldBatches(options: { maxItems?: number; patienceMilliseconds?: number; maxInFlight?: number } = {}) {
  const started: { words: readonly string[]; end: (error?: Error) => void }[] = [];
  const ask = createBatches<string, string>({
    laneOf: (word) => word.slice(0, 1),
    run: (words) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(words.map((word) => word.toUpperCase())));
        started.push({ words, end });
      }),
    ...options,
  });
  return { ask, started, words: () => started.map((batch) => batch.words) };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const patient = { patienceMilliseconds: 60_000 };

describe("what is asked for at the same time", () => {
  it("goes together; what comes meanwhile makes up the next batch, and each gets its own result", async () => {
    const { ask, started, words } = heldBatches(patient);
    const first = [ask("a1"), ask("b1")];
    await turn();
    const second = [ask("c1"), ask("a2")];
    await turn();
    expect(words()).toEqual([["a1", "b1"]]);
    started[0]?.end();
    expect(await Promise.all(first)).toEqual(["A1", "B1"]);
    await turn();
    expect(words()[1]).toEqual(["c1", "a2"]);
    started[1]?.end();
    expect(await Promise.all(second)).toEqual(["C1", "A2"]);
  });

  it("is bounded a batch", async () => {
    const { ask, started, words } = heldBatches({ ...patient, maxItems: 2 });
    const all = ["a", "b", "c", "d", "e"].map(ask);
    for (let batch = 0; batch < 3; batch += 1) {
      await turn();
      started[batch]?.end();
    }
    await Promise.all(all);
    expect(words()).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });

  it("fails together, and what comes after does not", async () => {
    const { ask, started } = heldBatches(patient);
    const failing = Promise.allSettled([ask("a"), ask("b")]);
    await turn();
    const next = ask("c");
    started[0]?.end(new Error("away"));
    expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await turn();
    started[1]?.end();
    expect(await next).toBe("C");
  });
});

describe("a batch that is held up", () => {
  it("is overtaken by other lanes, never by its own", async () => {
    const { ask, started, words } = heldBatches({ patienceMilliseconds: 1 });
    const held = ask("a1");
    await turn();
    const [others, same] = [ask("b1"), ask("a2")];
    await turn();
    await turn();
    expect(words()).toEqual([["a1"], ["b1"]]);
    started[1]?.end();
    expect(await others).toBe("B1");
    started[0]?.end();
    expect(await held).toBe("A1");
    await turn();
    started[2]?.end();
    expect(await same).toBe("A2");
  });

  it("is overtaken by no more than so many at a time", async () => {
    const { ask, words } = heldBatches({ patienceMilliseconds: 1, maxInFlight: 2 });
    for (const word of ["a", "b", "c"]) {
      void ask(word);
      await turn();
      await turn();
    }
    expect(words()).toEqual([["a"], ["b"]]);
  });
});
