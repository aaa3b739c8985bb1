import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, get } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { type ApiProcess, startApiProcess } from "../builders/apiProcess.ts";
import { setKeyState } from "../../services/keys/setKeyState.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";

const countRow = z.object({ count });
const usedRow = z.object({ used: z.boolean() });

let context: TestContext;
let home: string;
let accountId: string;
let key: { key: string; keyId: string };
beforeAll(async () => {
  context = await createTestContext();
  home = await mkdtemp(path.join(tmpdir(), "media-index-api-"));
  ({ accountId } = await createAccount(context, { email: "process@example.com", tier: "enterprise" }));
  key = await createKey(context, { accountId });
});
afterAll(async () => {
  await context.close();
  await rm(home, { recursive: true });
});

const children: ChildProcess[] = [];
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function startApi(): Promise<ApiProcess> {
  const started = await startApiProcess(context.databaseUrl, home);
  children.push(started.api);
  return started;
}

/** Holds up every request of the key until it is let go. */
async function holdRequests(): Promise<() => Promise<void>> {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = context.pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias("void")`select from rate_window where key_id = ${key.keyId} for update`);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return () => {
    release.resolve();
    return holding;
  };
}

function call(
  url: string,
  agent: Agent,
  secret = key.key,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(`${url}/v1/me`, { agent, headers: { "x-api-key": secret } }, (response) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    }).on("error", reject);
  });
}

async function waitingStatements(): Promise<number> {
  return context.pool.oneFirst(sql.type(countRow)`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
}

it("ends on SIGTERM only after the requests in flight have been answered, and drops none", async () => {
  const { api, url } = await startApi();
  const agent = new Agent({ keepAlive: true });
  expect(await call(url, agent)).toEqual({ status: 200, connection: "keep-alive" });
  const letGo = await holdRequests();
  const inFlight = call(url, agent);
  while ((await waitingStatements()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const exited = once(api, "exit");
  api.kill("SIGTERM");
  await refusesConnections(url);
  await letGo();
  expect(await inFlight).toEqual({ status: 200, connection: "close" });
  expect(await exited).toEqual([0, null]);
  agent.destroy();
});

/** Waits until the port takes no more connections. */
async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const outcome = await Promise.race([
      once(socket, "connect").then(() => "taken"),
      once(socket, "error").then(() => "refused"),
    ]).catch(() => "refused");
    socket.destroy();
    if (outcome === "refused") return;
  }
}

/**
 * A client that asks again and again over one kept-alive connection, until the port refuses it. Tells how each request ended: with
 * a status, or with the error of an answer that broke off or a connection that was cut under it.
 */
async function askUntilRefused(url: string, onEnd: (end: number | string | undefined) => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    try {
      onEnd((await call(url, agent)).status);
    } catch (error) {
      agent.destroy();
      const reason = String(error);
      if (!reason.includes("ECONNREFUSED")) onEnd(reason);
      return;
    }
  }
}

it("answers every request of 32 busy clients in full when SIGTERM arrives, then refuses connections", async () => {
  const { api, url } = await startApi();
  await context.pool.query(sql.typeAlias("void")`delete from rate_window`);
  const ends = new Map<number | string | undefined, number>();
  let answers = 0;
  const enough = Promise.withResolvers<void>();
  const clients = Array.from({ length: 32 }, () =>
    askUntilRefused(url, (end) => {
      ends.set(end, (ends.get(end) ?? 0) + 1);
      answers += 1;
      if (answers === 400) enough.resolve();
    }),
  );
  await enough.promise;
  const exited = once(api, "exit");
  api.kill("SIGTERM");
  await Promise.all(clients);
  expect([...ends.keys()]).toEqual([200]);
  expect(await exited).toEqual([0, null]);
});

it("heeds a change of a key in every process with the next request", async () => {
  const apis = [await startApi(), await startApi()];
  const agent = new Agent({ keepAlive: true });
  const other = await createKey(context, { accountId });
  const statuses = () => Promise.all(apis.map(async ({ url }) => (await call(url, agent, other.key)).status));
  const seen = [await statuses()];
  for (const state of ["disabled", "active", "deleted"] as const) {
    await setKeyState(context, other.keyId, state);
    seen.push(await statuses());
  }
  const expiring = await createKey(context, { accountId, expiresAt: new Date(Date.now() - 1) });
  seen.push(await Promise.all(apis.map(async ({ url }) => (await call(url, agent, expiring.key)).status)));
  expect(seen).toEqual([
    [200, 200],
    [401, 401],
    [200, 200],
    [401, 401],
    [401, 401],
  ]);
  agent.destroy();
});

it("serves metrics on a port of their own, with names of operations and never ids or addresses", async () => {
  const { url, running } = await startApi();
  const agent = new Agent();
  await call(url, agent);
  await fetch(`${url}/v1/transcriptions/AAAAAAAAAAA?secret=1`, { headers: { "x-api-key": key.key } });
  await fetch(`${url}/nowhere/${key.keyId}`);
  const metricsUrl = await running.announced("metricsUrl");
  expect(new URL(metricsUrl).port).not.toBe(new URL(url).port);
  let text = "";
  // An exchange counts when its connection has seen the end of it, a moment after the client.
  while (!text.includes('route="none"')) text = await (await fetch(metricsUrl)).text();
  expect(text).toContain('http_requests_total{route="getMe",method="GET",status="200"} 1');
  expect(text).toContain('http_requests_total{route="getTranscription",method="GET",status="400"} 1');
  expect(text).toContain('http_requests_total{route="none",method="GET",status="404"} 1');
  expect(text).toContain('http_request_duration_seconds_count{route="getMe"} 1');
  expect(text).toMatch(/database_pool_connections\{state="(used|idle|waiting)"\} \d/);
  for (const unbounded of ["AAAAAAAAAAA", "nowhere", accountId, key.keyId]) expect(text).not.toContain(unbounded);
});

it("ends when the process that started it is gone, and has written when the key was used", async () => {
  const { api, url } = await startApi();
  await call(url, new Agent());
  const exited = once(api, "exit");
  api.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(
    await context.pool.oneFirst(
      sql.type(usedRow)`select last_used_at is not null as used from api_key where id = ${key.keyId}`,
    ),
  ).toBe(true);
});

it.each(["cursor.key", "master.key"])("keeps its %s to itself", async (file) => {
  expect((await stat(path.join(home, file))).mode & 0o777).toBe(0o600);
});

/** A way to the database that can fall silent: connections stay open, and nothing comes through any more. */
async function startSilenceableWay() {
  const { hostname, port } = new URL(context.databaseUrl);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(context.databaseUrl);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it("ends although its database does not answer any more", async () => {
  const way = await startSilenceableWay();
  closing.push(way.close);
  const { api, url } = await startApiProcess(way.url, home);
  children.push(api);
  const agent = new Agent();
  closing.push(() => agent.destroy());
  expect((await call(url, agent)).status).toBe(200);
  way.fallSilent();
  api.kill("SIGTERM");
  const [status, signal] = await once(api, "exit");
  expect([status, signal]).toEqual([1, null]);
});
