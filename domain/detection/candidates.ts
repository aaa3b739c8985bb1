import { commonnessOf } from "./commonWords.ts";
import { type FoundForm, findNames } from "./findNames.ts";
import type { Gazetteer } from "./gazetteer.ts";
import type { Speech, WordRange } from "./speech.ts";
import type { EntityProfile } from "./types.ts";

/** Words that may name one of several entities, or none. */
export interface NameSpan extends WordRange {
  form: FoundForm;
  /** By the id under which the name is kept. */
  entities: readonly { entityId: number; isAlias: boolean }[];
}

export interface Option {
  profile: EntityProfile;
  isAlias: boolean;
}

/** A span with those it may name, each once. */
export interface Candidate extends WordRange {
  form: FoundForm;
  options: readonly Option[];
}

/** Every place in the speech where words may name entities, of all lengths; names of ordinary words that nothing marks as a name are left out. */
export function nameSpans(speech: Speech, gazetteer: Gazetteer): NameSpan[] {
  const spans: NameSpan[] = [];
  for (const { first, end, state, form, acrossComma } of findNames(speech.words, gazetteer)) {
    if (isHopeless(speech, { first, end }, form)) continue;
    const entities = gazetteer.entriesAt(state, acrossComma);
    if (entities.length > 0) spans.push({ first, end, form, entities });
  }
  return spans;
}

/** Resolves merges: spans whose entities are one in the end have one option. Entities without a profile are gone. */
export function candidatesOf(spans: readonly NameSpan[], profiles: ReadonlyMap<number, EntityProfile>): Candidate[] {
  return spans.flatMap(({ first, end, form, entities }) => {
    const options = new Map<number, Option>();
    for (const { entityId, isAlias } of entities) {
      const profile = profiles.get(entityId);
      if (profile === undefined) continue;
      const known = options.get(profile.entityId);
      if (known === undefined || known.isAlias) options.set(profile.entityId, { profile, isAlias });
    }
    return options.size === 0 ? [] : [{ first, end, form, options: [...options.values()] }];
  });
}

/** Function words in small letters, or at the beginning of a sentence, where a capital tells nothing. */
function isHopeless(speech: Speech, { first, end }: WordRange, form: FoundForm): boolean {
  const words = speech.words.slice(first, end);
  const isCapitalised = words.some((word) => word.capitals !== "none");
  if (words.every((word) => commonnessOf(word.norm) === "function")) {
    const isAtStart = words[0]?.gap === "stop";
    return !isCapitalised || (isAtStart && end - first === 1) || !speech.hasCapitals;
  }
  return form === "plural" && !isCapitalised && end - first === 1 && commonnessOf(words[0]?.norm ?? "") === "function";
}
