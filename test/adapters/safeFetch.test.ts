import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createSafeFetch, type ResolveName } from "../../adapters/http/safeFetch.ts";
import { type OutboundHttp, type OutboundRequest, RefusedTarget } from "../../domain/outbound.ts";
import { parseAddressRanges } from "../../domain/outboundAddresses.ts";

const notPublic = "must not lead to a private or reserved address";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server on loopback that counts its connections. */
async function serve(
  listener: RequestListener,
): Promise<{ port: number; url: string; server: Server; connections: () => number }> {
  let connections = 0;
  const server = createServer(listener).on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, server, connections: () => connections };
}

function safeFetch(options: { opened?: string; resolveName?: ResolveName } = {}): OutboundHttp {
  return createSafeFetch({
    policy: { allowedRanges: parseAddressRanges(options.opened ?? "127.0.0.0/8") ?? [], requireHttps: false },
    ...(options.resolveName !== undefined && { resolveName: options.resolveName }),
  });
}

/** Answers look-ups with the addresses of each in turn. */
function resolver(...answers: string[][]): ResolveName & { names: string[] } {
  const names: string[] = [];
  const resolve: ResolveName = (name, _options, done) => {
    const addresses = answers[Math.min(names.length, answers.length - 1)] ?? [];
    names.push(name);
    setImmediate(() =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    );
  };
  return Object.assign(resolve, { names });
}

const asked = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: "GET",
  timeoutSeconds: 5,
  maxBodyBytes: 1000,
  ...more,
});

async function failureOf(request: Promise<unknown>): Promise<unknown> {
  try {
    await request;
    return null;
  } catch (error) {
    if (typeof error !== "object" || error === null) return error;
    if (error instanceof RefusedTarget) return error.message;
    return "reason" in error ? error.reason : error;
  }
}

describe("safeFetch", () => {
  it("sends what it is given and answers with status, headers and body", async () => {
    const seen: { request?: IncomingMessage; body: string } = { body: "" };
    const { url } = await serve((request, response) => {
      seen.request = request;
      request
        .on("data", (chunk: Buffer) => (seen.body += chunk.toString()))
        .on("end", () => {
          response.setHeader("X-Twice", ["a", "b"]);
          response.statusCode = 201;
          response.end("made");
        });
    });
    const answer = await safeFetch().request(
      asked(`${url}hook?x=1#part`, { method: "POST", headers: { "x-signature": "s" }, body: "é" }),
    );
    expect([answer.status, answer.headers["x-twice"], Buffer.from(answer.body).toString(), answer.isCut]).toEqual([
      201,
      "a, b",
      "made",
      false,
    ]);
    const { method, url: path, headers } = seen.request ?? {};
    expect([
      method,
      path,
      headers?.["x-signature"],
      headers?.["content-length"],
      headers?.connection,
      seen.body,
    ]).toEqual(["POST", "/hook?x=1", "s", "2", "close", "é"]);
  });

  it("does not connect to a literal address that is not public", async () => {
    const { port, connections } = await serve((_request, response) => response.end());
    const http = safeFetch({ opened: "10.99.0.0/16" });
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]"])
      expect(await failureOf(http.request(asked(`http://${host}:${port}/`)))).toBe(notPublic);
    expect(connections()).toBe(0);
  });

  it("does not connect to a name when any of its addresses is not public", async () => {
    const { port, connections } = await serve((_request, response) => response.end());
    const answers = [
      ["127.0.0.1"],
      ["8.8.8.8", "127.0.0.1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      ["fe80::1%1"],
      ["nonsense"],
    ];
    for (const addresses of answers) {
      const http = safeFetch({ opened: "10.99.0.0/16", resolveName: resolver(addresses) });
      expect(await failureOf(http.request(asked(`http://hook.example:${port}/`)))).toBe(notPublic);
    }
    expect(await failureOf(safeFetch({ opened: "10.99.0.0/16" }).request(asked(`http://localhost:${port}/`)))).toBe(
      notPublic,
    );
    expect(connections()).toBe(0);
  });

  it("connects to the very address that was checked: a name that is rebound meanwhile leads nowhere else", async () => {
    const { port, connections } = await serve((_request, response) => response.end("reached"));
    // Opened at the first look, private at every later one.
    const resolveName = resolver(["127.0.0.1"], ["127.0.0.2"]);
    const http = safeFetch({ opened: "127.0.0.1/32", resolveName });
    const url = `http://rebound.example:${port}/`;
    expect((await http.request(asked(url))).status).toBe(200);
    expect(resolveName.names).toEqual(["rebound.example"]);
    // The next request looks the name up anew, on a connection of its own.
    expect(await failureOf(http.request(asked(url)))).toBe(notPublic);
    expect(connections()).toBe(1);
  });

  it("answers with a redirect and does not follow it", async () => {
    const paths: string[] = [];
    const { url } = await serve((request, response) => {
      paths.push(request.url ?? "");
      response.writeHead(302, { location: "/private" }).end();
    });
    const answer = await safeFetch().request(asked(url));
    expect([answer.status, answer.headers["location"], paths]).toEqual([302, "/private", ["/"]]);
  });

  it("reads so much of a body and closes the connection", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const { url } = await serve((request, response) => {
      closed = once(request.socket, "close");
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(600, "x")), 5);
      response.on("close", () => clearInterval(timer));
    });
    const answer = await safeFetch().request(asked(url));
    expect([answer.body.byteLength, answer.isCut]).toEqual([1000, true]);
    await closed;
  });

  it("takes a body of exactly the limit as whole", async () => {
    const { url } = await serve((_request, response) => response.end("x".repeat(1000)));
    const answer = await safeFetch().request(asked(url));
    expect([answer.body.byteLength, answer.isCut]).toEqual([1000, false]);
  });

  it.each<[string, RequestListener]>([
    ["never answers", () => undefined],
    [
      "drips its headers",
      (request) => {
        request.socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => request.socket.write("X: y\r\n"), 20);
        request.socket.on("close", () => clearInterval(timer));
      },
    ],
    [
      "drips its body",
      (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("gives up in time on a server that %s", async (_what, listener) => {
    const { url } = await serve(listener);
    expect(await failureOf(safeFetch().request(asked(url, { timeoutSeconds: 0.3 })))).toBe("timeout");
  });

  it("gives up in time on a name that is never looked up, and on a peer that never speaks TLS", async () => {
    const http = safeFetch({ resolveName: () => undefined });
    expect(await failureOf(http.request(asked("http://slow.example/", { timeoutSeconds: 0.2 })))).toBe("timeout");
    const silent = createTcpServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const sockets = new Set<{ destroy: () => unknown }>();
    silent.on("connection", (socket) => sockets.add(socket));
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
    const { port } = silent.address() as AddressInfo;
    expect(await failureOf(safeFetch().request(asked(`https://127.0.0.1:${port}/`, { timeoutSeconds: 0.2 })))).toBe(
      "timeout",
    );
  });

  it("stops when it is told to, with the reason given", async () => {
    const { url } = await serve(() => undefined);
    const stop = new AbortController();
    const request = safeFetch().request(asked(url, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error("told to")), 50);
    await expect(request).rejects.toThrow("told to");
    await expect(safeFetch().request(asked(url, { signal: stop.signal }))).rejects.toThrow("told to");
  });

  it("names what went wrong, without the URL", async () => {
    const { port, server } = await serve((request) => request.socket.destroy());
    const url = `http://127.0.0.1:${port}/secret-path`;
    const http = safeFetch();
    const broken = await http.request(asked(url)).catch((error: unknown) => error);
    expect([await failureOf(Promise.reject(broken)), String(broken)]).toEqual([
      "broken",
      expect.not.stringContaining("secret-path"),
    ]);
    expect(await failureOf(http.request(asked(`https://127.0.0.1:${port}/`)))).toBe("tls");
    await new Promise((done) => server.close(done));
    expect(await failureOf(http.request(asked(url)))).toBe("unreachable");
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const nowhere = safeFetch({ resolveName: (_name, _options, done) => done(unknown, []) });
    expect(await failureOf(nowhere.request(asked("http://nowhere.example/")))).toBe("unknown_host");
    const empty = safeFetch({ resolveName: resolver([]) });
    expect(await failureOf(empty.request(asked("http://empty.example/")))).toBe("unknown_host");
  });
});
