import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { askServer, ensureDatabase } from "../../database/server.ts";
import { isFree } from "../../adapters/ports.ts";
import { choosePort } from "./ports.ts";
import { choosePostgresAccount, type PostgresAccount } from "./postgresAccount.ts";
import { locatePostgres, type PostgresBinaries } from "./postgresBinaries.ts";
import { commandLine, endProcess, type EndingSteps, identify } from "./processIdentity.ts";
import { foundPortTaken, hasExited, lastLogLines, spawnRecorded } from "./processes.ts";
import { supervise } from "./supervise.ts";

export interface EmbeddedPostgresOptions {
  home: string;
  /** Preferred port; another is taken when it is in use. */
  port: number;
  /** false: faster, and data may be lost when the machine stops. For tests. */
  durable?: boolean;
  maxConnections?: number;
  sharedBuffersMegabytes?: number;
  note?: (text: string) => void;
  /** Gives up a first start that is still under way. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** Address of the database `media_index` for its owner, password included. */
  url: string;
  port: number;
  readonly pid: number | undefined;
  stop(force?: boolean): Promise<void>;
}

const user = "media_index";
const database = "media_index";
const retrySeconds = 60;
// SIGINT is Postgres's fast shutdown, SIGQUIT its immediate one, after which it recovers from its log.
const fastEnding: EndingSteps = [
  { signal: "SIGINT", waitSeconds: 30 },
  { signal: "SIGQUIT", waitSeconds: 10 },
  { signal: "SIGKILL", waitSeconds: 10 },
];

interface Cluster {
  home: string;
  folder: string;
  data: string;
  passwordFile: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
}

/**
 * Starts the embedded Postgres 18 on the data in `<home>/postgres`, made on first use, and keeps it running. A server that a killed
 * starter left on this data is stopped first. Its programs are spawned directly, not through the package's class: that one cannot
 * enter root's private folders, sees neither orphans nor deaths, and takes no lock on what it stops.
 * Throws with the end of the server's log when it does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepare(options.home);
  const note = options.note ?? (() => undefined);
  let port = await choosePortAfterOrphan(cluster, options.port);
  let settled = false;
  const { service, ready } = supervise({
    name: "postgres",
    ending: fastEnding,
    forcedEnding: fastEnding.slice(1),
    note,
    launch: async (own) => {
      const deadline = performance.now() + retrySeconds * 1000;
      for (;;) {
        await endOrphanedServer(cluster);
        const child = spawnServer(cluster, port, options);
        own(child);
        const exited = () => {
          if (!settled) options.signal?.throwIfAborted();
          return hasExited(child);
        };
        if (await answers(urlOf(cluster, port, "postgres"), exited)) return;
        // The last backends of a killed server may need a moment to let go of its memory, or somebody took the port.
        const portTaken = foundPortTaken(cluster.home, "postgres") || !(await isFree(port));
        const leftovers = /shared memory block|lock file/.test(lastLogLines(cluster.home, "postgres", 4));
        if (performance.now() > deadline || !(portTaken || leftovers)) {
          throw new Error(`Postgres does not start:\n${lastLogLines(cluster.home, "postgres")}`);
        }
        if (portTaken && !settled) port = await choosePort(cluster.home, "postgres", 0);
        await sleep(300);
      }
    },
  });
  try {
    await ready;
    settled = true;
    await ensureDatabase(urlOf(cluster, port, "postgres"), database);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    url: urlOf(cluster, port, database),
    port,
    get pid() {
      return service.pid;
    },
    stop: (force) => service.stop(force),
  };
}

async function prepare(home: string): Promise<Cluster> {
  const folder = path.join(home, "postgres");
  const data = path.join(folder, "data");
  const binaries = locatePostgres();
  mkdirSync(folder, { recursive: true });
  const account = await choosePostgresAccount(data, [folder, binaries.initdb, binaries.postgres]);
  account.own(folder);
  await chmod(folder, 0o700);
  const cluster = {
    home,
    folder,
    data,
    passwordFile: path.join(folder, "password"),
    binaries,
    account,
  };
  if (!existsSync(path.join(data, "PG_VERSION"))) await initialise(cluster);
  else if (!existsSync(cluster.passwordFile))
    throw new Error(`${cluster.passwordFile} is missing; without it the data beside it cannot be opened`);
  return cluster;
}

/** Makes the cluster beside its place and moves it there, so that a kill half-way leaves nothing half-made. */
async function initialise({ folder, data, passwordFile, binaries, account }: Cluster): Promise<void> {
  const unfinished = path.join(folder, "unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  account.own(passwordFile);
  const { program, args, identity } = account.command(binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // The builtin provider orders by code point, the same on every machine and in every later version.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
  ]);
  try {
    await promisify(execFile)(program, args, { ...identity, cwd: "/", env: serverEnvironment() });
  } catch (error) {
    throw new Error(
      `initdb failed: ${error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error)}`,
      { cause: error },
    );
  }
  await rename(unfinished, data);
}

function spawnServer({ home, data, binaries, account }: Cluster, port: number, options: EmbeddedPostgresOptions) {
  const settings = {
    listen_addresses: "127.0.0.1",
    // No socket file: its path could be too long, and TCP with a password does for everyone.
    unix_socket_directories: "",
    max_connections: options.maxConnections ?? 200,
    shared_buffers: `${options.sharedBuffersMegabytes ?? 256}MB`,
    timezone: "UTC",
    log_timezone: "UTC",
    ...(options.durable === false && {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
    }),
  };
  const { program, args, identity } = account.command(binaries.postgres, [
    "-D",
    data,
    "-p",
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  return spawnRecorded({
    home,
    name: "postgres",
    command: program,
    args,
    environment: serverEnvironment(),
    workingFolder: "/",
    identity,
  });
}

function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
}

function urlOf({ passwordFile }: Cluster, port: number, name: string): string {
  return `postgresql://${user}:${readFileSync(passwordFile, "utf8").trim()}@127.0.0.1:${port}/${name}`;
}

/** The orphan of a killed starter holds the port that this home wants, so it has to go before the choice. */
async function choosePortAfterOrphan(cluster: Cluster, preferred: number): Promise<number> {
  await endOrphanedServer(cluster);
  return choosePort(cluster.home, "postgres", preferred);
}

/** Stops a server that runs on exactly this data. A pid file whose number now belongs to another program is removed. */
async function endOrphanedServer({ data }: Cluster): Promise<void> {
  const file = path.join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  const identity = Number.isInteger(pid) && pid > 0 ? identify(pid) : undefined;
  if (!identity) return;
  const words = commandLine(pid);
  if (words.includes(data) && path.basename(words[0] ?? "") === "postgres") await endProcess(identity, fastEnding);
  else rmSync(file, { force: true });
}

/** Waits for the server, through its recovery too. False when it exited first. */
async function answers(url: string, exited: () => boolean): Promise<boolean> {
  while (!exited()) {
    const answer = await askServer(url);
    if (exited()) return false;
    switch (answer) {
      case "ready":
        return true;
      case "wrong password":
        throw new Error("the password file of the embedded Postgres does not fit its data");
      case "not yet":
        await sleep(50);
    }
  }
  return false;
}
