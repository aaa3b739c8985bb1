import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({
    settings: { rateLimitPerMinute: { enterprise: 100_000 }, bodyTimeoutSeconds: 0.5 },
  });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

interface Answer {
  status: number;
  headers: string;
  body: string;
}

const crlf = (...lines: string[]) => lines.join("\r\n");

/** Sends bytes as they are and reads until the server closes; a hang would run into the test's time limit. */
async function exchange(write: string | ((socket: Socket) => void)): Promise<Answer[]> {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (part) => (received += part.toString()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (typeof write === "string") socket.write(write);
  else write(socket);
  if (!socket.closed) await once(socket, "close");
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== "")
    .map((part) => {
      const end = part.indexOf("\r\n\r\n");
      return { status: Number(part.slice(9, 12)), headers: part.slice(0, end), body: part.slice(end + 4) };
    });
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const codes = (answers: Answer[]) => answers.map(({ body }) => JSON.parse(body).error?.code ?? "none");

function post(...headers: string[]): string {
  return crlf(
    "POST /v1/transcriptions HTTP/1.1",
    "Host: x",
    `x-api-key: ${caller.key}`,
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  );
}
const body = JSON.stringify({ videoId: "dQw4w9WgXcQ" });

describe("a request line or header that is odd", () => {
  const close = ["Connection: close", "", ""];
  const get = (target: string) => crlf(`GET ${target} HTTP/1.1`, "Host: x", ...close);
  const cases: [string, () => string, number][] = [
    ["HTTP/1.0", () => crlf("GET /v1/health HTTP/1.0", "", ""), 200],
    ["HTTP/1.1 without Host", () => crlf("GET /v1/health HTTP/1.1", ...close), 200],
    ["absolute form", () => get("http://elsewhere.test/v1/health"), 200],
    ["absolute form of a path that does not exist", () => get("http://elsewhere.test/v2"), 404],
    ["asterisk form", () => crlf("OPTIONS * HTTP/1.1", "Host: x", ...close), 404],
    ["TRACE", () => crlf("TRACE /v1/me HTTP/1.1", "Host: x", ...close), 405],
    [
      "an upgrade",
      () => crlf("GET /v1/health HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade, close", "", ""),
      200,
    ],
    ["two slashes", () => get("//v1/health"), 404],
    ["a percent-encoded slash", () => get("/v1%2fhealth"), 404],
    ["dot segments", () => get("/v1/x/../health"), 404],
    ["a fragment", () => get("/v1/health#x"), 200],
    ["a NUL in the path", () => get("/v1/health%00"), 404],
    ["a raw control character in the path", () => get("/v1/\u0001"), 400],
    ["a control character in a header", () => crlf("GET /v1/health HTTP/1.1", "Host: x", "X: a\u0001b", ...close), 400],
    ["a folded header", () => crlf("GET /v1/health HTTP/1.1", "Host: x", "X: a", " b", ...close), 400],
    ["10,000 parameters", () => get(`/v1/health?${Array.from({ length: 10_000 }, (_, n) => `p${n}`).join("&")}`), 400],
    [
      "10,000 headers",
      () => crlf("GET /v1/health HTTP/1.1", ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`), ...close),
      400,
    ],
    ["an unknown method", () => crlf("BREW /v1/me HTTP/1.1", "Host: x", ...close), 400],
    ["HTTP/2's preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["two lengths", () => post("Content-Length: 2", "Content-Length: 3") + "{}", 400],
    ["a length and chunks", () => post("Content-Length: 2", "Transfer-Encoding: chunked") + "0\r\n\r\n", 400],
    ["a negative length", () => post("Content-Length: -1"), 400],
    ["an unknown expectation", () => post("Expect: miracles", "Content-Length: 2", "Connection: close") + "{}", 400],
  ];
  it.each(cases)("%s gets one answer, in the envelope where it is a refusal", async (_name, text, status) => {
    const answers = await exchange(text());
    expect(statuses(answers)).toEqual([status]);
    expect(answers[0]?.headers).toMatch(/\r\nX-Request-Id: req_/i);
    const docUrl = JSON.parse(answers[0]?.body ?? "").error?.doc_url ?? "none";
    expect(docUrl).toMatch(status === 200 ? /^none$/ : /\/docs\/errors#/);
  });

  it("that stops being HTTP after its head was read is closed without an answer", async () => {
    expect(await exchange(`${post("Transfer-Encoding: chunked")}zz\r\n`)).toEqual([]);
    expect(await exchange(`${post("Transfer-Encoding: rot13")}{}`)).toEqual([]);
  });

  it("CONNECT is closed without an answer", async () => {
    expect(await exchange(crlf("CONNECT x:1 HTTP/1.1", "Host: x", "", ""))).toEqual([]);
  });
});

const expecting = (key: string) =>
  post(`Content-Length: ${body.length}`, "Expect: 100-continue", "Connection: close").replace(caller.key, key);
const getWith = (path: string, ...headers: string[]) => crlf(`GET ${path} HTTP/1.1`, "Host: x", ...headers, "", "");

describe("a body", () => {
  it("in chunks that pass the limit is refused without waiting for its end", async () => {
    const answers = await exchange((socket) => {
      socket.write(post("Transfer-Encoding: chunked", "Connection: close"));
      const chunk = "x".repeat(65_536);
      for (let sent = 0; sent < 20; sent += 1) socket.write(`10000\r\n${chunk}\r\n`);
    });
    expect([statuses(answers), codes(answers)]).toEqual([[413], ["body_too_large"]]);
  });

  it("that is announced too large is refused before it is sent", async () => {
    const answers = await exchange(post("Content-Length: 99999999", "Connection: close"));
    expect([statuses(answers), codes(answers)]).toEqual([[413], ["body_too_large"]]);
  });

  it("that does not arrive in time is refused, and the connection closed", async () => {
    const answers = await exchange(post("Content-Length: 1000") + "{");
    expect([statuses(answers), codes(answers)]).toEqual([[408], ["request_timeout"]]);
    expect(answers[0]?.headers).toMatch(/\r\nConnection: close/i);
  });

  it("that breaks off is no fault of ours", async () => {
    await exchange((socket) => socket.end(post("Content-Length: 1000") + "{"));
    const line = await eventually(() => edge.log.findLast(({ route }) => route === "submitTranscription"));
    expect(line?.["msg"]).toBe("request");
  });

  it("that waits to be asked for is asked for only when it is wanted", async () => {
    const wanted = await exchange((socket) => {
      socket.write(expecting(caller.key));
      socket.once("data", () => socket.write(body));
    });
    expect(statuses(wanted)).toEqual([100, 202]);
    expect(statuses(await exchange(expecting("nonsense")))).toEqual([401]);
  });

  it("with garbage behind it does its work, and the garbage is refused", async () => {
    const answers = await exchange(`${post(`Content-Length: ${body.length}`)}${body}GARBAGE\r\n\r\n`);
    expect(answers.at(0)?.status ?? 202).toBe(202);
    expect(statuses(answers).every((status) => status < 500)).toBe(true);
  });
});

it("answers pipelined requests in their order", async () => {
  const key = `x-api-key: ${caller.key}`;
  const answers = await exchange(
    getWith("/v1/me", key) + getWith("/v1/nowhere") + getWith("/v1/me", key, "Connection: close"),
  );
  expect(statuses(answers)).toEqual([200, 404, 200]);
});

async function eventually<T>(look: () => T | undefined): Promise<T | undefined> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}
