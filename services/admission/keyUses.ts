import { type KeyUse, recordKeyUses } from "../../database/admission.ts";
import type { Pool } from "../../database/pool.ts";

export interface KeyUses {
  /** Notes a use in memory; nothing is written yet. */
  note(keyId: string, ip: string | null): void;
  /** Writes what was noted. What fails to be written is kept for the next time. */
  flush(): Promise<void>;
  /** Stops the timer and writes what is left. */
  stop(): Promise<void>;
}

/** Collects when and from where keys are used and writes it in batches, off the path of requests (decisions.md "Keys"). */
export function createKeyUses(parts: {
  pool: Pool;
  clock: () => Date;
  everySeconds?: number;
  onError: (error: unknown) => void;
}): KeyUses {
  let noted = new Map<string, KeyUse>();
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await recordKeyUses(parts.pool, [...uses.values()]);
    } catch (error) {
      noted = new Map([...uses, ...noted]);
      parts.onError(error);
    }
  }

  const flush = () => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), (parts.everySeconds ?? 5) * 1000);
  timer.unref();

  return {
    note: (keyId, ip) => noted.set(keyId, { keyId, ip, at: parts.clock() }),
    flush,
    stop: () => {
      clearInterval(timer);
      return flush();
    },
  };
}
