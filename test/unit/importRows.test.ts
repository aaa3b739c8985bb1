import { describe, expect, it } from "@jest/globals";
import { readRow } from "../../domain/imports/readRow.ts";
import { type ImportKind, rowSchemas } from "../../domain/imports/rows.ts";
import { readSponsorBlockRecord } from "../../domain/imports/sponsorBlock.ts";
import { readWikidataItem, withoutArray } from "../../domain/imports/wikidata.ts";

const mention = { video_id: "aaaaaaaaaaa", entity: "ent_1", start_seconds: 1, end_seconds: 2, quote: "so" };
const commercial = {
  video_id: "aaaaaaaaaaa",
  entity: "ent_1",
  mention_class: "ad_read",
  start_seconds: 1.4,
  end_seconds: 1.6,
  verbatim_quote: null,
  confidence: 1,
};
const video = {
  video_id: "aaaaaaaaaaa",
  title: "T",
  channel: { id: "c", name: "C" },
  published_at: "2026-01-31T12:00:00+02:00",
  duration_seconds: 1,
};
const entity = { name: "Ada", type: "person" };

const read = (kind: ImportKind, row: unknown) => readRow<unknown>(rowSchemas[kind], JSON.stringify(row));

describe("a line of an import", () => {
  it("is read into what is stored", () => {
    expect(read("mentions", { ...mention, in_ad: null })).toEqual({ row: { ...mention, entity: 1, in_ad: null } });
    expect(read("recommendations", commercial)).toMatchObject({ row: { start_seconds: 1, end_seconds: 2 } });
    expect(read("recommendations", { ...commercial, start_seconds: null, end_seconds: null })).toMatchObject({
      row: { start_seconds: null, end_seconds: null },
    });
    expect(read("videos", video)).toMatchObject({ row: { published_at: "2026-01-31T10:00:00.000Z" } });
    expect(read("videos", { ...video, published_at: "2026-01-31" })).toMatchObject({
      row: { published_at: "2026-01-31T00:00:00.000Z" },
    });
    expect(read("videos", { ...video, published_at: null })).toMatchObject({ row: { published_at: null } });
  });

  it("is refused with the field and what it has to be", () => {
    const cases: [ImportKind, unknown, RegExp][] = [
      ["mentions", { ...mention, end_seconds: 0.5 }, /^end_seconds: must not be before start_seconds$/],
      ["mentions", { ...mention, entity: 1 }, /^entity: must be ent_ and a number/],
      ["mentions", { ...mention, video_id: "https://x.example/v" }, /^video_id: .*11-character/],
      ["mentions", { ...mention, quote: undefined }, /^quote: is required$/],
      ["mentions", { ...mention, confidence: 2 }, /^confidence: must be at most 1$/],
      ["mentions", { ...mention, appearance_role: "guest" }, /^appearance_role: .*is_appearance/],
      ["mentions", { ...mention, qoute: "x" }, /^qoute: unknown field; remove it/],
      ["mentions", [mention], /JSON object/],
      ["recommendations", { ...commercial, start_seconds: null }, /^end_seconds: .*both be null/],
      ["recommendations", { ...commercial, sentiment_score: 1 }, /^sentiment_score: unknown field/],
      ["recommendations", { ...commercial, confidence: undefined }, /^confidence: is required$/],
      ["videos", { ...video, published_at: "2026-02-30T00:00:00Z" }, /^published_at: must be a time/],
      ["videos", { ...video, published_at: "0000-01-01" }, /^published_at: must be a time/],
      ["videos", { ...video, channel: { id: "c", name: "C", url: "x" } }, /^channel\.url: unknown field/],
      ["entities", { ...entity, type: "robot" }, /^type: must be one of person/],
      ["entities", { ...entity, name: " " }, /^name: must not be empty/],
      ["entities", { ...entity, name: "ﷺ".repeat(200) }, /^name: is too long to be searched for/],
      ["entities", { ...entity, numeric_id: 0 }, /^numeric_id: must be 1 or more$/],
      ["entities", { ...entity, owner: "acme" }, /^owner: must be ent_/],
      ["entities", { ...entity, url: "javascript:alert(1)" }, /^url: must be an http/],
      ["sponsors", { channel_id: "c" }, /^entity: is required$/],
    ];
    for (const [kind, row, reason] of cases)
      expect([row, read(kind, row)]).toEqual([row, { reason: expect.stringMatching(reason) }]);
  });

  it("is refused where it is no JSON, or holds what no database keeps", () => {
    expect(readRow(rowSchemas.entities, "{")).toEqual({ reason: expect.stringMatching(/JSON/) });
    for (const escape of [String.raw`\u0000`, String.raw`\ud800`])
      expect(readRow(rowSchemas.entities, `{"name":"a${escape}","type":"person"}`)).toEqual({
        reason: expect.stringMatching(/NUL|surrogate/),
      });
    const deep = `${'{"name":'.repeat(50_000)}"\\u0000"${"}".repeat(50_000)}`;
    expect(readRow(rowSchemas.entities, deep)).toEqual({ reason: expect.stringMatching(/NUL/) });
    expect(readRow(rowSchemas.entities, String.raw`{"name":"\ud83d\ude00","type":"person"}`)).toEqual({
      row: { name: "😀", type: "person" },
    });
  });
});

const item = (classes: string[]) => ({
  id: "Q1",
  labels: { en: { language: "en", value: "Ada" }, de: { value: "Ada (de)" } },
  aliases: { en: [{ language: "en", value: "Countess" }] },
  descriptions: { en: { value: "mathematician" } },
  claims: {
    P31: [
      { mainsnak: { snaktype: "somevalue" } },
      ...classes.map((id) => ({ mainsnak: { datavalue: { value: { id } } } })),
    ],
  },
});

describe("an item of Wikidata", () => {
  it("is an entity in the language that was asked for, of the type of its first known class", () => {
    expect(readWikidataItem(item(["Q5"]), "en")).toEqual({
      row: {
        name: "Ada",
        type: "person",
        aliases: ["Countess"],
        description: "mathematician",
        platform: "wikidata",
        platform_id: "Q1",
      },
    });
    expect(readWikidataItem(item(["Q99999999", "Q7397"]), "de")).toMatchObject({
      row: { name: "Ada (de)", type: "product" },
    });
    expect(readWikidataItem(item(["Q99999999"]), "en")).toMatchObject({ row: { type: "topic" } });
    expect(readWikidataItem(item([]), "en")).toMatchObject({ row: { type: "unknown" } });
    expect(readWikidataItem(item(["Q5"]), "fr")).toEqual({ reason: expect.stringMatching(/^labels\.fr/) });
    expect(readWikidataItem({ ...item(["Q5"]), id: "P31" }, "en")).toEqual({ reason: expect.stringMatching(/^id:/) });
  });

  it("can be a plain line of id, label, aliases and type", () => {
    expect(readWikidataItem({ id: "Q2", label: "Acme", type: "company" }, "en")).toMatchObject({
      row: { name: "Acme", type: "company", platform_id: "Q2" },
    });
    expect(readWikidataItem({ id: "Q2", label: "Acme", kind: "company" }, "en")).toEqual({
      reason: expect.stringMatching(/^kind: unknown field/),
    });
  });

  it("stands in an array with a comma behind it", () => {
    expect(["[", "]", '{"id":1},', '[{"id":2}]', '{"a":[1]}'].map(withoutArray)).toEqual([
      null,
      null,
      '{"id":1}',
      '{"id":2}',
      '{"a":[1]}',
    ]);
  });
});

describe("a record of SponsorBlock", () => {
  const record = { videoID: "aaaaaaaaaaa", startTime: "1.5", endTime: "9", votes: "2", category: "sponsor" };

  it("is a passage where its voters say that it is an ad", () => {
    const passage = { row: { video_id: "aaaaaaaaaaa", start_seconds: 1.5, end_seconds: 9 } };
    expect(readSponsorBlockRecord(record)).toEqual(passage);
    expect(
      readSponsorBlockRecord({ ...record, actionType: "skip", service: "YouTube", hidden: "0", shadowHidden: "0" }),
    ).toEqual(passage);
    for (const other of [
      { category: "intro" },
      { votes: "0" },
      { hidden: "1" },
      { shadowHidden: "1" },
      { actionType: "full" },
      { service: "PeerTube" },
    ])
      expect(readSponsorBlockRecord({ ...record, ...other })).toBeNull();
  });

  it("is refused where it cannot be read", () => {
    expect(readSponsorBlockRecord({ ...record, endTime: "x" })).toEqual({ reason: "endTime: must be seconds" });
    expect(readSponsorBlockRecord({ ...record, endTime: "1" })).toEqual({ reason: expect.stringMatching(/^endTime/) });
    expect(readSponsorBlockRecord({ startTime: "1" })).toEqual({ reason: expect.stringMatching(/^videoID/) });
  });
});
