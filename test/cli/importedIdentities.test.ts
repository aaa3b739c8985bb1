import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { CommandLine, done, mentionLine, videoLine } from "../builders/commandLine.ts";

let command: CommandLine;
beforeAll(async () => {
  command = await CommandLine.open();
  await command.importBeginnings();
});
afterAll(() => command.close());

describe("what a line means", () => {
  it("keeps a merged entity's own id, so that repeating stays safe", async () => {
    await command.import("entities", [
      { numeric_id: 30, name: "Grace", type: "person" },
      { numeric_id: 31, name: "Grace Hopper", type: "person" },
    ]);
    await command.import("mentions", [mentionLine(30, { entity: "ent_30" })]);
    const merged = await command.run("entities", "merge", "ent_30", "31");
    expect(merged).toEqual({ status: 0, json: { canonicalId: "ent_31", moved: 1 }, stderr: "" });
    expect(await command.import("mentions", [mentionLine(30, { entity: "ent_30" })])).toEqual(done(0));
    expect(await command.import("mentions", [mentionLine(31, { entity: "ent_30" })])).toEqual(done(1));
    expect(
      await command.context.pool.one(sql.unsafe`select mention_count::int4 as n from entity where id = 31`),
    ).toEqual({
      n: 2,
    });
    const again = await command.run("entities", "merge", "31", "30");
    expect([again.status, again.json, again.stderr]).toEqual([1, null, expect.stringMatching(/one entity already/)]);
    expect((await command.run("entities", "merge", "1", "ent_999")).status).toBe(1);
    expect((await command.run("entities", "merge", "1", "ada")).status).toBe(2);
  });

  it("makes channels and their entities, finds those that stand for a channel already, and moves evidence along with its video", async () => {
    await command.import("entities", [{ name: "Known Show", type: "channel", platform_id: "UC-known" }]);
    const videos = [
      videoLine("ccccccccccc", { channel: { id: "UC-known", name: "The Known Show" } }),
      videoLine("ddddddddddd", { channel: { id: "UC-new", name: "Acme" } }),
    ];
    expect(await command.import("videos", videos)).toEqual(done(2));
    expect(
      await command.context.pool.any(
        sql.unsafe`select name, slug, platform, platform_id from entity where type = 'channel' and platform_id <> 'UC-one' order by id`,
      ),
    ).toEqual([
      { name: "Known Show", slug: "known-show", platform: null, platform_id: "UC-known" },
      { name: "Acme", slug: "acme-2", platform: "youtube", platform_id: "UC-new" },
    ]);
    await command.import("mentions", [mentionLine(40, { video_id: "ddddddddddd" })]);
    const moved = videoLine("ddddddddddd", {
      channel: { id: "UC-known", name: "The Known Show" },
      published_at: "2020-05-05",
    });
    expect(await command.import("videos", [moved])).toEqual(done(0, 1));
    expect(
      await command.context.pool.one(
        sql.unsafe`select channel_id, sorted_at::text as at from mention where start_seconds = 40`,
      ),
    ).toEqual({ channel_id: "UC-known", at: "2020-05-05 00:00:00+00" });
  });

  it("tells entities apart by number, platform, slug and name, and keeps numbers and slugs that are given", async () => {
    const rows = [
      { numeric_id: 5000, name: "Mercury", type: "topic", slug: "mercury-planet" },
      { name: "Mercury", type: "topic", platform: "wikidata", platform_id: "Q308" },
      { name: "Mercury", type: "product", aliases: ["Quicksilver", "mercury"] },
      { name: "Mercury", type: "product", slug: "mercury-planet" },
      { name: "Freddie", type: "person", owner: "ent_5000", known_advertiser: true },
      { numeric_id: 5001, name: "Venus", type: "topic", slug: "mercury-planet" },
      { name: "Mars", type: "topic", owner: "ent_7777" },
      { numeric_id: 5002, name: "Pluto", type: "topic", platform_id: "Q308" },
    ];
    const first = await command.import("entities", rows);
    expect(first.json).toMatchObject({
      imported: 4,
      updated: 1,
      rejected: 3,
      rejects: [
        { line: 6, reason: expect.stringMatching(/^slug: is that of ent_5000/) },
        { line: 7, reason: expect.stringMatching(/^owner: no entity is ent_7777/) },
        { line: 8, reason: expect.stringMatching(/^platform_id: is that of ent_5001/) },
      ],
    });
    expect(
      await command.context.pool.any(
        sql.unsafe`select id::int4, type, slug, known_advertiser from entity where name in ('Mercury', 'Freddie') order by id`,
      ),
    ).toEqual([
      { id: 5000, type: "product", slug: "mercury-planet", known_advertiser: false },
      { id: 5001, type: "topic", slug: "mercury", known_advertiser: false },
      { id: 5002, type: "product", slug: "mercury-2", known_advertiser: false },
      { id: 5003, type: "person", slug: "freddie", known_advertiser: true },
    ]);
    const alias = { numeric_id: 5002, name: "Mercury", type: "product", aliases: ["Hydrargyrum"] };
    expect(await command.import("entities", [alias, alias])).toEqual(done(0, 1));
    expect(
      await command.context.pool.anyFirst(sql.unsafe`select name from entity_name where entity_id = 5002 order by key`),
    ).toEqual(["Hydrargyrum", "Mercury"]);
  });

  it("takes known advertisers, and SponsorBlock's passages as marks on mentions", async () => {
    const sponsors = [
      { channel_id: "UC-one", entity: "ent_2" },
      { channel_id: "UC-none", entity: "ent_2" },
      { channel_id: "UC-one", entity: "ent_98" },
    ];
    const expected = { imported: 1, updated: 0, rejected: 2, rejects: [{ line: 2 }, { line: 3 }] };
    expect((await command.import("sponsors", sponsors)).json).toMatchObject(expected);
    expect((await command.import("sponsors", sponsors)).json).toMatchObject({ ...expected, imported: 0 });

    await command.import("mentions", [
      mentionLine(101, { video_id: "bbbbbbbbbbb" }),
      mentionLine(120, { video_id: "bbbbbbbbbbb" }),
    ]);
    const file = command.fileOf("sponsorTimes.csv", [
      "videoID,startTime,endTime,votes,category,hidden,shadowHidden,description",
      'bbbbbbbbbbb,100,110.5,3,sponsor,0,0,"two\nlines"',
      "bbbbbbbbbbb,110,130,-2,sponsor,0,0,",
      "yyyyyyyyyyy,1,2,3,sponsor,0,0,",
      "bbbbbbbbbbb,x,2,3,sponsor,0,0,",
    ]);
    expect(await command.run("import", "sponsors", file, "--format", "sponsorblock")).toEqual({
      status: 0,
      json: {
        imported: 0,
        updated: 1,
        settled: 0,
        rejected: 2,
        rejects: [
          { line: 5, reason: expect.stringMatching(/^video_id/) },
          { line: 6, reason: expect.stringMatching(/^startTime/) },
        ],
      },
      stderr: "",
    });
    expect(
      await command.context.pool.any(
        sql.unsafe`select start_seconds, in_ad from mention where video_id = 'bbbbbbbbbbb' and start_seconds > 100 order by 1`,
      ),
    ).toEqual([
      { start_seconds: 101, in_ad: true },
      { start_seconds: 120, in_ad: false },
    ]);
  });

  it("takes a Wikidata dump", async () => {
    const file = command.fileOf("dump.json", [
      "[",
      '{"id":"Q7259","labels":{"en":{"value":"Augusta Ada"}},"claims":{"P31":[{"mainsnak":{"datavalue":{"value":{"id":"Q5"}}}}]}},',
      '{"id":"Q1","label":"Universe"}',
      "]",
    ]);
    for (const imported of [2, 0])
      expect(await command.run("import", "entities", file, "--format", "wikidata")).toEqual(done(imported));
    expect(
      await command.context.pool.any(
        sql.unsafe`select type, platform_id from entity where platform = 'wikidata' and name <> 'Mercury' order by id`,
      ),
    ).toEqual([
      { type: "person", platform_id: "Q7259" },
      { type: "unknown", platform_id: "Q1" },
    ]);
  });
});
