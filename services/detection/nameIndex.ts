import { setTimeout as sleep } from "node:timers/promises";
import {
  countNames,
  nameChangePosition,
  purgeNameChanges,
  readAllNames,
  readNameChanges,
  readNamesOf,
} from "../../database/nameIndex.ts";
import type { Pool } from "../../database/pool.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";

const entitiesPerRead = 5000;
/** From so many replaced entities on it is cheaper to begin anew. */
const mostReplaced = 250_000;
const keptHours = 24;
const hourMilliseconds = 3_600_000;

/** The names of all entities in memory, kept up with the database. One for each process that detects. */
export class NameIndex {
  #gazetteer = new Gazetteer();
  #position = "";
  #seen = new Set<number>();
  #readAt = 0;
  #purgedAt = 0;
  readonly #pool: Pool;
  readonly #clock: () => Date;

  constructor({ pool, clock }: { pool: Pool; clock: () => Date }) {
    this.#pool = pool;
    this.#clock = clock;
  }

  get gazetteer(): Gazetteer {
    return this.#gazetteer;
  }

  /** Reads all names. What changes meanwhile is read again by the next `refresh`. */
  async load(): Promise<void> {
    const position = await nameChangePosition(this.#pool);
    const gazetteer = new Gazetteer(await countNames(this.#pool));
    for await (const names of readAllNames(this.#pool)) {
      for (const { entityId, name, isAlias } of names) gazetteer.add(entityId, name, isAlias);
    }
    this.#gazetteer = gazetteer;
    this.#position = position;
    this.#seen = new Set();
    this.#readAt = this.#clock().getTime();
  }

  /** Takes in what changed since the last call; returns how many entities' names did. */
  async refresh(): Promise<number> {
    const now = this.#clock().getTime();
    // After a long sleep the changes may be gone already.
    if (now - this.#readAt > (keptHours / 2) * hourMilliseconds || this.#gazetteer.replaced > mostReplaced)
      await this.load();
    const { changes, position } = await readNameChanges(this.#pool, this.#position);
    const fresh = changes.filter(({ seq }) => !this.#seen.has(seq));
    const entityIds = [...new Set(fresh.flatMap((change) => change.entityIds))];
    for (let from = 0; from < entityIds.length; from += entitiesPerRead)
      await this.#replace(entityIds.slice(from, from + entitiesPerRead));
    this.#seen = new Set(changes.map(({ seq }) => seq));
    this.#position = position;
    this.#readAt = now;
    await this.#purge(now);
    return entityIds.length;
  }

  /** Refreshes again and again until the signal; a failure is told and tried again. */
  async follow(options: {
    everyMilliseconds: number;
    signal: AbortSignal;
    onFailure: (error: unknown) => void;
  }): Promise<void> {
    while (!options.signal.aborted) {
      await this.refresh().catch(options.onFailure);
      await sleep(options.everyMilliseconds, undefined, { signal: options.signal }).catch(() => undefined);
    }
  }

  async #replace(entityIds: readonly number[]): Promise<void> {
    const byEntity = new Map<number, { name: string; isAlias: boolean }[]>(entityIds.map((id) => [id, []]));
    for (const { entityId, name, isAlias } of await readNamesOf(this.#pool, entityIds))
      byEntity.get(entityId)?.push({ name, isAlias });
    for (const [entityId, names] of byEntity) this.#gazetteer.replace(entityId, names);
  }

  async #purge(now: number): Promise<void> {
    if (now - this.#purgedAt < hourMilliseconds) return;
    this.#purgedAt = now;
    await purgeNameChanges(this.#pool, keptHours);
  }
}
