import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { applyCorrection } from "../../domain/corrections/applyCorrection.ts";
import type { Change, Correction, EntityTag, Segment } from "../../domain/corrections/types.ts";
import { withdraw } from "../../domain/corrections/withdraw.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { spokenWords } from "../../domain/spokenWords.ts";
import { areCommonWords, isNameAlready, type NamedWords, wordingsTaught } from "../../domain/teaching/learn.ts";
import { findWrong, replaceWords, wordsKey } from "../../domain/teaching/sameWords.ts";
import { statusAfter, taughtNameStatuses } from "../../domain/teaching/states.ts";

function segmentOf(text: string, id = "seg_0", tags: readonly EntityTag[] = []): Segment {
  const place = { id, position: id, startSeconds: 0, endSeconds: 5, speakerId: null, confidence: 0.9 };
  return { ...place, text, words: [], tags, madeSeq: 0 };
}

function make(segments: readonly Segment[], correction: Correction): Change {
  return applyCorrection(
    { revision: 1, seq: 1, segments, nextPosition: null, speakers: [], named: [], reviewed: [] },
    correction,
  );
}

const anchorOf = (text: string) => ({ revision: 1, anchor: { segmentId: "seg_0", contentHash: contentHash(text) } });

/** Where a name stands in the corrected text. */
function naming(change: Change, name: string): NamedWords[] {
  return change.after.flatMap(({ id: segmentId, text }) => {
    const charStart = text.indexOf(name);
    return charStart < 0 ? [] : [{ entityId: 7, segmentId, charStart, charEnd: charStart + name.length }];
  });
}

/** What editing a line teaches of the name that it holds then. */
function taughtBy(before: string, after: string, name: string): (string | null)[][] {
  const correction: Correction = { kind: "line_edit", ...anchorOf(before), text: after };
  const change = make([segmentOf(before)], correction);
  return wordingsTaught(correction, change, naming(change, name)).map(({ wrongWords, rightWords }) => [
    wrongWords,
    rightWords,
  ]);
}

const ada = "Ada Quillfeather";

describe("what an edit of a line teaches", () => {
  it.each<[string, string, string, string, [string, string] | null]>([
    [
      "one wrong word of a name",
      "So Ada Quilfeather came.",
      "So Ada Quillfeather came.",
      ada,
      ["Ada Quilfeather", ada],
    ],
    [
      "a word that was heard as two",
      "with quil feather today",
      "with Quillfeather today",
      "Quillfeather",
      ["quil feather", "Quillfeather"],
    ],
    [
      "two words that were heard as one",
      "and adaquil said",
      "and Ada Quill said",
      "Ada Quill",
      ["adaquil", "Ada Quill"],
    ],
    ["a whole name", "we met Eta Kwil there", "we met Ada Quillfeather there", ada, ["Eta Kwil", ada]],
    ["a name at the ends of a line", "Eta Kwil", ada, ada, ["Eta Kwil", ada]],
    ["a possessive", "in Eta Kwil's room", "in Ada Quillfeather's room", `${ada}'s`, ["Eta Kwil", ada]],
    ["punctuation around it", "“Eta Kwil,” he said", "“Ada Quillfeather,” he said", ada, ["Eta Kwil", ada]],
    ["a sign that a name ends with", "we write see plus in it", "we write C++ in it", "C++", ["see plus", "C++"]],
    ["another script", "これは三頓です", "これは三鷹です", "三鷹", ["三頓", "三鷹"]],
    ["a name in Thai", "เราพบ โตโยตี วันนี้", "เราพบ โตโยต้า วันนี้", "โตโยต้า", ["โตโยตี", "โตโยต้า"]],
    ["nothing of case and punctuation", "with ada quillfeather", "with Ada Quillfeather,", ada, null],
    ["nothing of spaces", "open ai said", "OpenAI said", "OpenAI", null],
    ["nothing of a name that came", "we saw him", "we saw him and Ada Quillfeather", ada, null],
    ["nothing of a part of a name that came", "Quillfeather came", "Ada Quillfeather came", ada, null],
    ["nothing where words beside it changed too", "so eta kwil sad it", "so Ada Quillfeather said it", ada, null],
    ["nothing of pronouns", "then she came", "then Ada Quillfeather came", ada, null],
    ["nothing of numbers", "number 42 came", "number Ada came", "Ada", null],
    ["nothing of one possessive alone", "in Eta Kwils room", "in Ada Quillfeather's room", `${ada}'s`, null],
    ["nothing of a longer word", "the Kwil-Smith house", "the Quill-Smith house", "Quill", null],
    ["nothing of many words", "a b Kuh d Eff g Hah k El z", "a b Ada z", "Ada", null],
  ])("%s", (_what, before, after, name, expected) => {
    expect(taughtBy(before, after, name)).toEqual(expected === null ? [] : [expected]);
  });

  it("a name that is named where nothing changed teaches nothing", () => {
    expect(taughtBy("Ada Quillfeather sad it", "Ada Quillfeather said it", ada)).toEqual([]);
  });

  it("a rewrite teaches alike, but nothing of words that stood in two segments", () => {
    const texts = ["So Eta", "Kwil came. Then Osrik left."];
    const segments = texts.map((text, n) => segmentOf(text, `seg_${n}`));
    const correction: Correction = {
      kind: "segment_rewrite",
      ...anchorOf(texts.join("\n")),
      range: { fromSegmentId: "seg_0", toSegmentId: "seg_1" },
      replacements: ["So Ada Quillfeather came.", "Then Osric left."].map((text) => ({
        text,
        speakerId: null,
        startSeconds: null,
        endSeconds: null,
      })),
    };
    const change = make(segments, correction);
    const named = [...naming(change, ada), ...naming(change, "Osric")];
    expect(wordingsTaught(correction, change, named)).toEqual([
      { entityId: 7, wrongWords: "Osrik", rightWords: "Osric" },
    ]);
  });
});

function taughtByTag(text: string, surface: string, action: "add" | "remove" = "add") {
  const charStart = text.indexOf(surface);
  const tag = { entityId: 7, charStart, charEnd: charStart + surface.length, action };
  const correction: Correction = { kind: "entity_tag", ...anchorOf(text), tag };
  const segment = segmentOf(text, "seg_0", action === "remove" ? [{ ...tag, action: "add" }] : []);
  const named = action === "remove" ? [{ ...tag, segmentId: "seg_0" }] : [];
  const change = applyCorrection(
    { revision: 1, seq: 1, segments: [segment], nextPosition: null, speakers: [], named, reviewed: [] },
    correction,
  );
  return wordingsTaught(correction, change, []);
}

describe("what a tag teaches", () => {
  it("the words name the entity, and nothing takes their place", () => {
    expect(taughtByTag("then Doctor Q. came", "Doctor Q.")).toEqual([
      { entityId: 7, wrongWords: "Doctor Q", rightWords: null },
    ]);
    expect(taughtByTag("in Lady Ada's room", "Lady Ada's")).toEqual([
      { entityId: 7, wrongWords: "Lady Ada", rightWords: null },
    ]);
  });

  it("nothing of pronouns, parts of words, and what is said not to name it", () => {
    expect(taughtByTag("then she came", "she")).toEqual([]);
    expect(taughtByTag("the Quillfeathers came", "Quill")).toEqual([]);
    expect(taughtByTag("then Ada came", "Ada", "remove")).toEqual([]);
  });
});

describe("names and risks", () => {
  it("words are a name already however they are cut", () => {
    expect(isNameAlready("open a.i.", ["OpenAI"])).toBe(true);
    expect(isNameAlready("Quilfeather", ["Quillfeather"])).toBe(false);
  });
  it("ordinary words are told from others", () => {
    expect([areCommonWords("better help"), areCommonWords("quilfeather help")]).toEqual([true, false]);
  });
});

function replace(text: string, wrongWords: string, rightWords: string): string {
  return replaceWords(text, findWrong(text, { wrongWords, rightWords }), rightWords);
}

/** What is around some places of a text. */
function kept(text: string, places: readonly { charStart: number; charEnd: number }[]): string[] {
  return replaceWords(text, places, "\0").split("\0");
}

describe("the same wrong words", () => {
  it.each([
    [
      "wherever they stand, whatever their case",
      "QUIL came, quil! And Quil",
      "quil",
      "Quill",
      "Quill came, Quill! And Quill",
    ],
    ["whole words only", "tranquil quilts, Quil", "Quil", "Quill", "tranquil quilts, Quill"],
    [
      "with an ending of their own",
      "Quil's, quil’s and two Quils'",
      "Quil",
      "Quill",
      "Quill's, Quill’s and two Quills'",
    ],
    [
      "several words, apart by spaces and hyphens",
      "eta-kwil, eta  kwil, eta, kwil. Eta. Kwil",
      "Eta Kwil",
      "Ada",
      "Ada, Ada, eta, kwil. Eta. Kwil",
    ],
    [
      "as the name itself is written",
      "Kwil, Inc. and kwil, inc",
      "Kwil, Inc",
      "Quill, Inc",
      "Quill, Inc. and Quill, Inc",
    ],
    ["accents aside", "señor Kwíl", "Kwil", "Quill", "señor Quill"],
    [
      "not in addresses and handles",
      "@kwil kwil.com x/kwil kwil_1 kwil.",
      "kwil",
      "Quill",
      "@kwil kwil.com x/kwil kwil_1 Quill.",
    ],
    ["not within the right ones", "Adam Smith and Smith", "Smith", "Adam Smith", "Adam Smith and Adam Smith"],
    ["one after the other", "ha ha ha", "ha ha", "Haha", "Haha ha"],
    ["in a script without spaces", "これは三頓です", "三頓", "三鷹", "これは三鷹です"],
    ["in Thai, whose words nothing parts", "วันนี้โตโยตีมา", "โตโยตี", "โตโยต้า", "วันนี้โตโยต้ามา"],
    ["not with another tone", "กินข้าวสีขาว", "ขาว", "เขียว", "กินข้าวสีเขียว"],
    ["at half width", "昼はﾗｰﾒﾝだ", "ラーメン", "うどん", "昼はうどんだ"],
    ["never a part of a sign", "½ of it", "1", "One", "½ of it"],
  ])("are found %s", (_what, text, wrong, right, expected) => {
    expect(replace(text, wrong, right)).toBe(expected);
  });

  const word = fc.constantFrom(
    "ada",
    "Quil",
    "quil's",
    "feather",
    "kwil,",
    "the",
    "三",
    "頓",
    "naïve",
    "B-52",
    "ha",
    "½",
    "so.",
  );
  const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
  const said = fc
    .array(fc.constantFrom("quil", "ada", "feather", "kwil", "三", "頓", "ha"), { minLength: 1, maxLength: 3 })
    .map((words) => words.join(" "));
  const right = fc.constantFrom("Quillfeather", "Ada Quill", "C++", "鷹");

  it("are all replaced, and nothing else is", () => {
    fc.assert(
      fc.property(line, said, right, (text, wrongWords, rightWords) => {
        const hits = findWrong(text, { wrongWords, rightWords });
        const after = replaceWords(text, hits, rightWords);
        let shift = 0;
        const placed = hits.map(({ charStart, charEnd }) => {
          const start = charStart + shift;
          shift += rightWords.length - (charEnd - charStart);
          return { charStart: start, charEnd: start + rightWords.length };
        });
        for (const { charStart, charEnd } of placed) expect(after.slice(charStart, charEnd)).toBe(rightWords);
        expect(kept(after, placed)).toEqual(kept(text, hits));
        for (const { charStart, charEnd } of hits)
          expect(wordsKey(text.slice(charStart, charEnd))).toBe(wordsKey(wrongWords));
        const spoken = new Set(spokenWords(wrongWords).map((one) => one.word));
        const isApart = !spokenWords(rightWords).some((one) => spoken.has(one.word));
        expect(isApart ? findWrong(after, { wrongWords, rightWords }) : []).toEqual([]);
      }),
    );
  });

  it("come back byte for byte when the correction is taken back", () => {
    fc.assert(
      fc.property(line, said, right, (text, wrongWords, rightWords) => {
        const hits = findWrong(text, { wrongWords, rightWords });
        fc.pre(hits.length > 0);
        const segment = segmentOf(text);
        const change = make([segment], {
          kind: "line_edit",
          ...anchorOf(text),
          text: replaceWords(text, hits, rightWords),
        });
        const present = new Map(change.after.map((one) => [one.id, one]));
        const scene = { revision: 2, present, speaker: null, isSpeakerUsed: false, isSpanned: false };
        expect(withdraw(change, 1, scene).after).toEqual([segment]);
      }),
    );
  });
});

it("each status allows the steps that lead on from it, and repeats", () => {
  const table = taughtNameStatuses.map((status) =>
    (["accept", "dismiss", "undo"] as const).map((step) => statusAfter(status, step)),
  );
  expect(Object.fromEntries(taughtNameStatuses.map((status, n) => [status, table[n]]))).toEqual({
    offered: ["carrying", "dismissed", "offered"],
    withdrawn: [null, null, null],
    dismissed: [null, "dismissed", "offered"],
    carrying: ["carrying", null, "undoing"],
    carried: ["carrying", null, "undoing"],
    undoing: [null, null, "undoing"],
    undone: ["carrying", null, "undone"],
  });
});
