import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Inbox } from "../domain/delivery/inbox.ts";
import type { ReviewCarrier } from "../domain/review/carrying.ts";
import type { TrustedProxies } from "../domain/trustedProxies.ts";
import { createAdmission } from "../services/admission/admit.ts";
import type { KeyUses } from "../services/admission/keyUses.ts";
import type { ServiceContext } from "../services/context.ts";
import { consolePages } from "./console/router.ts";
import { documentationPages } from "./docs/pages.ts";
import { readAsked } from "./http/asked.ts";
import { beginExchange, type EndedExchange, logExchange } from "./http/exchange.ts";
import { answerFailures } from "./http/failures.ts";
import { createGate } from "./http/gate.ts";
import type { Operation } from "./http/operation.ts";
import type { Cursors } from "./http/paging.ts";
import { createBodyReader } from "./http/requestBody.ts";
import { refuseMethod, refusePath, routesOf } from "./http/routing.ts";
import { send, sendRead } from "./http/send.ts";
import { serveWrite } from "./http/writes.ts";
import { describeInternalApi } from "./openapi/document.ts";
import { unsubscribePages } from "./unsubscribe/pages.ts";
import type { HealthChecks } from "./v1/meta/healthMonitor.ts";
import { internalOpenapiOperation } from "./v1/meta/openapi.ts";
import { withMeta } from "./v1/operations.ts";

export interface AppParts extends ServiceContext {
  /** Address that clients see, without a slash at its end. */
  publicUrl: string;
  logger: Logger;
  cursors: Cursors;
  keyUses: KeyUses;
  health: HealthChecks;
  operations: readonly Operation[];
  /** For operators; described in a document of their own. */
  internalOperations?: readonly Operation[];
  /** Has steps of reviews carried by their workflows. Default: they are taken here. */
  carrier?: ReviewCarrier;
  /** Where the installation mails to. Default: a mail server, whose mails are not ours to read. */
  inbox?: Inbox | null;
  /** Default: none. */
  trustedProxies?: TrustedProxies;
  /** Told of every exchange that is over. */
  observe?: (ended: EndedExchange) => void;
}

/** The HTTP edge. Read from top to bottom, it is the life of a request, in the check order of decisions.md. */
export function createApp(parts: AppParts): Express {
  const { logger, publicUrl, cursors, keyUses } = parts;
  const context: ServiceContext = {
    pool: parts.pool,
    settings: parts.settings,
    clock: parts.clock,
    vault: parts.vault,
    outbound: parts.outbound,
  };
  const admit = createAdmission(context);
  const carrier = parts.carrier ?? null;
  const pass = createGate(context, admit, keyUses);
  const readBody = createBodyReader(parts.settings, "json");
  const operations: Operation[] = [
    ...withMeta(parts.operations, parts.health, publicUrl),
    ...(parts.internalOperations ?? []),
    internalOpenapiOperation(() => ({ ...describeInternalApi(operations, publicUrl) })),
  ];

  const app = express();
  app
    .disable("x-powered-by")
    .disable("etag")
    .enable("strict routing")
    .enable("case sensitive routing")
    .set("query parser", false)
    .set("trust proxy", parts.trustedProxies ?? false);

  app.use(
    beginExchange((ended) => {
      logExchange(logger, ended);
      parts.observe?.(ended);
    }),
  );
  app.use(documentationPages());
  app.use(unsubscribePages(context));
  app.use(consolePages({ context, publicUrl, cursors, admit, keyUses, carrier, inbox: parts.inbox ?? null }));
  for (const { pattern, operations: sharing, allow } of routesOf(operations)) {
    const route = app.route(pattern);
    // Express answers HEAD with a GET's handler, which would charge for rows that nobody gets.
    if (sharing.some((operation) => operation.method === "get" && operation.charges)) route.head(refuseMethod(allow));
    for (const operation of sharing) route[operation.method](serve(operation));
    route.all(refuseMethod(allow));
  }
  app.use(refusePath);
  app.use(answerFailures(publicUrl));
  return app;

  /** Key, rate limit, permission and quota; then, for writes, the body and the Idempotency-Key; then validation and the handler. */
  function serve(operation: Operation): RequestHandler {
    return async (request, response) => {
      const { exchange } = request;
      exchange.operationId = operation.id;
      const queryString = queryStringOf(request.url);
      let reading: Promise<Buffer> | undefined;
      const bytes = () => (reading ??= readBody(request, response));
      const asked = () => readAsked(queryString, operation.method === "get" ? null : bytes);
      const principal = await pass(operation.access, request, response, asked);
      const raw = {
        context,
        carrier,
        cursors,
        requestId: exchange.requestId,
        principal,
        params: request.params,
        queryString,
        ifNoneMatch: request.headers["if-none-match"],
      };
      if (operation.method !== "get")
        return send(request, response, await serveWrite(operation, raw, bytes, request, response));
      const answer = await operation.prepare({ ...raw, body: noBytes })();
      exchange.rows = answer.rows ?? 0;
      await sendRead(request, response, answer);
    };
  }
}

const noBytes = Buffer.alloc(0);

function queryStringOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
