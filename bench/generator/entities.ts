import { allLocales, en } from "@faker-js/faker";
import type { EntityType } from "../../domain/entities.ts";
import { createRandom, type Random, shuffled, zipf } from "./random.ts";

export interface GeneratedEntity {
  name: string;
  aliases: string[];
  type: EntityType;
  mentionCount: number;
}

const seedOfNames = 20_261_121;
const latin = /^[\p{Script=Latin}' .-]+$/u;

/**
 * Entities that are the same in every run: 60 % persons, 18 % organizations, 14 % products, 8 % topics. First and last names are those of
 * all Latin-script locales of @faker-js/faker (MIT), further words its English ones, brands are made of syllables; all are drawn by
 * Zipf-Mandelbrot laws, so that some words are in a hundredth of the names and most in a few. Names of two entities can be the same. Every
 * sixth has an alias. Mentions follow Zipf's law over a random order, ten to an entity on average.
 */
export function* generateEntities(entities: number): Generator<GeneratedEntity> {
  const random = createRandom(seedOfNames);
  const draw = namesOf(random);
  const ranks = shuffled(
    random,
    Array.from({ length: entities }, (_, index) => index + 1),
  );
  const mentions = (10 * entities) / (Math.log(entities) + 0.58);
  for (const rank of ranks) yield { ...draw(), mentionCount: Math.round(mentions / rank) };
}

function namesOf(random: Random): () => Omit<GeneratedEntity, "mentionCount"> {
  const drawn = (values: Iterable<string>, offset: number) => zipf(random, shuffled(random, [...values]), offset);
  const first = drawn(personNames("first_name"), 10);
  const last = drawn(personNames("last_name"), 20);
  const noun = drawn((en.word?.noun ?? []).map(capital), 30);
  const adjective = drawn((en.word?.adjective ?? []).map(capital), 30);
  const brand = drawn(brands(random, 60_000), 50);
  const city = drawn(en.location?.city_name ?? [], 20);
  const trade = () =>
    random.pick([
      "Labs",
      "Media",
      "Systems",
      "Group",
      "Foundation",
      "Partners",
      "Studios",
      "Energy",
      "Health",
      "Foods",
    ]);

  function person(): { name: string; aliases: string[] } {
    const [given, family] = [first(), last()];
    const kind = random.next();
    if (kind < 0.08)
      return { name: `${given} ${capital(random.pick(letters))}. ${family}`, aliases: alias(`${given} ${family}`) };
    if (kind < 0.14) return { name: `${given} ${last()} ${family}`, aliases: alias(`${given} ${family}`) };
    if (kind < 0.18) return { name: `${given} ${first()} ${family}`, aliases: alias(`${given} ${family}`) };
    return { name: `${given} ${family}`, aliases: alias(`${given.slice(0, 1)}. ${family}`) };
  }

  function organization(): { name: string; aliases: string[] } {
    const kind = random.next();
    if (kind < 0.25) return { name: brand(), aliases: alias(`${brand()} Inc.`) };
    if (kind < 0.55) {
      const name = `${brand()} ${trade()}`;
      return { name, aliases: alias(`${name} International`) };
    }
    if (kind < 0.7) return { name: `${last()} & ${last()}`, aliases: [] };
    if (kind < 0.85) return { name: `The ${city()} ${noun()} ${trade()}`, aliases: [] };
    return { name: `${noun()} ${trade()} of ${city()}`, aliases: [] };
  }

  function product(): { name: string; aliases: string[] } {
    const kind = random.next();
    if (kind < 0.5) {
      const [maker, what] = [brand(), noun()];
      return { name: `${maker} ${what}`, aliases: alias(`${maker} ${adjective()} ${what}`) };
    }
    if (kind < 0.8) return { name: `${brand()} ${adjective()} ${noun()}`, aliases: [] };
    return { name: `${brand()} ${noun()} ${1 + random.below(20)}`, aliases: [] };
  }

  function topic(): { name: string; aliases: string[] } {
    const kind = random.next();
    if (kind < 0.05) return { name: noun(), aliases: [] };
    if (kind < 0.6) return { name: `${adjective()} ${noun()}`, aliases: alias(`${noun()} ${noun()}`) };
    return { name: `${adjective()} ${noun()} ${noun()}`, aliases: [] };
  }

  const alias = (name: string) => (random.next() < 0.17 ? [name] : []);

  return () => {
    const kind = random.next();
    if (kind < 0.6) return { type: "person", ...person() };
    if (kind < 0.78) return { type: "organization", ...organization() };
    if (kind < 0.92) return { type: "product", ...product() };
    return { type: "topic", ...topic() };
  };
}

/** All names of the kind that stand somewhere below it, in Latin script. */
function personNames(kind: "first_name" | "last_name"): Set<string> {
  const names = new Set<string>();
  for (const locale of Object.values(allLocales))
    for (const list of Object.values(locale.person?.[kind] ?? {}))
      for (const name of Array.isArray(list) ? list : [])
        if (typeof name === "string" && latin.test(name)) names.add(name);
  return names;
}

const letters = "abcdefghijklmnopqrstuvwxyz".split("");
const onsets = [
  "b",
  "br",
  "c",
  "ch",
  "cl",
  "d",
  "dr",
  "f",
  "fl",
  "g",
  "gr",
  "h",
  "j",
  "k",
  "kr",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "qu",
  "r",
  "s",
  "sh",
  "sp",
  "st",
  "t",
  "tr",
  "v",
  "w",
  "x",
  "y",
  "z",
];
const nuclei = ["a", "e", "i", "o", "u", "ai", "ea", "ia", "io", "oo"];
const codas = ["", "", "", "l", "m", "n", "r", "s", "t", "x"];

function brands(random: Random, wanted: number): Set<string> {
  const names = new Set<string>();
  while (names.size < wanted) {
    const syllables = 2 + random.below(3);
    let name = "";
    for (let made = 0; made < syllables; made += 1) name += random.pick(onsets) + random.pick(nuclei);
    names.add(capital(name + random.pick(codas)));
  }
  return names;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
