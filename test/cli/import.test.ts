import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { watchPeakResident } from "../../bench/memory.ts";
import { sql } from "../../database/pool.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
let folder: string;
beforeAll(async () => {
  context = await createTestContext();
  folder = await mkdtemp(path.join(tmpdir(), "media-index-import-"));
  const ready = [
    await imported("entities", [
      { numeric_id: 1, name: "Ada Lovelace", type: "person" },
      { numeric_id: 2, name: "Acme", type: "company" },
    ]),
    await imported("videos", [video("aaaaaaaaaaa"), video("bbbbbbbbbbb")]),
  ];
  expect(ready.map(({ json }) => json)).toEqual([
    { imported: 2, updated: 0, rejected: 0, rejects: [] },
    { imported: 2, updated: 0, rejected: 0, rejects: [] },
  ]);
});
afterAll(async () => {
  await context.close();
  await rm(folder, { recursive: true, force: true });
});

const video = (id: string, more: Record<string, unknown> = {}) => ({
  video_id: id,
  title: `Video ${id}`,
  channel: { id: "UC-one", name: "Channel One" },
  published_at: "2026-01-02T03:04:05Z",
  duration_seconds: 600,
  ...more,
});
const mention = (start: number, more: Record<string, unknown> = {}) => ({
  video_id: "aaaaaaaaaaa",
  entity: "ent_1",
  start_seconds: start,
  end_seconds: start + 5,
  quote: `At ${start}.`,
  ...more,
});

interface Ended {
  status: number | null;
  json: unknown;
  stderr: string;
}

const root = path.resolve(import.meta.dirname, "../..");
const { scripts } = z
  .object({ scripts: z.object({ "media-index": z.string() }) })
  .parse(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));

/** Starts the command as `npm run media-index` does, on the test's database. */
function start(...words: string[]): ChildProcess {
  const [, ...script] = scripts["media-index"].split(" ");
  return spawn(process.execPath, [...script, ...words, "--json"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      DATABASE_URL: context.databaseUrl,
      MEDIA_INDEX_HOME: path.join(folder, "none"),
    },
  });
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (stderr += part.toString()));
  const [status] = await once(child, "close");
  return {
    status: z.number().nullable().parse(status),
    json: stdout === "" ? null : JSON.parse(stdout),
    stderr,
  };
}

const run = (...words: string[]) => ended(start(...words));

/** The rows, or lines as they are, through standard input. */
async function imported(kind: string, rows: readonly unknown[], ...options: string[]): Promise<Ended> {
  const child = start("import", kind, "-", ...options);
  child.stdin?.end(rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join(""));
  return ended(child);
}

function fileOf(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const countRow = z.object({ n: z.number() });
const countOf = (table: string) =>
  context.pool.oneFirst(sql.type(countRow)`select count(*)::int4 as n from ${sql.identifier([table])}`);
const report = z.object({
  imported: z.number(),
  updated: z.number(),
  rejected: z.number(),
  rejects: z.array(z.unknown()),
});
const done = (imported: number, updated = 0) => ({
  status: 0,
  json: { imported, updated, rejected: 0, rejects: [] },
  stderr: "",
});

describe("import", () => {
  it("keeps the good lines, names the bad ones by line and reason, and changes nothing when it is repeated", async () => {
    const lines = [
      mention(1, { is_appearance: true, appearance_role: "guest", sentiment_score: 0.5 }),
      "",
      "not json",
      mention(2, { video_id: "zzzzzzzzzzz" }),
      mention(3, { entity: "ent_99" }),
      mention(4, { end_seconds: 3 }),
      mention(5, { entity: "ent_2", is_appearance: true }),
      mention(6, { who: "Ada" }),
      mention(7, { entity: "ent_2", in_ad: true }),
      mention(2, { video_id: "zzzzzzzzzzz" }),
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
    const first = await imported("mentions", lines);
    expect(first).toEqual({ status: 0, json: { imported: 2, updated: 0, rejected: 7, rejects }, stderr: "" });
    const before = await context.pool.any(sql.unsafe`select * from mention order by id`);
    const second = await imported("mentions", lines);
    expect(second.json).toEqual({ imported: 0, updated: 0, rejected: 7, rejects });
    expect(await context.pool.any(sql.unsafe`select * from mention order by id`)).toEqual(before);
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
    await imported("mentions", [mention(20, { confidence: 0.5, in_ad: true })]);
    expect(await imported("mentions", [mention(20, { quote: "Put better." })])).toEqual(done(0, 1));
    expect(
      await context.pool.one(sql.unsafe`select quote, confidence, in_ad from mention where start_seconds = 20`),
    ).toEqual({ quote: "Put better.", confidence: 0.5, in_ad: true });
    const twice = [
      mention(21, { quote: "First." }),
      mention(21, { quote: "Second." }),
      mention(21, { quote: "Second." }),
    ];
    expect(await imported("mentions", twice)).toEqual(done(1, 1));
    expect(await context.pool.oneFirst(sql.unsafe`select quote from mention where start_seconds = 21`)).toBe("Second.");
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
    const first = await imported("recommendations", rows);
    expect(first.json).toMatchObject({ imported: 3, updated: 0, rejected: 1 });
    expect((await imported("recommendations", rows)).json).toMatchObject({ imported: 0, updated: 0, rejected: 1 });
    expect((await imported("recommendations", [{ ...rows[1], offer: "Half off" }])).json).toMatchObject({ updated: 1 });
    expect(
      await context.pool.any(
        sql.unsafe`select start_seconds, end_seconds, offer, sentiment_score from recommendation order by id`,
      ),
    ).toEqual([
      { start_seconds: 10, end_seconds: 20, offer: null, sentiment_score: null },
      { start_seconds: null, end_seconds: null, offer: "Half off", sentiment_score: null },
      { start_seconds: 0, end_seconds: 0, offer: null, sentiment_score: null },
    ]);
  });

  it("keeps a merged entity's own id, so that repeating stays safe", async () => {
    await imported("entities", [
      { numeric_id: 30, name: "Grace", type: "person" },
      { numeric_id: 31, name: "Grace Hopper", type: "person" },
    ]);
    await imported("mentions", [mention(30, { entity: "ent_30" })]);
    const merged = await run("entities", "merge", "ent_30", "31");
    expect(merged).toEqual({ status: 0, json: { canonicalId: "ent_31", moved: 1 }, stderr: "" });
    expect(await imported("mentions", [mention(30, { entity: "ent_30" })])).toEqual(done(0));
    expect(await imported("mentions", [mention(31, { entity: "ent_30" })])).toEqual(done(1));
    expect(await context.pool.one(sql.unsafe`select mention_count::int4 as n from entity where id = 31`)).toEqual({
      n: 2,
    });
    const again = await run("entities", "merge", "31", "30");
    expect([again.status, again.json, again.stderr]).toEqual([1, null, expect.stringMatching(/one entity already/)]);
    expect((await run("entities", "merge", "1", "ent_999")).status).toBe(1);
    expect((await run("entities", "merge", "1", "ada")).status).toBe(2);
  });

  it("makes channels and their entities, finds those that stand for a channel already, and moves evidence along with its video", async () => {
    await imported("entities", [{ name: "Known Show", type: "channel", platform_id: "UC-known" }]);
    const videos = [
      video("ccccccccccc", { channel: { id: "UC-known", name: "The Known Show" } }),
      video("ddddddddddd", { channel: { id: "UC-new", name: "Acme" } }),
    ];
    expect(await imported("videos", videos)).toEqual(done(2));
    expect(
      await context.pool.any(
        sql.unsafe`select name, slug, platform, platform_id from entity where type = 'channel' and platform_id <> 'UC-one' order by id`,
      ),
    ).toEqual([
      { name: "Known Show", slug: "known-show", platform: null, platform_id: "UC-known" },
      { name: "Acme", slug: "acme-2", platform: "youtube", platform_id: "UC-new" },
    ]);
    await imported("mentions", [mention(40, { video_id: "ddddddddddd" })]);
    const moved = video("ddddddddddd", {
      channel: { id: "UC-known", name: "The Known Show" },
      published_at: "2020-05-05",
    });
    expect(await imported("videos", [moved])).toEqual(done(0, 1));
    expect(
      await context.pool.one(
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
    const first = await imported("entities", rows);
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
      await context.pool.any(
        sql.unsafe`select id::int4, type, slug, known_advertiser from entity where name in ('Mercury', 'Freddie') order by id`,
      ),
    ).toEqual([
      { id: 5000, type: "product", slug: "mercury-planet", known_advertiser: false },
      { id: 5001, type: "topic", slug: "mercury", known_advertiser: false },
      { id: 5002, type: "product", slug: "mercury-2", known_advertiser: false },
      { id: 5003, type: "person", slug: "freddie", known_advertiser: true },
    ]);
    const alias = { numeric_id: 5002, name: "Mercury", type: "product", aliases: ["Hydrargyrum"] };
    expect(await imported("entities", [alias, alias])).toEqual(done(0, 1));
    expect(
      await context.pool.anyFirst(sql.unsafe`select name from entity_name where entity_id = 5002 order by key`),
    ).toEqual(["Hydrargyrum", "Mercury"]);
  });

  it("takes known advertisers, and SponsorBlock's passages as marks on mentions", async () => {
    const sponsors = [
      { channel_id: "UC-one", entity: "ent_2" },
      { channel_id: "UC-none", entity: "ent_2" },
      { channel_id: "UC-one", entity: "ent_98" },
    ];
    const expected = { imported: 1, updated: 0, rejected: 2, rejects: [{ line: 2 }, { line: 3 }] };
    expect((await imported("sponsors", sponsors)).json).toMatchObject(expected);
    expect((await imported("sponsors", sponsors)).json).toMatchObject({ ...expected, imported: 0 });

    await imported("mentions", [mention(101, { video_id: "bbbbbbbbbbb" }), mention(120, { video_id: "bbbbbbbbbbb" })]);
    const file = fileOf("sponsorTimes.csv", [
      "videoID,startTime,endTime,votes,category,hidden,shadowHidden,description",
      'bbbbbbbbbbb,100,110.5,3,sponsor,0,0,"two\nlines"',
      "bbbbbbbbbbb,110,130,-2,sponsor,0,0,",
      "yyyyyyyyyyy,1,2,3,sponsor,0,0,",
      "bbbbbbbbbbb,x,2,3,sponsor,0,0,",
    ]);
    expect(await run("import", "sponsors", file, "--format", "sponsorblock")).toEqual({
      status: 0,
      json: {
        imported: 0,
        updated: 1,
        rejected: 2,
        rejects: [
          { line: 5, reason: expect.stringMatching(/^video_id/) },
          { line: 6, reason: expect.stringMatching(/^startTime/) },
        ],
      },
      stderr: "",
    });
    expect(
      await context.pool.any(
        sql.unsafe`select start_seconds, in_ad from mention where video_id = 'bbbbbbbbbbb' and start_seconds > 100 order by 1`,
      ),
    ).toEqual([
      { start_seconds: 101, in_ad: true },
      { start_seconds: 120, in_ad: false },
    ]);
  });

  it("takes a Wikidata dump", async () => {
    const file = fileOf("dump.json", [
      "[",
      '{"id":"Q7259","labels":{"en":{"value":"Augusta Ada"}},"claims":{"P31":[{"mainsnak":{"datavalue":{"value":{"id":"Q5"}}}}]}},',
      '{"id":"Q1","label":"Universe"}',
      "]",
    ]);
    for (const imported of [2, 0])
      expect(await run("import", "entities", file, "--format", "wikidata")).toEqual(done(imported));
    expect(
      await context.pool.any(
        sql.unsafe`select type, platform_id from entity where platform = 'wikidata' and name <> 'Mercury' order by id`,
      ),
    ).toEqual([
      { type: "person", platform_id: "Q7259" },
      { type: "unknown", platform_id: "Q1" },
    ]);
  });

  it("starts at the line that it is told, lists a thousand rejects and writes all of them where it is told", async () => {
    const lines = [
      JSON.stringify(mention(200)),
      ...Array.from({ length: 1500 }, () => "{}"),
      JSON.stringify(mention(201)),
    ];
    const file = fileOf("rejected.jsonl", lines);
    const short = await run("import", "mentions", file, "--from-line", "2");
    const { imported, rejected, rejects } = report.parse(short.json);
    expect([imported, rejected, rejects.length, short.status]).toEqual([1, 1500, 1000, 0]);
    expect(short.stderr).toMatch(/first 1000 of 1500.*--rejects/);
    const all = path.join(folder, "rejects.jsonl");
    expect((await run("import", "mentions", file, "--rejects", all)).stderr).toBe("");
    const written = readFileSync(all, "utf8").trimEnd().split("\n");
    expect([written.length, written.at(-1)]).toEqual([1500, expect.stringMatching(/^{"line":1501,"reason":"/)]);
  });

  it("goes on after a kill -9 in its middle as if nothing had been", async () => {
    const rows = 60_000;
    const lines = Array.from({ length: rows }, (_, n) =>
      JSON.stringify(mention(1000 + n, { video_id: "bbbbbbbbbbb" })),
    );
    const file = fileOf("many.jsonl", lines);
    const before = await countOf("mention");
    const killed = start("import", "mentions", file);
    while ((await countOf("mention")) === before) await sleep(5);
    killed.kill("SIGKILL");
    await once(killed, "close");
    // Its last statement may still be under way.
    let left = await countOf("mention");
    for (let last = -1; left !== last; await sleep(300)) [last, left] = [left, await countOf("mention")];
    expect(left - before).toBeLessThan(rows);
    expect(await run("import", "mentions", file)).toEqual(done(rows - (left - before)));
    expect(await run("import", "mentions", file)).toEqual(done(0));
    expect(await countOf("mention")).toBe(before + rows);
    expect(
      await context.pool.any(sql.unsafe`
        select id from entity where mention_count <> (
          select count(*) from mention join entity as own on own.id = mention.entity_id where coalesce(own.canonical_id, own.id) = entity.id)`),
    ).toEqual([]);
  });

  it("holds neither a huge line nor a huge file in memory", async () => {
    const file = path.join(folder, "huge.jsonl");
    const stream = createWriteStream(file);
    const part = "x".repeat(1_000_000);
    const write = async (text: string) => void (stream.write(text) || (await once(stream, "drain")));
    await write(`${JSON.stringify(mention(300))}\n{"quote":"`);
    for (let n = 0; n < 300; n += 1) await write(part);
    await write(`"}\n`);
    for (let n = 0; n < 100; n += 1)
      await write(`${JSON.stringify(mention(301, { quote: part.slice(0, 1_000_000) }))}\n`);
    await write(JSON.stringify(mention(302)));
    stream.end();
    await once(stream, "close");
    const child = start("import", "mentions", file);
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
    const noColumns = fileOf("no-columns.csv", ["a,b", "1,2"]);
    const cases = [
      [1, /no file/, "mentions", path.join(folder, "none.jsonl")],
      [1, /is a folder/, "mentions", folder],
      [1, /lacks the columns videoID/, "sponsors", noColumns, "--format", "sponsorblock"],
      [1, /cannot be written/, "mentions", noColumns, "--rejects", path.join(folder, "none", "rejects")],
      [2, /missing required argument/, "mentions"],
      [2, /unknown command|too many arguments|unknown/, "everything", noColumns],
      [2, /--format/, "mentions", noColumns, "--format", "wikidata"],
      [2, /from-line/, "mentions", noColumns, "--from-line", "0"],
    ] as const;
    for (const [status, why, ...words] of cases) {
      const wrong = await run("import", ...words);
      expect([words, wrong.status, wrong.json, wrong.stderr]).toEqual([
        words,
        status,
        null,
        expect.stringMatching(why),
      ]);
      expect(wrong.stderr).not.toMatch(/\n\s+at /);
    }
    expect(existsSync(path.join(folder, "none"))).toBe(false);
  });
});
