import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import type { Worker } from "@temporalio/worker";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { createSlackChat } from "../../adapters/chat/slack.ts";
import { anyFreePort } from "../../adapters/ports.ts";
import { appearanceEvent, mentionEvent, testEvent } from "../../api/v1/monitors/eventSchema.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { unsubscribeLink } from "../../services/mailSubscriptions/link.ts";
import { createDeliveriesWorker } from "../../workers/deliveries.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { type Edge, type NewKey, startEdge } from "../api/edge.ts";
import { createTestParts, type TestParts } from "../builders/alerts.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { loopbackToo, type ReceivedRequest, type Receiver, startReceiver } from "../builders/receiver.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";
import { pythonVerdicts } from "./pythonVerdicts.ts";

/** Everything between a call of the API and a receiver's verifier is the product's own, and real. */
const log: string[] = [];
let edge: Edge;
let environment: TestWorkflowEnvironment;
let receiver: Receiver;
let caller: NewKey;
let dispatcher: OutboxDispatcher;
let worker: Worker;
let working: Promise<void>;
let parts: TestParts;
beforeAll(async () => {
  let workflowBundle;
  [edge, environment, receiver, workflowBundle] = await Promise.all([
    startEdge({ outbound: loopbackToo, settings: { alerts: { retryDelaysSeconds: [1, 1] } } }),
    createNamespace(),
    startReceiver(({ path: at }) => ({ body: at === "/in" ? "ok" : JSON.stringify({ ok: true }) })),
    bundleWorkflows(),
  ]);
  const { context } = edge;
  const logger = pino({ level: "trace" }, { write: (line: string) => log.push(line) });
  caller = await edge.newKey();
  const { clock, vault } = context;
  parts = createTestParts(context);
  const { http } = parts;
  const real = {
    ...parts,
    chat: createSlackChat({ http, apiUrl: `${receiver.url}/api`, timeoutSeconds: 5, clock }),
    unsubscribeUrl: (mails: Parameters<typeof unsubscribeLink>[2]) => unsubscribeLink(vault, edge.url, mails),
  };
  const namespace = environment.namespace ?? "default";
  worker = await createDeliveriesWorker(environment.nativeConnection, {
    namespace,
    workflowBundle,
    context,
    parts: real,
  });
  working = worker.run();
  dispatcher = new OutboxDispatcher({
    context,
    client: environment.client,
    databaseUrl: context.databaseUrl,
    logger,
  });
}, 120_000);
afterAll(async () => {
  await dispatcher?.stop();
  worker?.shutdown();
  await working;
  expect(parts?.defects).toEqual([]);
  await receiver?.close();
  await environment?.teardown();
  await edge?.close();
});

const post = async (route: string, body?: unknown) => {
  const answer = await edge.call("POST", route, { key: caller.key, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.json;
};
/** The next requests, in whatever order they come. */
const receive = async (count: number, from: Receiver = receiver): Promise<ReceivedRequest[]> => {
  await eventually(() => (from.received.length >= count ? true : undefined));
  return from.received.splice(0, count);
};
const flat = ({ headers }: ReceivedRequest) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const typeOf = ({ body }: ReceivedRequest): string => JSON.parse(body).type;

let names = 0;
async function fire(monitorId: string, more: { isAppearance?: boolean } = {}): Promise<void> {
  names += 1;
  const entityName = `Wåtched “${names}”`;
  const entityId = await createNamedEntity(edge.context, entityName);
  const { tracker } = await post("/v1/trackers", { entityName, entityType: "person" });
  await post(`/v1/monitors/${monitorId}/trackers`, { trackerIds: [tracker.id] });
  const videoId = await createVideo(edge.context, {});
  const role = more.isAppearance === true ? { role: "guest" as const } : {};
  await createMention(edge.context, { videoId, entityId, quote: "Ünïcode and 東京.", ...more, ...role });
  await edge.context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
}

/** What published libraries say to one who knows this secret. */
function isAccepted(request: ReceivedRequest, secret: string, header: string) {
  const headers = flat(request);
  const accepts = (verify: () => unknown) => {
    try {
      verify();
      return true;
    } catch {
      return false;
    }
  };
  return {
    stripe: accepts(() => Stripe.webhooks.constructEvent(request.body, headers[header] ?? "", secret)),
    standard: accepts(() => new Webhook(secret).verify(request.body, headers)),
  };
}

it("alerts, tests and redeliveries are as described, and published verifiers accept them, across a rotation", async () => {
  const { monitor } = await post("/v1/monitors", {
    name: "Press",
    notifyEmail: false,
    notifyWebhook: true,
    webhookUrl: `${receiver.url}/in`,
  });
  const { id: monitorId, webhookSecret: old } = monitor;
  await post(`/v1/monitors/${monitorId}/webhook/test`);
  await fire(monitorId);
  await fire(monitorId, { isAppearance: true });
  const first = await receive(3);
  expect(first.map(typeOf).toSorted()).toEqual(["alert.appearance", "alert.mention", "webhook.test"]);
  for (const { body } of first) {
    const schema = { "alert.mention": mentionEvent, "alert.appearance": appearanceEvent, "webhook.test": testEvent };
    const event = JSON.parse(body);
    expect(schema[event.type as keyof typeof schema].parse(event)).toEqual(event);
  }

  const { webhookSecret: current } = await post(`/v1/monitors/${monitorId}/webhook-secret/rotate`);
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
  const { delivery } = await post(`/v1/monitors/${monitorId}/redeliver`, { from: at(-3_600_000), to: at(60_000) });
  expect(delivery.count).toBe(2);
  const again = await receive(2);
  const idsOf = (requests: ReceivedRequest[]) => requests.map(({ headers }) => headers["webhook-id"]).toSorted();
  const alerts = first.filter((request) => typeOf(request) !== "webhook.test");
  expect(idsOf(again)).toEqual(idsOf(alerts));
  expect(again.map(({ body }) => body).toSorted()).toEqual(alerts.map(({ body }) => body).toSorted());

  const [service, previous] = ["x-service-signature", "x-service-signature-previous"];
  const accepted = { stripe: true, standard: true };
  for (const request of first) expect(isAccepted(request, old, service)).toEqual(accepted);
  for (const request of again) {
    expect(isAccepted(request, current, service)).toEqual(accepted);
    expect(isAccepted(request, old, previous)).toEqual(accepted);
  }
  const told = [
    ...first.map((request) => ({ request, secret: old })),
    ...again.flatMap((request) => [old, current].map((secret) => ({ request, secret }))),
  ];
  const verdicts = await pythonVerdicts(
    told.map(({ request, secret }) => ({ secret, headers: capitalised(request), body: request.body })),
  );
  for (const [index, { request, secret }] of told.entries()) {
    const by = verdicts[index];
    expect(by?.["standardwebhooks"]).toBe("accepted");
    const header =
      first.includes(request) || secret === current ? "X-Service-Signature" : "X-Service-Signature-Previous";
    expect(by?.[header]).toBe("accepted");
  }

  for (const secret of [old, current]) {
    expect(log.join("")).not.toContain(secret.slice("whsec_".length));
    expect(JSON.stringify(edge.log)).not.toContain(secret.slice("whsec_".length));
  }
}, 600_000);

it("one alert goes out as mail, chat message and webhook; the link in its mail ends the mails, for that address alone", async () => {
  const { accountId } = caller;
  const connect = { kind: "slack-bot", name: "News", secret: "xoxb-1" };
  const chats = `/internal/accounts/${accountId}/chat-integrations`;
  const { json } = await edge.call("POST", chats, { key: edge.internalKey, body: connect });
  const { monitor } = await post("/v1/monitors", {
    name: "Press",
    emailAddresses: ["press@example.com", "desk@example.com"],
    notifyChat: true,
    chatIntegrationId: json.chat_integration.id,
    chatChannelId: "C01",
    notifyWebhook: true,
    webhookUrl: `${receiver.url}/in`,
  });
  const mailed = async (mails: number) => {
    await eventually(() => (parts.mails.length >= mails ? true : undefined));
    return parts.mails.splice(0);
  };
  await fire(monitor.id);
  const requests = await receive(2);
  expect(requests.map(({ path: at }) => at).toSorted()).toEqual(["/api/chat.postMessage", "/in"]);
  expect(requests.find(({ path: at }) => at !== "/in")?.headers.authorization).toBe("Bearer xoxb-1");
  const mails = await mailed(2);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(["desk@example.com", "press@example.com"]);

  const link = mails.find(({ to }) => to === "press@example.com")?.unsubscribeUrl ?? "";
  expect((await edge.call("POST", new URL(link).pathname)).status).toBe(200);
  await fire(monitor.id);
  await receive(2);
  expect((await mailed(1)).map(({ to }) => to)).toEqual(["desk@example.com"]);
}, 60_000);

it("README's receiver takes them, and nothing that another secret signs", async () => {
  const readme = await readFile(path.join(import.meta.dirname, "../../README.md"), "utf8");
  const program = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = await mkdtemp(path.join(tmpdir(), "media-index-receiver-"));
  await writeFile(path.join(folder, "receiver.mjs"), program);
  const port = await anyFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/`;
  const { monitor } = await post("/v1/monitors", { name: "Press", notifyWebhook: true, webhookUrl });
  const running = spawn(process.execPath, [path.join(folder, "receiver.mjs")], {
    env: { ...process.env, NODE_OPTIONS: "", SECRET: monitor.webhookSecret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  running.stdout.on("data", (part: Buffer) => (printed += part.toString()));
  try {
    await eventually(async () => {
      const probe = await fetch(webhookUrl, {
        method: "POST",
        headers: { "x-service-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
        body: "{}",
      }).catch(() => null);
      return probe === null ? undefined : probe.status === 400;
    });
    const outcomes = async () => {
      const { json } = await edge.call("GET", `/v1/monitors/${monitor.id}/deliveries`, { key: caller.key });
      return json.data.map((each: { outcome: string; response_status: number }) => [
        each.outcome,
        each.response_status,
      ]);
    };
    await post(`/v1/monitors/${monitor.id}/webhook/test`);
    await eventually(async () => ((await outcomes()).length === 1 ? true : undefined));
    expect(await outcomes()).toEqual([["succeeded", 204]]);
    expect(JSON.parse(printed)).toMatchObject({ type: "webhook.test", monitorId: monitor.id });
  } finally {
    running.kill();
    await once(running, "exit");
    await rm(folder, { recursive: true });
  }
}, 60_000);

/** The verifying script looks for our own headers as they are written. */
function capitalised(request: ReceivedRequest): Record<string, string> {
  const written = ["X-Service-Signature", "X-Service-Signature-Previous"];
  return Object.fromEntries(
    Object.entries(flat(request)).map(([name, value]) => [
      written.find((each) => each.toLowerCase() === name) ?? name,
      value,
    ]),
  );
}
