import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { request } from "undici";
import { z } from "zod";
import { startEmbeddedPostgres } from "../../cli/start/embeddedPostgres.ts";
import { migrate } from "../../database/migrate.ts";
import { openPool } from "../../database/pool.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { startApiProcess } from "../../test/builders/apiProcess.ts";
import { createEntity, publicOnly, testVault } from "../../test/builders/context.ts";
import { createTranscript } from "../../test/builders/finishedTranscript.ts";
import { testSettings } from "../../test/builders/settings.ts";
import { talk } from "../../test/builders/speech.ts";
import { runLoad } from "../edge/runLoad.ts";

export interface ReadingBenchOptions {
  rounds: number;
  seconds: number;
  connections: number;
  minutes: number;
  corrections: number;
}

const videoId = "bench-talk1";
const people = ["Ada Quillfeather", "Bruno Castellane", "Imogen Thackeray", "Osric Vandermeer", "Petra Lindqvist"];
const codings = ["identity", "gzip"] as const;

/**
 * A corrected transcript read through the API process, against a bare Express handler in a process of the same kind that sends the very same
 * bytes: same load generator, in turns. The bare handler checks no key, reads nothing, and answers everybody the same.
 */
export async function benchReading(options: ReadingBenchOptions): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  await chmod(home, 0o755);
  const postgres = await startEmbeddedPostgres({ home, port: 0 });
  await migrate(postgres.url);
  const pool = await openPool(postgres.url, { maxConnections: 2, statementTimeoutMilliseconds: 600_000 });
  const children: ChildProcess[] = [];
  try {
    const context = {
      pool,
      settings: testSettings(),
      clock: () => new Date(),
      vault: testVault(),
      outbound: publicOnly,
    };
    const key = await transcribe(context, options.minutes * 60);
    const settings = path.join(home, "settings.json");
    await writeFile(settings, JSON.stringify({ rateLimitPerMinute: { enterprise: 100_000_000 } }));
    const { api, url } = await startApiProcess(postgres.url, home, { MEDIA_INDEX_SETTINGS: settings });
    children.push(api);
    await correct(url, key, options.corrections);
    const [plain, compressed] = [path.join(home, "plain"), path.join(home, "gzip")];
    await writeFile(plain, await fetchBytes(url, key, "identity"));
    await writeFile(compressed, await fetchBytes(url, key, "gzip"));
    const bare = fork(path.join(import.meta.dirname, "readyServer.ts"), {
      env: { ...process.env, BENCH_PLAIN: plain, BENCH_GZIP: compressed },
    });
    children.push(bare);
    const [message] = await once(bare, "message");
    const bareUrl = z.object({ url: z.string() }).parse(message).url;
    for (const coding of codings) await compare({ url, bareUrl, key, coding }, options);
  } finally {
    for (const child of children) child.kill();
    await Promise.all(children.map(ended));
    await pool.end();
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/** Publishes talk of that length, with names in it, and returns a key of its account. */
async function transcribe(context: ServiceContext, durationSeconds: number): Promise<string> {
  const { accountId } = await createAccount(context, { email: "bench@example.com", tier: "enterprise" });
  const { key, keyId } = await createKey(context, { accountId });
  const names = new Gazetteer();
  for (const name of people) names.add(await createEntity(context, { name, type: "person" }), name, false);
  const caller: Caller = { accountId, keyId, tier: "enterprise", scopes: ["read"], requestId: "req_bench" };
  await createTranscript(context, caller, { ...talk(durationSeconds, { names: people }), videoId, names });
  return key;
}

const readSchema = z.object({
  revision: z.int(),
  segments: z.array(z.object({ id: z.string(), text: z.string(), contentHash: z.string() })),
});

/** Edits as many lines, all over the transcript, through the API. */
async function correct(url: string, key: string, corrections: number): Promise<void> {
  const bytes = await fetchBytes(url, key, "identity");
  const { revision, segments } = readSchema.parse(JSON.parse(bytes.toString()));
  const every = Math.max(1, Math.floor(segments.length / corrections));
  for (const { id, text, contentHash } of segments.filter((_, index) => index % every === 0).slice(0, corrections)) {
    const response = await fetch(`${url}/v1/videos/${videoId}/corrections`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({
        kind: "line_edit",
        revision,
        anchor: { segmentId: id, contentHash },
        text: text.replace(/^\w/, (letter) => letter.toUpperCase()) + ".",
      }),
    });
    if (response.status !== 201) throw new Error(`a correction was answered ${response.status}`);
  }
}

/** The body as it is sent. */
async function fetchBytes(url: string, key: string, coding: (typeof codings)[number]): Promise<Buffer> {
  const { body, statusCode } = await request(`${url}/v1/transcripts/${videoId}`, {
    headers: { "x-api-key": key, "accept-encoding": coding },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`the transcript was answered ${statusCode}`);
  return bytes;
}

async function compare(
  { url, bareUrl, key, coding }: { url: string; bareUrl: string; key: string; coding: (typeof codings)[number] },
  options: ReadingBenchOptions,
): Promise<void> {
  const requests = [{ path: `/v1/transcripts/${videoId}`, key }];
  const targets = [
    { name: "bare", url: bareUrl, rates: new Array<number>(), latencies: new Array<number>() },
    { name: "api", url, rates: new Array<number>(), latencies: new Array<number>() },
  ];
  for (let round = 0; round < options.rounds; round += 1)
    for (const target of targets) {
      const { connections, seconds } = options;
      const seen = await runLoad({
        url: target.url,
        requests,
        connections,
        seconds,
        warmupSeconds: 1,
        acceptEncoding: coding,
      });
      if (seen.failures > 0) throw new Error(`${target.name}: ${seen.failures} answers were not 200`);
      target.rates.push(seen.requestsPerSecond);
      target.latencies.push(seen.p99Milliseconds);
    }
  const bytes = (await fetchBytes(url, key, coding)).length;
  const floor = median(targets[0]?.rates ?? []);
  console.log(
    `\n${options.minutes} minutes, ${options.corrections} corrections, ${coding}, ${bytes} bytes: medians of ${options.rounds} rounds of ${options.seconds} s, ${options.connections} connections`,
  );
  console.table(
    Object.fromEntries(
      targets.map(({ name, rates, latencies }) => [
        name,
        {
          "requests/s": Math.round(median(rates)),
          "of bare (bar: 0.5)": (median(rates) / floor).toFixed(2),
          "p99 ms": median(latencies).toFixed(1),
        },
      ]),
    ),
  );
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
