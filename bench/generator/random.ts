import { seededRandom } from "../../test/builders/seededRandom.ts";

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
}

/** The same values in another order. */
export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const order = [...values];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const [a, b] = [order[index], order[other]];
    if (a === undefined || b === undefined) continue;
    [order[index], order[other]] = [b, a];
  }
  return order;
}

/**
 * Draws by rank: the value of rank r is drawn in proportion to 1 / (r + offset) (Zipf-Mandelbrot law); the greater the offset, the less do
 * the first ones stand out.
 */
export function zipf<T>(random: Random, values: readonly T[], offset: number): () => T {
  const sums = new Float64Array(values.length);
  let sum = 0;
  for (let rank = 0; rank < values.length; rank += 1) {
    sum += 1 / (rank + 1 + offset);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random.next() * sum;
    let [low, high] = [0, values.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const value = values[low];
    if (value === undefined) throw new Error("nothing to draw from");
    return value;
  };
}
