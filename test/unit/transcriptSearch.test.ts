import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseFreeText } from "../../domain/freeText.ts";
import { searchPhrases, TranscriptSearch } from "../../domain/transcriptSearch.ts";

/** What is highlighted in each segment that is found, by the place of the segment. */
function found(q: string, texts: readonly string[]): Record<number, string[]> {
  const search = new TranscriptSearch<{ text: string; place: number }>(searchPhrases(parseFreeText(q) ?? []) ?? []);
  const hits = [...texts.entries()].flatMap(([place, text]) => search.take({ text, place }));
  hits.push(...search.end());
  return Object.fromEntries(
    hits.map(({ segment, highlights }) => [
      segment.place,
      highlights.map(({ charStart, charEnd }) => segment.text.slice(charStart, charEnd)),
    ]),
  );
}

const plain = (words: string) => words.toLowerCase().replaceAll("ó", "o");

describe("a search in a transcript", () => {
  it.each<[string, string, string[], Record<number, string[]>]>([
    [
      "finds a word wherever it stands",
      "last",
      ["At last.", "nothing", "The LAST one, the last!"],
      { 0: ["last"], 2: ["LAST", "last"] },
    ],
    [
      "wants all words in one segment",
      "build last",
      ["to build", "to last", "lasting builds", "last we build"],
      { 3: ["last", "build"] },
    ],
    [
      "takes words in a row",
      '"machine learning"',
      ["learning machine", "Machine-learning machine"],
      { 1: ["Machine-learning"] },
    ],
    ["takes beginnings", "open*", ["Reopen", "OpenAI opens, open"], { 1: ["OpenAI", "opens", "open"] }],
    [
      "takes a phrase whose last word is only begun",
      '"new yor"*',
      ["new Yorkers", "new york", "york new"],
      { 0: ["new Yorkers"], 1: ["new york"] },
    ],
    ["looks past case and accents", "beyonce cafe", ["CAFÉ with Beyoncé"], { 0: ["CAFÉ", "Beyoncé"] }],
    ["looks past accents that are signs of their own", "beyonce", ["Beyonce\u0301!"], { 0: ["Beyonce\u0301"] }],
    ["looks past apostrophes", "dont", ["I don’t", "'dont'"], { 0: ["don’t"], 1: ["dont"] }],
    ["counts in UTF-16 code units", "world", ["🎉🎉 world"], { 0: ["world"] }],
    ["finds signs that nothing parts", "東京", ["私は東京に"], { 0: ["東京"] }],
    ["finds words inside Thai", "เครื่องยนต์", ["วันนี้เราคุยเรื่องเครื่องยนต์ครับ", "เครื่อง"], { 0: ["เครื่องยนต์"] }],
    ["tells Thai words apart by their tones", "ข้าว", ["กินข้าว", "สีขาว", "อ่านข่าว"], { 0: ["ข้าว"] }],
    ["takes beginnings inside Thai", "เครื*", ["เรื่องเครื่องยนต์"], { 0: ["เครื่"] }],
    ["finds words inside Lao, Khmer and Myanmar", "ភាសា", ["ខ្ញុំរៀនភាសាខ្មែរ"], { 0: ["ភាសា"] }],
    ["finds kana at half width, and by them", "ラーメン", ["昼はﾗｰﾒﾝだ", "ラーメン"], { 0: ["ﾗｰﾒﾝ"], 1: ["ラーメン"] }],
    ["takes marks at half width as a part of their sign", "ﾊﾞｽ", ["次のバスで", "ハス"], { 0: ["バス"] }],
    ["finds signs beyond the basic plane", "𠮷", ["𠮷𠮷野家", "吉野家"], { 0: ["𠮷", "𠮷"] }],
    ["joins what overlaps", '"a b" "b c"', ["a b c"], { 0: ["a b c"] }],
    [
      "finds a phrase that runs over an end, with its part of both",
      '"so much more"',
      ["is so", "much", "more of it", "so"],
      { 0: ["so"], 1: ["much"], 2: ["more"] },
    ],
    ["does not take a beginning for the whole", '"so much more"', ["is so", "much"], {}],
    ["does not find parts of words", "art", ["party arts"], {}],
  ])("%s", (_, q, texts, expected) => expect(found(q, texts)).toEqual(expected));

  it("holds nothing where no word is left", () => {
    for (const q of ["", "!?", "***", "ʼ"]) expect(searchPhrases(parseFreeText(q) ?? [])).toBeNull();
  });

  const word = fc.constantFrom("so", "much", "more", "Só", "of");
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
  it("finds a phrase in any cut of a text as often as in the whole of it", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(word, { minLength: 1, maxLength: 4 }), (texts, phrase) => {
        const hits = found(`"${phrase.join(" ")}"`, texts);
        const spoken = plain(texts.join(" "))
          .split(" ")
          .filter((part) => part !== "");
        const wanted = phrase.map(plain);
        const covered = new Set<number>();
        for (let start = 0; start + wanted.length <= spoken.length; start += 1)
          if (wanted.every((part, offset) => spoken[start + offset] === part))
            for (let offset = 0; offset < wanted.length; offset += 1) covered.add(start + offset);
        const highlighted = Object.values(hits)
          .flat()
          .flatMap((part) => part.split(" "));
        expect(highlighted).toHaveLength(covered.size);
      }),
    );
  });
});
