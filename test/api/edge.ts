import { Writable } from "node:stream";
import createClient, { type Client } from "openapi-fetch";
import { pino } from "pino";
import { createApp } from "../../api/app.ts";
import type { Operation } from "../../api/http/operation.ts";
import type { EndedExchange } from "../../api/http/exchange.ts";
import { internalOperations } from "../../api/internal/operations.ts";
import { createCursors } from "../../api/http/paging.ts";
import { startServer } from "../../api/server.ts";
import type { HealthChecks } from "../../api/v1/meta/healthMonitor.ts";
import { v1Operations } from "../../api/v1/operations.ts";
import type { Inbox } from "../../domain/delivery/inbox.ts";
import type { KeyVault } from "../../domain/keyVault.ts";
import type { OutboundPolicy } from "../../domain/outboundAddresses.ts";
import type { ReviewCarrier } from "../../domain/review/carrying.ts";
import type { TrustedProxies } from "../../domain/trustedProxies.ts";
import type { Scope, Tier } from "../../domain/plans.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKeyUses, type KeyUses } from "../../services/admission/keyUses.ts";
import { createInternalKey, createKey } from "../../services/keys/createKey.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import type { paths } from "../client/api.d.ts";
import { ResponseCheck } from "./describedResponses.ts";

interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string or bytes as they are, with `application/json` unless the headers say otherwise. */
  body?: unknown;
}

interface CallResult {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it checks
  json: any;
}

export interface EdgeOptions {
  settings?: unknown;
  health?: Partial<HealthChecks>;
  operations?: readonly Operation[];
  clock?: () => Date;
  connections?: number;
  vault?: KeyVault;
  carrier?: ReviewCarrier;
  outbound?: OutboundPolicy;
  inbox?: Inbox;
  trustedProxies?: TrustedProxies;
  /** Default: the address that it listens on. */
  publicUrl?: string;
  observe?: (ended: EndedExchange) => void;
  onStatement?: () => void;
}

/** The real app on a real port over a database of its own; every response it gives is compared with its own OpenAPI document. */
export interface Edge {
  url: string;
  context: TestContext;
  keyUses: KeyUses;
  /** Opens /internal. */
  internalKey: string;
  /** All log lines so far. */
  log: Record<string, unknown>[];
  /** Any request at all, right or wrong. */
  call(method: string, path: string, options?: CallOptions): Promise<CallResult>;
  /** The typed client that is generated from the API's own OpenAPI document, as a customer would hold it. */
  client(caller?: { key: string }): Client<paths>;
  newKey(plan?: {
    tier?: Tier;
    rows?: number;
    scopes?: readonly Scope[];
    onDemand?: boolean;
    spendCapCents?: number;
    expiresAt?: Date;
  }): Promise<NewKey>;
  close(): Promise<void>;
}

export interface NewKey {
  key: string;
  keyId: string;
  accountId: string;
}

const up = async () => undefined;

export async function startEdge(options: EdgeOptions = {}): Promise<Edge> {
  const context = await createTestContext(options);
  const log: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      log.push(JSON.parse(line.toString()));
      done();
    },
  });
  const keyUses = createKeyUses({ ...context, everySeconds: 3600, onError: () => undefined });
  const server = await startServer({ host: "127.0.0.1", port: 0 }, (publicUrl) =>
    createApp({
      ...context,
      publicUrl: options.publicUrl ?? publicUrl,
      logger: pino({ level: "trace" }, sink),
      cursors: createCursors("a secret of the tests, long enough for one"),
      keyUses,
      health: { database: up, temporal: up, transcriber: up, ...options.health },
      operations: options.operations ?? v1Operations,
      internalOperations,
      inbox: options.inbox ?? null,
      ...(options.trustedProxies !== undefined && { trustedProxies: options.trustedProxies }),
      ...(options.carrier !== undefined && { carrier: options.carrier }),
      ...(options.observe !== undefined && { observe: options.observe }),
    }),
  );
  const { key: internalKey } = await createInternalKey(context, "edge");
  const describedAt = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { "x-api-key": internalKey } });
    return new ResponseCheck(await response.json());
  };
  const checks = [
    { prefix: "/v1/", check: await describedAt("/v1/openapi.json") },
    { prefix: "/internal/", check: await describedAt("/internal/openapi.json") },
  ];

  async function fetchDescribed(request: Request): Promise<Response> {
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    const check = checks.find(({ prefix }) => pathname.startsWith(prefix))?.check;
    if (check !== undefined) {
      const { status, headers } = response;
      const text = await response.clone().text();
      const undescribed = check.undescribed({ method: request.method, path: pathname, status, headers, text });
      if (undescribed.length > 0)
        throw new Error(
          `${request.method} ${request.url} → ${status} ${text}\nnot as described: ${undescribed.join("; ")}`,
        );
    }
    return response;
  }

  async function call(method: string, path: string, { key, headers, body }: CallOptions = {}): Promise<CallResult> {
    const request = new Request(server.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(key !== undefined && { "x-api-key": key }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          body instanceof Uint8Array ? new Uint8Array(body) : typeof body === "string" ? body : JSON.stringify(body),
      }),
    });
    const response = await fetchDescribed(request);
    const text = await response.text();
    const isJson = text !== "" && (response.headers.get("content-type") ?? "").startsWith("application/json");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  function client(caller?: { key: string }): Client<paths> {
    return createClient<paths>({
      baseUrl: server.url,
      fetch: fetchDescribed,
      ...(caller !== undefined && { headers: { "x-api-key": caller.key } }),
    });
  }

  let accounts = 0;
  async function newKey({
    tier = "enterprise",
    rows,
    onDemand,
    spendCapCents,
    ...key
  }: Parameters<Edge["newKey"]>[0] = {}): Promise<NewKey> {
    accounts += 1;
    const account = await createAccount(context, {
      email: `edge${accounts}@example.com`,
      tier,
      monthlyRows: rows,
      onDemand,
      spendCapCents,
    });
    const created = await createKey(context, { accountId: account.accountId, ...key });
    return { ...created, accountId: account.accountId };
  }

  return {
    url: server.url,
    context,
    keyUses,
    internalKey,
    log,
    call,
    client,
    newKey,
    async close() {
      await server.stop(5);
      await keyUses.stop();
      await context.close();
    },
  };
}

/** What a call of the typed client answered with; throws for a failure, with its body. */
export function answered<T>(result: { data?: T; error?: unknown; response: Response }): {
  status: number;
  headers: Headers;
  data: T;
} {
  const { data, error, response } = result;
  if (data === undefined) throw new Error(`${response.url} → ${response.status} ${JSON.stringify(error)}`);
  return { status: response.status, headers: response.headers, data };
}
