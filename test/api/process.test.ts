import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { type ApiProcess, startApiProcess } from "../builders/apiProcess.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";

const countRow = z.object({ count });
const usedRow = z.object({ used: z.boolean() });

let context: TestContext;
let home: string;
let key: { key: string; keyId: string };
beforeAll(async () => {
  context = await createTestContext();
  home = await mkdtemp(path.join(tmpdir(), "media-index-api-"));
  const { accountId } = await createAccount(context, { email: "process@example.com", tier: "pro" });
  key = await createKey(context, { accountId });
});
afterAll(async () => {
  await context.close();
  await rm(home, { recursive: true });
});

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

async function startApi(): Promise<ApiProcess> {
  const started = await startApiProcess({ MEDIA_INDEX_HOME: home, DATABASE_URL: context.databaseUrl });
  child = started.api;
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

function call(url: string, agent: Agent): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(`${url}/v1/me`, { agent, headers: { "x-api-key": key.key } }, (response) => {
      response.resume();
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

it("keeps its cursor key to itself", async () => {
  expect((await stat(path.join(home, "cursor.key"))).mode & 0o777).toBe(0o600);
});
