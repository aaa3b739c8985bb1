import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { searchAttributeNames } from "../../workflows/searchAttributes.ts";
import { plainProgress } from "../../cli/start/progress.ts";
import { startEmbeddedPostgres } from "../../cli/start/embeddedPostgres.ts";
import { startTemporalServer } from "../../cli/start/temporalServer.ts";
import { ensureTools } from "../../cli/start/tools.ts";
import { migrate } from "../../database/migrate.ts";
import { type TestEnvironment, templateDatabase } from "./addresses.ts";

/**
 * The servers that tests share, in a process of their own: when the test run ends, however it ends, its channel closes and this
 * process stops the servers and removes their data.
 */
const home = mkdtempSync(path.join(os.tmpdir(), "media-index-servers-"));
chmodSync(home, 0o755);
const stopping: (() => Promise<void>)[] = [];
let stopped: Promise<void> | undefined;

const stop = () =>
  (stopped ??= (async () => {
    await Promise.allSettled(stopping.map((end) => end()));
    rmSync(home, { recursive: true, force: true });
    process.exit();
  })());

process.on("disconnect", () => void stop());
process.on("SIGTERM", () => void stop());

const progress = plainProgress((line) => console.error(line));
try {
  const tools = await ensureTools(path.resolve(import.meta.dirname, "../../.media-index"), {
    log: (line) => progress.detail(line),
    onInstall: () => progress.step("runtime tools for the tests (first time only)"),
  });
  progress.done();
  const [databaseUrl, temporalAddress] = await Promise.all([postgres(), temporal(tools.temporalCli)]);
  const environment: TestEnvironment = { databaseUrl, temporalAddress, ...tools };
  process.send?.(environment);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
  await stop();
}

async function postgres(): Promise<string> {
  const server = await startEmbeddedPostgres({ home, port: 0, durable: false, sharedBuffersMegabytes: 128 });
  stopping.push(() => server.stop());
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(templateDatabase)}`);
  await client.end();
  const template = new URL(server.url);
  template.pathname = templateDatabase;
  await migrate(template.href);
  return server.url;
}

async function temporal(cli: string): Promise<string> {
  const server = await startTemporalServer({
    home,
    cli,
    port: 0,
    uiPort: 0,
    durable: false,
    keywordSearchAttributes: searchAttributeNames,
  });
  stopping.push(() => server.stop());
  return server.address;
}
