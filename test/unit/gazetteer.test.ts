import { findNames } from "../../domain/detection/findNames.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { splitWords } from "../../domain/detection/words.ts";
import { namesFrom, speechFrom } from "../../bench/detection/nameCorpus.ts";

function gazetteerOf(names: Readonly<Record<string, number>>): Gazetteer {
  const gazetteer = new Gazetteer();
  for (const [name, id] of Object.entries(names)) gazetteer.add(id, name, false);
  return gazetteer;
}

/** What is found, as the text's own words with the ids they may stand for; of names that begin together only the longest. */
function found(gazetteer: Gazetteer, text: string): [string, ...number[]][] {
  const words = splitWords(text);
  const longest = new Map<number, [string, ...number[]]>();
  for (const { first, end, state, acrossComma } of findNames(words, gazetteer)) {
    const ids = gazetteer.entriesAt(state, acrossComma).map(({ entityId }) => entityId);
    if (ids.length > 0 && !longest.has(first))
      longest.set(first, [text.slice(words[first]?.start, words[end - 1]?.end), ...ids]);
  }
  return [...longest.values()];
}

describe("names in text", () => {
  const brands = gazetteerOf({
    "7-Eleven": 1,
    "23andMe": 2,
    "McDonald's": 3,
    "AT&T": 4,
    "M&M's": 5,
    "J.K. Rowling": 6,
    "Ford F-150": 7,
    "Xbox 360": 8,
    iPhone: 9,
    Beyoncé: 10,
  });

  test.each([
    [
      "a seven eleven, a Seven-Eleven, a 7-11",
      [
        ["seven eleven", 1],
        ["Seven-Eleven", 1],
        ["7-11", 1],
      ],
    ],
    [
      "twenty three and me or 23 and Me or 23andMe's",
      [
        ["twenty three and me", 2],
        ["23 and Me", 2],
        ["23andMe's", 2],
      ],
    ],
    [
      "mcdonalds and McDonald’s and mc donalds",
      [
        ["mcdonalds", 3],
        ["McDonald’s", 3],
        ["mc donalds", 3],
      ],
    ],
    [
      "AT&T, AT and T, a t and t",
      [
        ["AT&T", 4],
        ["AT and T", 4],
        ["a t and t", 4],
      ],
    ],
    [
      "M&Ms and m and m's",
      [
        ["M&Ms", 5],
        ["m and m's", 5],
      ],
    ],
    [
      "JK Rowling, J. K. Rowling, j k rowling's",
      [
        ["JK Rowling", 6],
        ["J. K. Rowling", 6],
        ["j k rowling's", 6],
      ],
    ],
    [
      "a Ford F150, a ford f one fifty",
      [
        ["Ford F150", 7],
        ["ford f one fifty", 7],
      ],
    ],
    ["xbox three sixty", [["xbox three sixty", 8]]],
    [
      "iPhones, an i phone, the iPhone’s",
      [
        ["iPhones", 9],
        ["i phone", 9],
        ["iPhone’s", 9],
      ],
    ],
    [
      "BEYONCE, Beyoncé",
      [
        ["BEYONCE", 10],
        ["Beyoncé", 10],
      ],
    ],
  ])("are found however they are written: %s", (text, expected) => {
    expect(found(brands, text)).toEqual(expected);
  });

  test("are whole words, the longest first, and end with the sentence", () => {
    const gazetteer = gazetteerOf({ "New York": 1, "New York Times": 2, Ark: 3 });
    expect(found(gazetteer, "The New York Times of New York. Times change in Arkansas.")).toEqual([
      ["New York Times", 2],
      ["New York", 1],
    ]);
    expect(found(gazetteer, "New York, Times Square")).toEqual([["New York", 1]]);
  });

  test("with a legal form, an article or a comma of their own are found without them, where a name is left", () => {
    const gazetteer = gazetteerOf({ "Quibble, Inc.": 1, "The Zorbles": 2, "The Who": 3, "Tyler, the Potter": 4 });
    expect(found(gazetteer, "Quibble met Zorbles")).toEqual([
      ["Quibble", 1],
      ["Zorbles", 2],
    ]);
    expect(found(gazetteer, "who is the who")).toEqual([["the who", 3]]);
    expect(found(gazetteer, "Tyler, the Potter")).toEqual([["Tyler, the Potter", 4]]);
  });

  test("are found in addresses that write them as one word", () => {
    const gazetteer = gazetteerOf({ "Rocket Money": 1, Raycon: 2 });
    expect(found(gazetteer, "rocketmoney.com/x, buyraycon dot com, not rocketmoney")).toEqual([
      ["rocketmoney", 1],
      ["buyraycon", 2],
    ]);
  });
});

describe("a gazetteer in use", () => {
  test("replaces an entity's names, those of others staying", () => {
    const gazetteer = gazetteerOf({ "Old Mill": 1 });
    gazetteer.add(2, "Old Mill", true);
    gazetteer.replace(1, [{ name: "New Mill", isAlias: false }]);
    expect(found(gazetteer, "Old Mill, New Mill")).toEqual([
      ["Old Mill", 2],
      ["New Mill", 1],
    ]);
    gazetteer.replace(1, []);
    expect(found(gazetteer, "Old Mill, New Mill")).toEqual([["Old Mill", 2]]);
  });

  test("finds every name it holds, and takes no other word for one", () => {
    const names = namesFrom(3, 20_000);
    const gazetteer = new Gazetteer();
    for (const [index, name] of names.entries()) gazetteer.add(index + 1, name, false);
    for (const [index, name] of names.entries()) {
      const [longest] = found(gazetteer, name);
      expect(longest).toEqual([name, index + 1]);
    }
    const strangers = namesFrom(4, 20_000).filter((name) => name.includes(" ") && !names.includes(name));
    const whole = strangers.filter((name) => found(gazetteer, name)[0]?.[0] === name);
    expect(whole).toEqual([]);
  });

  test("looks up as often in ten times the text, and hardly more often with a hundred times the names", () => {
    const names = namesFrom(5, 200_000);
    const [few, many] = [2000, 200_000].map((count) => {
      const gazetteer = new Gazetteer(count);
      for (const [index, name] of names.slice(0, count).entries()) gazetteer.add(index + 1, name, false);
      return (words: number) => {
        const text = splitWords(speechFrom(6, words, names.slice(0, 2000)));
        const before = gazetteer.lookups;
        findNames(text, gazetteer);
        return gazetteer.lookups - before;
      };
    });
    if (few === undefined || many === undefined) throw new Error("two sizes");
    expect(many(20_000) / many(2000)).toBeLessThan(11);
    expect(many(20_000) / many(2000)).toBeGreaterThan(9);
    expect(many(10_000) / few(10_000)).toBeLessThan(1.5);
  });

  test("takes fewer than 150 bytes a name", () => {
    const names = namesFrom(7, 50_000);
    const gazetteer = new Gazetteer(names.length);
    for (const [index, name] of names.entries()) gazetteer.add(index + 1, name, false);
    expect((gazetteer.bytes - new Gazetteer().bytes) / names.length).toBeLessThan(150);
  });
});
