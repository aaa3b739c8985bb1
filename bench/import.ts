import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };
import { startEmbeddedPostgres } from "../cli/start/embeddedPostgres.ts";
import { ensureDatabase } from "../database/server.ts";
import { migrate } from "../database/migrate.ts";
import { writeImportFiles } from "./generator/importFiles.ts";
import { watchPeakResident } from "./memory.ts";

const bar = { ratio: 0.5, peakMegabytes: 200 };
const columns = `video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance, appearance_role,
  in_ad, sentiment_score, confidence, source`;

export interface ImportBenchOptions {
  rows: number;
}

/**
 * The real command on a file of mentions, against a bare COPY of the same rows, finished and in the same order, into a table with the same
 * indexes on the same server: nothing parsed or looked up, no foreign keys, no triggers. Two sizes, for the command's memory.
 */
export async function benchImport({ rows }: ImportBenchOptions): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  const postgres = await startEmbeddedPostgres({ home: folder, port: 0 });
  try {
    for (const size of [Math.ceil(rows / 5), rows]) {
      const result = await measure(postgres.url, folder, size);
      console.log(`\n${size.toLocaleString("en")} mentions, ${result.indexes} indexes`);
      console.table({
        "import mentions": { seconds: round(result.importSeconds), "rows/s": Math.round(size / result.importSeconds) },
        "the same file again": {
          seconds: round(result.againSeconds),
          "rows/s": Math.round(size / result.againSeconds),
        },
        "bare COPY": { seconds: round(result.copySeconds), "rows/s": Math.round(size / result.copySeconds) },
      });
      console.log(
        `speed of the import ÷ bare COPY: ${(result.copySeconds / result.importSeconds).toFixed(2)} (bar: ≥ ${bar.ratio})`,
      );
      console.log(
        `peak memory of the command: ${Math.round(result.peakBytes / 1e6)} MB (bar: ≤ ${bar.peakMegabytes} MB)`,
      );
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(serverUrl: string, folder: string, rows: number) {
  const name = `import_${rows}`;
  await ensureDatabase(serverUrl, name);
  const url = new URL(serverUrl);
  url.pathname = name;
  await migrate(url.href);
  const files = await writeImportFiles(folder, rows);
  await runImport(url.href, "entities", files.entities);
  await runImport(url.href, "videos", files.videos);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query("vacuum analyze");
    await client.query("checkpoint");
    const first = await runImport(url.href, "mentions", files.mentions);
    if (first.imported !== rows) throw new Error(`${first.imported} of ${rows} rows were imported`);
    const again = await runImport(url.href, "mentions", files.mentions);
    if (again.imported + again.updated + again.rejected !== 0) throw new Error("the second run changed something");
    const copySeconds = await runCopy(client, path.join(folder, "mentions.copy"));
    const { rows: counted } = await client.query(
      "select count(*)::int as indexes from pg_indexes where tablename = 'mention'",
    );
    return {
      indexes: z.object({ indexes: z.number() }).parse(counted[0]).indexes,
      importSeconds: first.seconds,
      againSeconds: again.seconds,
      copySeconds,
      peakBytes: Math.max(first.peakBytes, again.peakBytes),
    };
  } finally {
    await client.end();
  }
}

const report = z.object({ imported: z.number(), updated: z.number(), rejected: z.number() });

/** The command as `npm run media-index` runs it, its start included. */
async function runImport(databaseUrl: string, kind: string, file: string) {
  const startedAt = performance.now();
  const [, ...words] = packageJson.scripts["media-index"].split(" ");
  const child = spawn(process.execPath, [...words, "import", kind, file, "--json"], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const memory = watchPeakResident(child.pid ?? 0);
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  await once(child, "close");
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...report.parse(JSON.parse(output)), seconds, peakBytes: memory.stop() };
}

async function runCopy(client: Client, file: string): Promise<number> {
  await pipeline(
    client.query(copyTo(`copy (select ${columns} from mention order by id) to stdout`)),
    createWriteStream(file),
  );
  await client.query("create table floor (like mention including all)");
  await client.query("checkpoint");
  const startedAt = performance.now();
  await pipeline(createReadStream(file), client.query(copyFrom(`copy floor (${columns}) from stdin`)));
  return (performance.now() - startedAt) / 1000;
}

function round(seconds: number): string {
  return seconds.toFixed(1);
}
