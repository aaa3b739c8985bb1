import { foldName } from "../../domain/names.ts";
import { createRandom, shuffled } from "../generator/random.ts";
import { withTypo } from "./typo.ts";

export interface NamedId {
  entityId: number;
  name: string;
  aliases: readonly string[];
}

export interface QuerySet {
  typo: string[];
  twoWords: string[];
  prefix: string[];
  alias: string[];
  lookup: string[];
}

const seedOfQueries = 7;

/** Queries about entities that are drawn with equal chances, so that rare names are asked for as often as they exist. */
export function makeQueries(entities: readonly NamedId[], queries: number): QuerySet {
  const random = createRandom(seedOfQueries);
  const some = <T>(make: () => T | null): T[] => {
    const made: T[] = [];
    while (made.length < queries) {
      const one = make();
      if (one !== null) made.push(one);
    }
    return made;
  };
  const name = () => random.pick(entities).name;
  return {
    typo: some(() => withTypo(random, name())),
    twoWords: some(() => {
      const words = foldName(name()).split(" ");
      return words.length < 2 ? null : shuffled(random, words).slice(0, 2).join(" ");
    }),
    prefix: some(() => {
      const whole = name();
      return whole.length < 4 ? null : whole.slice(0, 2 + random.below(whole.length - 2)).trim();
    }),
    alias: some(() => random.pick(entities).aliases[0] ?? null),
    lookup: some(name),
  };
}

/** Misspelt names that only one entity has, with that entity. */
export function makeTypoQueries(
  entities: readonly NamedId[],
  queries: number,
  seed: number,
): { query: string; entityId: number }[] {
  const owners = new Map<string, number>();
  for (const { name, aliases } of entities)
    for (const key of new Set([name, ...aliases].map(foldName))) owners.set(key, (owners.get(key) ?? 0) + 1);
  const random = createRandom(seed);
  const made: { query: string; entityId: number }[] = [];
  while (made.length < queries) {
    const { entityId, name } = random.pick(entities);
    if (owners.get(foldName(name)) === 1) made.push({ query: withTypo(random, name), entityId });
  }
  return made;
}
