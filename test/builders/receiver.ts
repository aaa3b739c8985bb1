import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { OutboundPolicy } from "../../domain/outboundAddresses.ts";
import { parseAddressRanges } from "../../domain/outboundAddresses.ts";

/** A request as it arrived. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ReceiverAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Default: `ok`. */
  body?: string;
}

/** Somebody's server on loopback. */
export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a server that keeps what it is sent and answers as told; null never answers. */
export async function startReceiver(
  answer: (request: ReceivedRequest) => ReceiverAnswer | null = () => ({}),
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const seen = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() };
      received.push(seen);
      const told = answer(seen);
      if (told !== null) response.writeHead(told.status ?? 200, told.headers).end(told.body ?? "ok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver listens on no TCP port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** For contexts whose users' addresses are receivers of the tests. */
export const loopbackToo: OutboundPolicy = {
  allowedRanges: parseAddressRanges("127.0.0.0/8") ?? [],
  requireHttps: false,
};
