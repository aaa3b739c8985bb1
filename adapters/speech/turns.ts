/** Hands a fixed set of things out, each to one user at a time, in the order of asking. */
export interface Turns<Slot> {
  /** Waits for a free slot, uses it, and gives it back. Whoever waits when the signal aborts leaves the queue with its reason. */
  take<Result>(signal: AbortSignal, use: (slot: Slot) => Promise<Result>): Promise<Result>;
}

export function createTurns<Slot>(slots: readonly Slot[]): Turns<Slot> {
  const free = [...slots];
  const queue: ((slot: Slot) => void)[] = [];

  async function acquire(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const slot = free.shift();
    if (slot !== undefined) return slot;
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const leave = (): void => {
      const place = queue.indexOf(resolve);
      if (place < 0) return;
      queue.splice(place, 1);
      reject(signal.reason);
    };
    queue.push(resolve);
    signal.addEventListener("abort", leave, { once: true });
    const given = await promise;
    signal.removeEventListener("abort", leave);
    return given;
  }

  return {
    async take(signal, use) {
      const slot = await acquire(signal);
      try {
        return await use(slot);
      } finally {
        const next = queue.shift();
        if (next) next(slot);
        else free.push(slot);
      }
    },
  };
}
