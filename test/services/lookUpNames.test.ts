import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { catalogue, passagesOf, transcriptOf } from "../../bench/detection/passages.ts";
import { findNames } from "../../domain/detection/findNames.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { splitWords } from "../../domain/detection/words.ts";
import { detect, detectLookedUp } from "../../services/detection/detect.ts";
import { lookUpNames } from "../../services/detection/lookUpNames.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";

/** Names that are written in other ways than they are said, each with sayings of it. */
const spellings: [name: string, ...sayings: string[]][] = [
  ["Twenty One Pilots", "21 pilots", "twenty one pilots", "Twenty-One Pilots'"],
  ["J.K. Rowling", "JK Rowling", "J. K. Rowling's", "j k rowling"],
  ["AT&T", "AT&T", "AT and T"],
  ["Ford F-150", "Ford F150", "ford f 150", "Ford F-150s"],
  ["BetterHelp", "better help", "BetterHelp", "better help's"],
  ["IKEA", "i k e a", "ikea", "Ikeas"],
  ["U.S. Bank", "US Bank", "us bank"],
  ["Rocket Money", "go to rocketmoney.com now", "rocket money", "visit getrocketmoney dot com"],
  ["Lumora Inc.", "Lumora", "lumora inc"],
  ["Name.com", "name dot com", "name.com"],
  ["Doctor Who", "Dr. Who", "doctor who"],
  ["Saint Louis Arch", "the St. Louis Arch", "saint louis arch"],
  ["World War II", "World War 2", "world war two", "World War II"],
  ["The Second City", "the second city", "2nd city"],
  ["Beyoncé Knowles", "beyonce knowles", "BEYONCÉ KNOWLES'"],
  ["The Beatles", "the beatles", "Beatles"],
  ["Tyler, the Creator", "Tyler, the Creator", "tyler the creator"],
];

let context: TestContext;
let all: Gazetteer;
beforeAll(async () => {
  context = await createTestContext();
  const numbers = new Map<string, number>();
  for (const { key, name, type, aliases, owner } of catalogue) {
    const ownerId = numbers.get(owner ?? "");
    numbers.set(key, await createEntity(context, { name, type, aliases, ...(ownerId !== undefined && { ownerId }) }));
  }
  for (const [name] of spellings) await createEntity(context, { name, type: "organization" });
  const index = new NameIndex(context);
  await index.load();
  all = index.gazetteer;
});
afterAll(() => context.close());

const segmentOf = (text: string) => ({ id: "seg_0", startSeconds: 0, endSeconds: 9, text, speaker: null });
const found = (gazetteer: Gazetteer, text: string) =>
  findNames(splitWords(text), gazetteer).flatMap(({ first, end, form, state, acrossComma }) =>
    gazetteer.entriesAt(state, acrossComma).map(({ entityId, isAlias }) => ({ first, end, form, entityId, isAlias })),
  );

describe("names that are looked up for a text", () => {
  it.each(["develop", "report"] as const)(
    "make the same evidence as all names in memory, in the passages of %s",
    async (part) => {
      let mentions = 0;
      for (const passage of passagesOf(part)) {
        const { input } = transcriptOf(passage);
        const { title, segments } = input;
        const labels = segments.flatMap(({ speaker }) => (speaker?.label == null ? [] : [[segmentOf(speaker.label)]]));
        const names = await lookUpNames(context.pool, [segments, [segmentOf(title ?? "")], ...labels]);
        const transcript = { title, description: null, channel: null, segments };
        const evidence = await detect(context.pool, names, transcript);
        expect(evidence).toEqual(await detect(context.pool, all, transcript));
        mentions += evidence.mentions.length;
      }
      expect(mentions).toBeGreaterThan(50);
    },
  );

  it("make the same evidence in a long text, which a thread reads", async () => {
    const passages = passagesOf("report").map((passage) => transcriptOf(passage).input.segments);
    const segments = passages.flat().map((segment, n) => Object.assign({}, segment, { id: `seg_${n}` }));
    expect(segments.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(16_000);
    const transcript = { title: "A title", description: null, channel: { id: "ch", name: "Channel" }, segments };
    const evidence = await detectLookedUp(context.pool, [segments, [segmentOf("A title")]], transcript);
    expect(evidence).toEqual(await detect(context.pool, all, transcript));
    expect(evidence.mentions.length).toBeGreaterThan(50);
  });

  it.each(spellings)("%s is found in every way in which it is said", async (_name, ...sayings) => {
    for (const saying of sayings) {
      const text = `We spoke of ${saying} for an hour.`;
      const names = await lookUpNames(context.pool, [[segmentOf(text)]]);
      const wanted = found(all, text);
      expect(wanted.length).toBeGreaterThan(0);
      expect(found(names, text)).toEqual(wanted);
    }
  });
});
