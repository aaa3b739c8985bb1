/**
 * The name index alone in a process, so that its memory can be told: loads it from the database, matches, and prints one JSON object.
 * Arguments: database URL, file with the text, rounds.
 */
import { readFileSync } from "node:fs";
import { openPool } from "../../database/pool.ts";
import { findNames } from "../../domain/detection/findNames.ts";
import { splitWords } from "../../domain/detection/words.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";

const [databaseUrl = "", textFile = "", rounds = "10"] = process.argv.slice(2);
const text = readFileSync(textFile, "utf8");
const pool = await openPool(databaseUrl, { maxConnections: 2 });
const index = new NameIndex({ pool, clock: () => new Date() });
// What the process takes without names: modules, the pool, and a first use of each.
await pool.query({ ...(await import("../../database/pool.ts")).sql.typeAlias("void")`select` });
findNames(splitWords(text), index.gazetteer);
global.gc?.();
const before = process.memoryUsage().rss;
const started = performance.now();
await index.load();
const readySeconds = (performance.now() - started) / 1000;
const peakBytes = process.memoryUsage().rss - before;
global.gc?.();
const bytes = process.memoryUsage().rss - before;
const { gazetteer } = index;
const match = () => findNames(splitWords(text), gazetteer).length;
for (let round = 0; round < 5; round += 1) match();
const milliseconds = Array.from({ length: Number(rounds) }, () => {
  const began = performance.now();
  match();
  return performance.now() - began;
});
const tenfold = Array.from({ length: 10 }, () => text).join(" ");
findNames(splitWords(tenfold), gazetteer);
const tenfoldMilliseconds = Array.from({ length: 5 }, () => {
  const began = performance.now();
  findNames(splitWords(tenfold), gazetteer);
  return performance.now() - began;
});
console.log(
  JSON.stringify({
    readySeconds,
    bytes,
    peakBytes,
    tableBytes: gazetteer.bytes,
    found: match(),
    milliseconds,
    tenfoldMilliseconds,
  }),
);
await pool.end();
