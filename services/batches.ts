interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchOptions<Item, Result> {
  /** Carries out many at once; its results are in the order of the items. When it throws, all of them have failed. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  maxItems: number;
  /** Batches under way at a time; what arrives meanwhile makes up the next. */
  maxInFlight: number;
}

/**
 * Carries out together what is asked for at the same time: an idle system does each at once, a busy one pays for a database round trip and
 * for a commit once a batch. Nobody is answered before the batch has committed.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    inFlight += 1;
    try {
      const results = await options.run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("a batch has fewer results than items"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  /** After the events of this turn of the loop, so that requests that came in together go together. */
  function schedule(): void {
    if (scheduled || waiting.length === 0 || inFlight >= options.maxInFlight) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (waiting.length > 0 && inFlight < options.maxInFlight) void runBatch(waiting.splice(0, options.maxItems));
    });
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
