import { once } from "node:events";
import { createWriteStream, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { watchPeakResident } from "../../bench/memory.ts";
import { sql } from "../../database/pool.ts";
import { CommandLine, done, ended, mentionLine } from "../builders/commandLine.ts";

let command: CommandLine;
beforeAll(async () => {
  command = await CommandLine.open();
  await command.importBeginnings();
});
afterAll(() => command.close());

const countRow = z.object({ n: z.number() });
const countOf = (table: string) =>
  command.context.pool.oneFirst(sql.type(countRow)`select count(*)::int4 as n from ${sql.identifier([table])}`);
const report = z.object({
  imported: z.number(),
  updated: z.number(),
  rejected: z.number(),
  rejects: z.array(z.unknown()),
});

describe("import", () => {
  it("keeps the good lines, names the bad ones by line and reason, and changes nothing when it is repeated", async () => {
    const lines = [
      mentionLine(1, { is_appearance: true, appearance_role: "guest", sentiment_score: 0.5 }),
      "",
      "not json",
      mentionLine(2, { video_id: "zzzzzzzzzzz" }),
      mentionLine(3, { entity: "ent_99" }),
      mentionLine(4, { end_seconds: 3 }),
      mentionLine(5, { entity: "ent_2", is_appearance: true }),
      mentionLine(6, { who: "Ada" }),
      mentionLine(7, { entity: "ent_2", in_ad: true }),
      mentionLine(2, { video_id: "zzzzzzzzzzz" }),
    ];
    const rejects = [
      { line: 3, reason: expect.stringMatching(/JSON/) },
      { line: 4, reason: expect.stringMatching(/^video_id: no such video/) },
      { line: 5, reason: expect.stringMatching(/^entity: no such entity/) },
      { line: 6, reason: expect.stringMatching(/^end_seconds/) },
      { line: 7, reason: expect.stringMatching(/appearances_person_only/) },
      { line: 8, reason: expect.stringMatching(/^who: unknown field/) },
      { line: 10, reason: expect.stringMatching(/^video_id/) },
    ];
    const first = await command.import("mentions", lines);
    expect(first).toEqual({
      status: 0,
      json: { imported: 2, updated: 0, settled: 0, rejected: 7, rejects },
      stderr: "",
    });
    const before = await command.context.pool.any(sql.unsafe`select * from mention order by id`);
    const second = await command.import("mentions", lines);
    expect(second.json).toEqual({ imported: 0, updated: 0, settled: 0, rejected: 7, rejects });
    expect(await command.context.pool.any(sql.unsafe`select * from mention order by id`)).toEqual(before);
    expect(before).toMatchObject([
      {
        entity_id: 1n,
        is_appearance: true,
        appearance_role: "guest",
        sentiment_score: 0.5,
        in_ad: false,
        confidence: 1,
      },
      { entity_id: 2n, is_appearance: false, in_ad: true, entity_type: "organization", channel_id: "UC-one" },
    ]);
  });

  it("updates what has changed and leaves what a line does not say", async () => {
    await command.import("mentions", [mentionLine(20, { confidence: 0.5, in_ad: true })]);
    expect(await command.import("mentions", [mentionLine(20, { quote: "Put better." })])).toEqual(done(0, 1));
    expect(
      await command.context.pool.one(sql.unsafe`select quote, confidence, in_ad from mention where start_seconds = 20`),
    ).toEqual({ quote: "Put better.", confidence: 0.5, in_ad: true });
    const twice = [
      mentionLine(21, { quote: "First." }),
      mentionLine(21, { quote: "Second." }),
      mentionLine(21, { quote: "Second." }),
    ];
    expect(await command.import("mentions", twice)).toEqual(done(1, 1));
    expect(await command.context.pool.oneFirst(sql.unsafe`select quote from mention where start_seconds = 21`)).toBe(
      "Second.",
    );
  });

  it("takes commercial rows with whole seconds, without seconds, and for full episodes", async () => {
    const row = {
      video_id: "aaaaaaaaaaa",
      entity: "ent_2",
      mention_class: "ad_read",
      verbatim_quote: "Buy.",
      confidence: 0.9,
    };
    const rows = [
      { ...row, start_seconds: 9.6, end_seconds: 20.2, promo_code: "ADA" },
      { ...row, start_seconds: null, end_seconds: null },
      { ...row, start_seconds: 0, end_seconds: 0 },
      { ...row, start_seconds: 5, end_seconds: null },
    ];
    const first = await command.import("recommendations", rows);
    expect(first.json).toMatchObject({ imported: 3, updated: 0, rejected: 1 });
    expect((await command.import("recommendations", rows)).json).toMatchObject({
      imported: 0,
      updated: 0,
      rejected: 1,
    });
    expect((await command.import("recommendations", [{ ...rows[1], offer: "Half off" }])).json).toMatchObject({
      updated: 1,
    });
    expect(
      await command.context.pool.any(
        sql.unsafe`select start_seconds, end_seconds, offer, sentiment_score from recommendation order by id`,
      ),
    ).toEqual([
      { start_seconds: 10, end_seconds: 20, offer: null, sentiment_score: null },
      { start_seconds: null, end_seconds: null, offer: "Half off", sentiment_score: null },
      { start_seconds: 0, end_seconds: 0, offer: null, sentiment_score: null },
    ]);
  });

  it("starts at the line that it is told, lists a thousand rejects and writes all of them where it is told", async () => {
    const lines = [
      JSON.stringify(mentionLine(200)),
      ...Array.from({ length: 1500 }, () => "{}"),
      JSON.stringify(mentionLine(201)),
    ];
    const file = command.fileOf("rejected.jsonl", lines);
    const short = await command.run("import", "mentions", file, "--from-line", "2");
    const { imported, rejected, rejects } = report.parse(short.json);
    expect([imported, rejected, rejects.length, short.status]).toEqual([1, 1500, 1000, 0]);
    expect(short.stderr).toMatch(/first 1000 of 1500.*--rejects/);
    const all = path.join(command.folder, "rejects.jsonl");
    expect((await command.run("import", "mentions", file, "--rejects", all)).stderr).toBe("");
    const written = readFileSync(all, "utf8").trimEnd().split("\n");
    expect([written.length, written.at(-1)]).toEqual([1500, expect.stringMatching(/^{"line":1501,"reason":"/)]);
  });

  it("goes on after a kill -9 in its middle as if nothing had been", async () => {
    const rows = 60_000;
    const lines = Array.from({ length: rows }, (_, n) =>
      JSON.stringify(mentionLine(1000 + n, { video_id: "bbbbbbbbbbb" })),
    );
    const file = command.fileOf("many.jsonl", lines);
    const before = await countOf("mention");
    const killed = command.start("import", "mentions", file);
    while ((await countOf("mention")) === before) await sleep(5);
    killed.kill("SIGKILL");
    await once(killed, "close");
    // Its last statement may still be under way.
    let left = await countOf("mention");
    for (let last = -1; left !== last; await sleep(300)) [last, left] = [left, await countOf("mention")];
    expect(left - before).toBeLessThan(rows);
    expect(await command.run("import", "mentions", file)).toEqual(done(rows - (left - before)));
    expect(await command.run("import", "mentions", file)).toEqual(done(0));
    expect(await countOf("mention")).toBe(before + rows);
    expect(
      await command.context.pool.any(sql.unsafe`
        select id from entity where mention_count <> (
          select count(*) from mention join entity as own on own.id = mention.entity_id where coalesce(own.canonical_id, own.id) = entity.id)`),
    ).toEqual([]);
  });

  it("holds neither a huge line nor a huge file in memory", async () => {
    const file = path.join(command.folder, "huge.jsonl");
    const stream = createWriteStream(file);
    const part = "x".repeat(1_000_000);
    const write = async (text: string) => void (stream.write(text) || (await once(stream, "drain")));
    await write(`${JSON.stringify(mentionLine(300))}\n{"quote":"`);
    for (let n = 0; n < 300; n += 1) await write(part);
    await write(`"}\n`);
    for (let n = 0; n < 100; n += 1)
      await write(`${JSON.stringify(mentionLine(301, { quote: part.slice(0, 1_000_000) }))}\n`);
    await write(JSON.stringify(mentionLine(302)));
    stream.end();
    await once(stream, "close");
    const child = command.start("import", "mentions", file);
    const memory = watchPeakResident(child.pid ?? 0);
    const { status, json } = await ended(child);
    expect(memory.stop()).toBeLessThan(200_000_000);
    expect([status, json]).toMatchObject([
      0,
      {
        imported: 2,
        rejected: 101,
        rejects: expect.arrayContaining([{ line: 2, reason: expect.stringMatching(/longer than 1048576 bytes/) }]),
      },
    ]);
  });

  it("says in a line what was wrong: status 1 for what is not there or failed, 2 for wrong usage", async () => {
    const noColumns = command.fileOf("no-columns.csv", ["a,b", "1,2"]);
    const cases = [
      [1, /no file/, "mentions", path.join(command.folder, "none.jsonl")],
      [1, /is a folder/, "mentions", command.folder],
      [1, /lacks the columns videoID/, "sponsors", noColumns, "--format", "sponsorblock"],
      [1, /cannot be written/, "mentions", noColumns, "--rejects", path.join(command.folder, "none", "rejects")],
      [2, /missing required argument/, "mentions"],
      [2, /unknown command|too many arguments|unknown/, "everything", noColumns],
      [2, /--format/, "mentions", noColumns, "--format", "wikidata"],
      [2, /from-line/, "mentions", noColumns, "--from-line", "0"],
    ] as const;
    for (const [status, why, ...words] of cases) {
      const wrong = await command.run("import", ...words);
      expect([words, wrong.status, wrong.json, wrong.stderr]).toEqual([
        words,
        status,
        null,
        expect.stringMatching(why),
      ]);
      expect(wrong.stderr).not.toMatch(/\n\s+at /);
    }
    expect(existsSync(path.join(command.folder, "none"))).toBe(false);
  });
});
