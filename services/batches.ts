interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchOptions<Item, Result> {
  /** Carries out many at once; its results are in the order of the items. When it throws, all of them have failed. */
  run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** What an item locks. Items of one lane never run in two batches at a time. */
  laneOf: (item: Item) => string;
  maxItems?: number;
  /** How long a batch may keep the next one waiting. */
  patienceMilliseconds?: number;
  maxInFlight?: number;
}

/**
 * Carries out together what is asked for at the same time: an idle system does each at once, a busy one pays for a database round trip and
 * a commit once a batch. Nobody is answered before the batch has committed. Batches follow one another, which makes them large; one that
 * is held up, by a lock on something in it, is overtaken by the others' lanes.
 */
export function createBatches<Item, Result>({
  run,
  laneOf,
  maxItems = 256,
  patienceMilliseconds = 100,
  maxInFlight = 4,
}: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const busyLanes = new Set<string>();
  let inFlight = 0;
  /** The batch that the next one waits for. */
  let current: symbol | null = null;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0 || current !== null || inFlight >= maxInFlight) return;
    scheduled = true;
    // After the events of this turn of the loop, so that requests that came in together go together.
    setImmediate(() => {
      scheduled = false;
      const batch = takeBatch();
      if (batch.length > 0) void carryOut(batch);
    });
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const asked of waiting)
      (batch.length < maxItems && !busyLanes.has(laneOf(asked.item)) ? batch : left).push(asked);
    waiting = left;
    return batch;
  }

  async function carryOut(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const token = Symbol("batch");
    const lanes = new Set(batch.map(({ item }) => laneOf(item)));
    const letNextGo = () => {
      if (current === token) current = null;
      schedule();
    };
    current = token;
    inFlight += 1;
    for (const lane of lanes) busyLanes.add(lane);
    const overdue = setTimeout(letNextGo, patienceMilliseconds);
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("a batch has fewer results than items"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    clearTimeout(overdue);
    for (const lane of lanes) busyLanes.delete(lane);
    inFlight -= 1;
    letNextGo();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
