import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { ensureToolSet } from "../cli/start/tools.ts";
import { saveNames } from "../database/entityNames.ts";
import { migrate } from "../database/migrate.ts";
import { openPool, type Pool, sql } from "../database/pool.ts";
import { NameIndex } from "../services/detection/nameIndex.ts";
import { namesFrom, speechFrom } from "./detection/nameCorpus.ts";

export interface DetectionSpeedOptions {
  names: number;
  words: number;
  rounds: number;
}

const run = promisify(execFile);
const fewNames = 10_000;
const repository = path.resolve(import.meta.dirname, "..");
const ours = z.object({
  readySeconds: z.number(),
  bytes: z.number(),
  peakBytes: z.number(),
  tableBytes: z.number(),
  found: z.number(),
  milliseconds: z.array(z.number()),
  tenfoldMilliseconds: z.array(z.number()),
});
const theirs = z.object({
  buildSeconds: z.number(),
  bytes: z.number(),
  found: z.number(),
  milliseconds: z.array(z.number()),
});

/**
 * Matching of names against the libraries that do only that: the same names and text, one process each, one after the other, every time the median of warm rounds.
 * The index reads its names from the database; its time includes the folding of the text, theirs begins with the text in lower case.
 */
export async function benchDetectionSpeed({ names: count, words, rounds }: DetectionSpeedOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const toolSet = {
    name: "bench-tools",
    title: "the bench's tools",
    requirementsFile: path.join(repository, "requirements-bench.txt"),
    executables: ["python"],
  };
  const tools = await ensureToolSet(path.join(repository, ".media-index"), toolSet, { log: console.error });
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  await migrate(postgres.url);
  const pool = await openPool(postgres.url, { maxConnections: 4, statementTimeoutMilliseconds: 600_000 });
  try {
    const names = namesFrom(1, count);
    const namesFile = path.join(home, "names.txt");
    const textFile = path.join(home, "text.txt");
    await writeFile(namesFile, `${names.join("\n")}\n`);
    await writeFile(textFile, speechFrom(2, words, names.slice(0, fewNames)));
    const measure = async () =>
      ours.parse(
        JSON.parse(
          (
            await run(process.execPath, [
              "--expose-gc",
              path.join(import.meta.dirname, "detection/indexProcess.ts"),
              postgres.url,
              textFile,
              String(rounds),
            ])
          ).stdout,
        ),
      );
    await insertNames(pool, names.slice(0, fewNames), 0);
    const few = await measure();
    await insertNames(pool, names.slice(fewNames), fewNames);
    const many = await measure();
    const rivals = [];
    for (const library of ["pyahocorasick", "flashtext", "spacy"]) {
      const { stdout } = await run(path.join(tools, "bin/python"), [
        path.join(import.meta.dirname, "detection/rivals.py"),
        library,
        namesFile,
        textFile,
        String(rounds),
      ]);
      rivals.push({ library, ...theirs.parse(JSON.parse(stdout)) });
    }
    const longestSeconds = await longestUntilSeen(pool);
    console.table({
      [`index, ${count} names`]: row(many.found, many.milliseconds, many.bytes, many.readySeconds),
      [`index, ${fewNames} names`]: row(few.found, few.milliseconds, few.bytes, few.readySeconds),
      ...Object.fromEntries(
        rivals.map((rival) => [rival.library, row(rival.found, rival.milliseconds, rival.bytes, rival.buildSeconds)]),
      ),
    });
    const flashtext = rivals.find(({ library }) => library === "flashtext");
    console.log(`index ÷ flashtext (bar: ≤ 1): ${ratio(many.milliseconds, flashtext?.milliseconds ?? [])}`);
    console.log(`${count} names ÷ ${fewNames} names (bar: ≤ 1.5): ${ratio(many.milliseconds, few.milliseconds)}`);
    console.log(
      `10 × the words ÷ 10 (linear: 1): ${(median(many.tenfoldMilliseconds) / 10 / median(many.milliseconds)).toFixed(2)}`,
    );
    console.log(
      `peak memory while loading: ${megabytes(many.peakBytes)} MB; tables alone: ${megabytes(many.tableBytes)} MB (bar: ≤ 300 MB for the names)`,
    );
    console.log(`ready from the database: ${many.readySeconds.toFixed(1)} s (bar: ≤ 10 s)`);
    console.log(
      `a new name is seen after at most ${longestSeconds.toFixed(2)} s in 20 trials, polled each second (bar: ≤ 2 s)`,
    );
  } finally {
    await pool.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

async function insertNames(pool: Pool, names: readonly string[], offset: number): Promise<void> {
  const part = 50_000;
  for (let from = 0; from < names.length; from += part) {
    const rows = names.slice(from, from + part).map((name, index) => [offset + from + index + 1, name]);
    await pool.query(sql.typeAlias("void")`
      with added as (
        insert into entity (id, name, type, slug)
        select id, name, 'organization', 'e-' || id from ${sql.unnest(rows, ["int8", "text"])} as named (id, name) returning id, name
      )
      insert into entity_name (entity_id, key, name, is_alias, terms) select id, lower(name), name, false, '{}'::int4[] from added`);
  }
  await pool.query(sql.typeAlias("void")`vacuum analyze entity_name`);
}

/** The longest time from the commit of a new name until an index that polls each second has it. */
async function longestUntilSeen(pool: Pool): Promise<number> {
  const index = new NameIndex({ pool, clock: () => new Date() });
  await index.load();
  const stop = new AbortController();
  const following = index.follow({ everyMilliseconds: 1000, signal: stop.signal, onFailure: console.error });
  let longest = 0;
  for (let trial = 0; trial < 20; trial += 1) {
    const { names } = index.gazetteer;
    await saveNames(pool, [{ entityId: trial + 1, name: `Newly Named ${trial}`, aliases: [] }]);
    const began = performance.now();
    while (index.gazetteer.names === names) await new Promise((resolve) => setTimeout(resolve, 5));
    longest = Math.max(longest, (performance.now() - began) / 1000);
  }
  stop.abort();
  await following;
  return longest;
}

const row = (found: number, milliseconds: readonly number[], bytes: number, seconds: number) => ({
  found,
  "median ms": Number(median(milliseconds).toFixed(1)),
  "names MB": Number(megabytes(bytes)),
  "ready s": Number(seconds.toFixed(1)),
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const ratio = (a: readonly number[], b: readonly number[]) => (median(a) / median(b)).toFixed(2);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
