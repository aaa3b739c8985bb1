import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Gazetteer } from "../domain/detection/gazetteer.ts";
import type { ServiceContext } from "../services/context.ts";
import { NameIndex } from "../services/detection/nameIndex.ts";

const everyMilliseconds = 500;

/** The names that this process looks for, loaded in the background and kept up with the database. */
export interface FollowedNames {
  /** The names as of a moment ago; waits until they are loaded. */
  names: () => Promise<Gazetteer>;
  stop: () => Promise<void>;
}

/** Loads all names, again and again while the database is away, and then follows their changes. */
export function followNames(context: ServiceContext, logger: Logger): FollowedNames {
  const index = new NameIndex(context);
  const stopping = new AbortController();
  const { signal } = stopping;
  const loading = load(index, logger, signal);
  const following = loading.then(() =>
    index.follow({
      everyMilliseconds,
      signal,
      onFailure: (error) => logger.warn({ err: error }, "changes of names not read, trying again"),
    }),
  );
  return {
    names: async () => {
      await loading;
      return index.gazetteer;
    },
    stop: () => {
      stopping.abort();
      return following;
    },
  };
}

async function load(index: NameIndex, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await index.load();
    } catch (error) {
      logger.warn({ err: error }, "names not loaded, trying again");
      await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  }
}
