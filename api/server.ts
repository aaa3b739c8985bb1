import { createServer, type RequestListener, STATUS_CODES } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { once } from "node:events";
import { ApiError, errorCatalog } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { commonHeaders } from "./http/exchange.ts";
import { errorEnvelope } from "./http/failures.ts";

export interface RunningServer {
  url: string;
  /** Stops accepting, lets requests in flight end for at most `graceSeconds`, then cuts what is left. */
  stop(graceSeconds: number): Promise<void>;
}

/** How long an idle keep-alive connection may still send a request that crossed with our stop. */
const lingerMilliseconds = 500;

/** URL and headers together. Every documented parameter fits, however it is percent-encoded. */
const maxHeaderSize = 65_536;

/** Listens on the address; the handler is made once the URL is known, so that port 0 works. */
export async function startServer(
  address: { host: string; port: number; publicUrl?: string | undefined },
  createHandler: (url: string) => RequestListener,
): Promise<RunningServer> {
  const server = createServer({
    requireHostHeader: false,
    keepAliveTimeout: 65_000,
    headersTimeout: 20_000,
    maxHeaderSize,
  });
  server.listen(address.port, address.host);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the server listens on no TCP port");
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  const url = `http://${host}:${bound.port}`;
  const publicUrl = address.publicUrl ?? url;
  const handler = createHandler(publicUrl);

  let stopping = false;
  const open = new Set<Parameters<RequestListener>[1]>();
  const serve: RequestListener = (request, response) => {
    if (stopping) response.setHeader("Connection", "close");
    open.add(response);
    response.once("close", () => open.delete(response));
    handler(request, response);
  };
  server.on("request", serve);
  server.on("checkContinue", serve);
  server.on("checkExpectation", serve);
  server.on("clientError", (error, socket) => {
    const isAnswering = [...open].some((response) => response.socket === socket);
    if (isAnswering || !socket.writable) socket.destroy();
    else refuseUnreadable(socket, unreadable(error), publicUrl);
  });

  async function stop(graceSeconds: number): Promise<void> {
    stopping = true;
    for (const response of open) if (!response.headersSent) response.setHeader("Connection", "close");
    const closed = once(server, "close");
    // Not `server.close()`: that would cut idle connections at once, and with them a request already on its way.
    NetServer.prototype.close.call(server);
    const cutIdle = setInterval(() => server.closeIdleConnections(), lingerMilliseconds);
    const cutAll = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
    await closed;
    clearInterval(cutIdle);
    clearTimeout(cutAll);
  }

  return { url, stop };
}

function unreadable(error: Error): ApiError {
  switch ("code" in error ? error.code : undefined) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("request_timeout");
    case "HPE_HEADER_OVERFLOW":
      return new ApiError("invalid_query", `The URL and the headers together are larger than ${maxHeaderSize} bytes.`);
    default:
      return new ApiError("invalid_query", "The request is not well-formed HTTP.");
  }
}

/** Bytes that are no HTTP request never reach the app; they get the same envelope and headers. */
function refuseUnreadable(socket: Duplex, refusal: ApiError, publicUrl: string): void {
  const requestId = newId("request");
  const { status } = errorCatalog[refusal.code];
  const body = JSON.stringify(errorEnvelope(refusal.code, refusal.message, requestId, publicUrl));
  const headers = {
    ...commonHeaders(requestId),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
