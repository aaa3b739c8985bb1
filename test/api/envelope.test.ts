import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { publicAccess } from "../../api/http/access.ts";
import { none, operation } from "../../api/http/operation.ts";
import { v1Operations } from "../../api/v1/operations.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const failing = operation({
  id: "testFailing",
  method: "get",
  path: "/v1/test-failing",
  tag: "Meta",
  summary: "For this test",
  access: publicAccess,
  params: none,
  query: none,
  responses: { 200: { description: "Never.", json: z.object({}) } },
  handle() {
    throw new Error("select secret from api_key");
  },
});

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ operations: [...v1Operations, failing] });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

describe("every failure", () => {
  const failures: [string, number, string, string, () => ReturnType<Edge["call"]>][] = [
    ["unknown path", 404, "not_found", "not_found", () => edge.call("GET", "/v1/nowhere")],
    ["unknown path outside v1", 404, "not_found", "not_found", () => edge.call("GET", "/favicon.ico")],
    ["wrong method", 405, "invalid_request_error", "method_not_allowed", () => edge.call("PUT", "/v1/me")],
    ["OPTIONS", 405, "invalid_request_error", "method_not_allowed", () => edge.call("OPTIONS", "/v1/me")],
    ["no key", 401, "authentication_error", "invalid_api_key", () => edge.call("GET", "/v1/me")],
    [
      "malformed JSON",
      400,
      "invalid_request_error",
      "invalid_body",
      () => edge.call("POST", "/v1/transcriptions", { ...caller, body: "{" }),
    ],
    [
      "body too large",
      413,
      "invalid_request_error",
      "body_too_large",
      () => edge.call("POST", "/v1/transcriptions", { ...caller, body: `"${"x".repeat(1_048_576)}"` }),
    ],
    [
      "wrong content type",
      415,
      "invalid_request_error",
      "unsupported_media_type",
      () =>
        edge.call("POST", "/v1/transcriptions", { ...caller, body: "a=b", headers: { "content-type": "text/plain" } }),
    ],
    [
      "unknown video",
      404,
      "not_found",
      "transcript_not_found",
      () => edge.call("GET", "/v1/transcriptions/AAAAAAAAAAA", caller),
    ],
    ["fault of ours", 500, "server_error", "internal_error", () => edge.call("GET", "/v1/test-failing")],
  ];

  it.each(failures)(
    "%s answers %i with the envelope, its ids and a link that works",
    async (_name, status, type, code, act) => {
      const answer = await act();
      expect(answer.status).toBe(status);
      const requestId = answer.headers.get("x-request-id");
      expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
      expect(answer.headers.get("x-service-version")).toBe("1.2.0");
      expect(answer.headers.has("x-powered-by")).toBe(false);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.json).toEqual({
        error: {
          type,
          code,
          message: expect.any(String),
          doc_url: `${edge.url}/docs/errors#${code}`,
          request_id: requestId,
        },
      });
      const page = await edge.call("GET", "/docs/errors");
      expect(page.text).toContain(`id="${code}"`);
    },
  );
});

it("names the allowed methods", async () => {
  const answer = await edge.call("PUT", "/v1/transcriptions");
  expect(answer.headers.get("allow")).toBe("POST, GET, HEAD");
});

it("answers HEAD like GET, without the body", async () => {
  const head = await edge.call("HEAD", "/v1/me", caller);
  expect([head.status, head.text]).toEqual([200, ""]);
});

it("gives nothing away of a fault, and logs it under the request's id", async () => {
  const answer = await edge.call("GET", "/v1/test-failing");
  expect(answer.text).not.toMatch(/select|secret|stack|at /i);
  const line = edge.log.find((entry) => entry["requestId"] === answer.headers.get("x-request-id"));
  expect(JSON.stringify(line)).toContain("select secret from api_key");
});

it("logs a caller's own request id and does not echo it", async () => {
  const answer = await edge.call("GET", "/v1/me", { ...caller, headers: { "x-request-id": "trace-42" } });
  expect(answer.headers.get("x-request-id")).not.toBe("trace-42");
  await edge.call("GET", "/v1/me", { ...caller, headers: { "x-request-id": "not well formed" } });
  expect(edge.log.filter((line) => "callerRequestId" in line).map((line) => line["callerRequestId"])).toEqual([
    "trace-42",
  ]);
});

it("logs who called what, how it ended, and no secret", async () => {
  const answer = await edge.call("GET", "/v1/me", caller);
  await new Promise((resolve) => setImmediate(resolve));
  const line = edge.log.find((entry) => entry["requestId"] === answer.headers.get("x-request-id"));
  expect(line).toMatchObject({
    accountId: caller.accountId,
    keyId: caller.keyId,
    route: "getMe",
    method: "GET",
    status: 200,
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify(edge.log)).not.toContain(caller.key);
});

it.each([
  ["at once", ""],
  ["after a request on the same connection", "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n"],
])("answers bytes that are no HTTP with the envelope too, %s", async (_name, before) => {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
    let received = "";
    socket.write(before === "" ? "GARBAGE\r\n\r\n" : before);
    socket.on("data", (part) => {
      const isFirst = received === "";
      received += part.toString();
      if (isFirst && before !== "") setImmediate(() => socket.write("GARBAGE\r\n\r\n"));
    });
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
  const answer = text.slice(text.lastIndexOf("HTTP/1.1"));
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toMatch(/X-Request-Id: req_/);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error.type).toBe("invalid_request_error");
});
