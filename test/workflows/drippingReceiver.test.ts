import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import { deliveriesCapacity } from "../../workers/deliveries.ts";
import { createWatch, fireAlerts, type Watch } from "../builders/alerts.ts";
import { type RunningProcess, startProcess } from "../builders/childProcess.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { loopbackToo, type Receiver, startReceiver } from "../builders/receiver.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(180_000);
/** More than the worker has room for. */
const dripping = deliveriesCapacity.maxConcurrentWorkflowTaskExecutions + 20;
const prompt = 40;

let environment: TestWorkflowEnvironment;
let context: TestContext;
let home: string;
let worker: RunningProcess;
let receiver: Receiver;
let drip: { server: Server; url: string; open: Set<ServerResponse> };
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "media-index-worker-"));
  const vault = createKeyVault(() => readMasterKeys({ home }));
  [environment, context, receiver, drip] = await Promise.all([
    createNamespace(),
    createTestContext({ vault, outbound: loopbackToo }),
    startReceiver(),
    startDrippingReceiver(),
  ]);
  // Longer than the rest takes on a busy machine.
  const settings = path.join(home, "settings.json");
  await writeFile(settings, JSON.stringify({ alerts: { attemptTimeoutSeconds: 90 } }));
  worker = await startProcess("workers/main.ts", {
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    MEDIA_INDEX_SETTINGS: settings,
    OUTBOUND_ALLOWED_CIDRS: "127.0.0.0/8",
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace ?? "default",
  });
});
afterAll(async () => {
  worker?.child.kill("SIGKILL");
  drip?.server.close();
  drip?.server.closeAllConnections();
  await receiver?.close();
  await environment?.teardown();
  await context?.close();
  await rm(home, { recursive: true, force: true });
});

/** Answers at once with headers, then a byte a second for ever. */
async function startDrippingReceiver(): Promise<typeof drip> {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-length": 1000 });
    open.add(response);
    const dropping = setInterval(() => response.write("x"), 1000);
    response.on("close", () => {
      clearInterval(dropping);
      open.delete(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver listens on no TCP port");
  return { server, url: `http://127.0.0.1:${address.port}`, open };
}

const watchWith = async (webhookUrl: string): Promise<Watch> =>
  createWatch(context, await createCaller(context), { notifyEmail: false, notifyWebhook: true, webhookUrl });

it("a receiver that drips a byte a second keeps nobody else's deliveries waiting", async () => {
  const [slow, quick] = [await watchWith(drip.url), await watchWith(receiver.url)];
  await fireAlerts(context, slow, dripping);
  const [first] = await eventually(() => (drip.open.size > 0 ? [...drip.open] : undefined));
  await fireAlerts(context, quick, prompt);
  await eventually(() => receiver.received.length === prompt || undefined);
  // The first of them, begun before any of the others, still goes on.
  expect(first !== undefined && drip.open.has(first)).toBe(true);
});
