import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { Connection, Client as TemporalClient } from "@temporalio/client";
import { Client } from "pg";
import { isFree } from "../../adapters/ports.ts";
import { isAlive } from "../../cli/start/processIdentity.ts";
import { readRunState, type RunState } from "../../cli/start/runState.ts";
import { createTestDatabase } from "../environment/database.ts";
import { temporalAddress } from "../environment/temporal.ts";
import {
  createHome,
  eventually,
  kill,
  partNames,
  runningParts,
  type StartedSystem,
  startSystem,
  type TestHome,
} from "../environment/startedSystem.ts";

const started: StartedSystem[] = [];
const homes: TestHome[] = [];

async function newHome(): Promise<TestHome> {
  const home = await createHome();
  homes.push(home);
  return home;
}

function run(home: TestHome, command?: readonly string[]): StartedSystem {
  const system = startSystem(home, command);
  started.push(system);
  return system;
}

async function stop(system: StartedSystem): Promise<number | null> {
  kill(system.child, "SIGTERM");
  return system.exit;
}

/** Every part that runs on this home, all of them being up. */
function allParts({ home }: TestHome) {
  const parts = runningParts(home);
  expect(Object.keys(parts).toSorted()).toEqual([...partNames].toSorted());
  return Object.values(parts);
}

async function query(state: RunState, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: state.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function temporal<T>(state: RunState, work: (client: TemporalClient) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: state.temporalAddress });
  try {
    return await work(new TemporalClient({ connection }));
  } finally {
    await connection.close();
  }
}

/** Leaves something in both stores that has to be there later. */
async function leaveTraces(state: RunState): Promise<void> {
  await query(state, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS number");
  await temporal(state, (client) =>
    client.workflow.start("kept", {
      workflowId: "kept",
      taskQueue: "nobody",
      searchAttributes: { MediaVideoId: ["dQw4w9WgXcQ"] },
    }),
  );
}

async function expectTraces(state: RunState): Promise<void> {
  expect(await query(state, "SELECT count(*)::int AS count FROM kept")).toEqual([{ count: 1000 }]);
  expect(
    await temporal(state, async (client) => (await client.workflow.getHandle("kept").describe()).status.name),
  ).toBe("RUNNING");
}

const healthy = async (state: RunState) => (await fetch(`${state.apiUrl}/v1/health`)).status;

afterEach(async () => {
  for (const system of started.splice(0)) await stop(system);
  for (const { home } of homes.splice(0)) {
    for (const identity of Object.values(runningParts(home))) process.kill(identity.pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("prints one line, serves, and leaves nothing behind after SIGTERM", async () => {
  const home = await newHome();
  const system = run(home);
  const state = await system.ready;
  expect(system.output().stdout).toBe(`ready http://127.0.0.1:${home.port}\n`);
  expect(await healthy(state)).toBe(200);
  expect((await fetch(String(state.uiUrl))).status).toBe(200);
  expect(statSync(path.join(home.home, "run", "state.json")).mode & 0o777).toBe(0o600);
  const parts = allParts(home);

  expect(await stop(system)).toBe(0);
  expect(parts.filter(isAlive)).toEqual([]);
  const ports = [state.apiUrl, state.databaseUrl, `http://${state.temporalAddress}`, String(state.uiUrl)].map((url) =>
    Number(new URL(url).port),
  );
  expect(await Promise.all(ports.map((port) => isFree(port)))).toEqual([true, true, true, true]);
  expect(readRunState(home.home)).toBeUndefined();
  expect(readdirSync(path.join(home.home, "run"))).toEqual(["ports.json"]);
});

test("keeps data and addresses from one start to the next", async () => {
  const home = await newHome();
  const first = run(home);
  const before = await first.ready;
  await leaveTraces(before);
  await stop(first);
  const after = await run(home).ready;
  expect(after).toEqual(before);
  await expectTraces(after);
});

test("recovers after kill -9 of the starter, and ends what it left", async () => {
  const home = await newHome();
  const first = run(home);
  await leaveTraces(await first.ready);
  const orphans = allParts(home);
  kill(first.child, "SIGKILL");
  await first.exit;

  const second = run(home);
  const state = await second.ready;
  expect(orphans.filter(isAlive)).toEqual([]);
  await expectTraces(state);
  expect(await healthy(state)).toBe(200);
  const parts = allParts(home);
  await stop(second);
  expect(parts.filter(isAlive)).toEqual([]);
});

test("recovers after kill -9 of everything at once", async () => {
  const home = await newHome();
  const first = run(home);
  await leaveTraces(await first.ready);
  const parts = allParts(home);
  kill(first.child, "SIGKILL");
  for (const { pid } of parts) process.kill(pid, "SIGKILL");
  const state = await run(home).ready;
  await expectTraces(state);
  expect(await healthy(state)).toBe(200);
});

test("starts again whatever is killed, at the same address and with its data", async () => {
  const home = await newHome();
  const state = await run(home).ready;
  await leaveTraces(state);
  for (const name of partNames) {
    const before = runningParts(home.home);
    process.kill(Number(before[name]?.pid), "SIGKILL");
    await eventually(() => {
      const now = runningParts(home.home)[name];
      return now && now.pid !== before[name]?.pid ? now : undefined;
    });
    await eventually(() =>
      healthy(state).then(
        (status) => status === 200 || undefined,
        () => undefined,
      ),
    );
    await eventually(() =>
      expectTraces(state).then(
        () => true,
        () => undefined,
      ),
    );
    const now = runningParts(home.home);
    expect(partNames.filter((part) => now[part]?.pid !== before[part]?.pid)).toEqual([name]);
  }
});

test("a second start on the same home is refused and harms nothing", async () => {
  const home = await newHome();
  const first = run(home);
  const state = await first.ready;
  const second = run(home);
  expect(await second.exit).toBe(1);
  expect(second.output()).toEqual({
    stdout: "",
    stderr: expect.stringContaining(`already running on ${home.home} (process ${first.child.pid})`),
  });
  expect(await healthy(state)).toBe(200);
  allParts(home);
});

test("a start during a stop waits for it", async () => {
  const home = await newHome();
  const first = run(home);
  await first.ready;
  kill(first.child, "SIGTERM");
  const second = run(home);
  await second.ready;
  expect(await first.exit).toBe(0);
  allParts(home);
});

test("what the configuration replaces is neither started nor stopped", async () => {
  const home = await newHome();
  const database = await createTestDatabase();
  Object.assign(home.environment, { DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporalAddress() });
  const system = run(home);
  const state = await system.ready;
  expect(state).toMatchObject({ databaseUrl: database.url, temporalAddress: temporalAddress(), uiUrl: null });
  expect(Object.keys(runningParts(home.home)).toSorted()).toEqual(["api", "speech", "workers"]);
  expect(await stop(system)).toBe(0);
  expect(runningParts(home.home)).toEqual({});
  expect(await query(state, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(
    await temporal(state, (client) => client.connection.workflowService.describeNamespace({ namespace: "default" })),
  ).toBeTruthy();
  await database.drop();
});

test("a Temporal server that does not answer is named, and what was started is stopped", async () => {
  const home = await newHome();
  home.environment["TEMPORAL_ADDRESS"] = `127.0.0.1:${home.environment["TEMPORAL_PORT"]}`;
  const system = run(home);
  expect(await system.exit).toBe(1);
  expect(system.output().stderr).toContain("TEMPORAL_ADDRESS");
  expect(runningParts(home.home)).toEqual({});
});

test("an API port in use is named, and nothing is started", async () => {
  const home = await newHome();
  const squatter = net.createServer().listen(home.port, "127.0.0.1");
  await once(squatter, "listening");
  const system = run(home);
  expect(await system.exit).toBe(1);
  expect(system.output().stderr).toContain("PORT");
  expect(runningParts(home.home)).toEqual({});
  squatter.close();
});

test("other ports in use are stepped around", async () => {
  const home = await newHome();
  const taken = ["POSTGRES_PORT", "TEMPORAL_PORT", "TEMPORAL_UI_PORT"].map((name) => Number(home.environment[name]));
  const squatters = taken.map((port) => net.createServer().listen(port, "127.0.0.1"));
  await Promise.all(squatters.map((squatter) => once(squatter, "listening")));
  const state = await run(home).ready;
  const ports = [state.databaseUrl, `http://${state.temporalAddress}`, String(state.uiUrl)].map((url) =>
    Number(new URL(url).port),
  );
  expect(ports.filter((port) => taken.includes(port))).toEqual([]);
  for (const squatter of squatters) squatter.close();
});

test("SIGTERM in the middle of a first start leaves nothing behind", async () => {
  const home = await newHome();
  const system = run(home);
  const postgres = await eventually(() => runningParts(home.home).postgres);
  expect(await stop(system)).toBe(0);
  expect(isAlive(postgres)).toBe(false);
  expect(runningParts(home.home)).toEqual({});
  expect(system.output().stdout).toBe("");
  await run(home).ready;
});

test("stops when the npm that started it is killed", async () => {
  const home = await newHome();
  const system = run(home, ["/bin/sh", "-c", '"$@" & wait', "sh"]);
  await system.ready;
  const parts = allParts(home);
  kill(system.child, "SIGKILL");
  await eventually(() => parts.filter(isAlive).length === 0 || undefined);
  expect(await healthy(await run(home).ready)).toBe(200);
});

test("a pid file whose number went to another program harms nobody", async () => {
  const home = await newHome();
  const first = run(home);
  await first.ready;
  const parts = allParts(home);
  kill(first.child, "SIGKILL");
  await first.exit;
  for (const { pid } of parts)
    if (parts.some((part) => part.pid === pid && isAlive(part))) process.kill(pid, "SIGKILL");
  await eventually(() => parts.filter(isAlive).length === 0 || undefined);
  const bystander = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync(
    path.join(home.home, "run", "temporal.json"),
    JSON.stringify({ pid: bystander.pid, startedAt: "earlier" }),
  );
  writeFileSync(
    path.join(home.home, "postgres", "data", "postmaster.pid"),
    `${bystander.pid}\n${home.home}/postgres/data\n1\n5433\n\n127.0.0.1\n`,
  );
  await run(home).ready;
  expect(bystander.exitCode).toBeNull();
  expect(bystander.signalCode).toBeNull();
  bystander.kill();
});

test("data may lie in a folder that only its owner can enter, root too", async () => {
  const outer = await newHome();
  const inner = path.join(outer.home, "private", "home");
  mkdirSync(inner, { recursive: true });
  chmodSync(path.dirname(inner), 0o700);
  chmodSync(outer.home, 0o700);
  const home = { ...outer, home: inner, environment: { ...outer.environment, MEDIA_INDEX_HOME: inner } };
  homes.unshift(home);
  const state = await run(home).ready;
  expect(await query(state, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(statSync(path.join(inner, "postgres", "data")).uid).not.toBe(0);
});
