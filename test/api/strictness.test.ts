import { request } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { v1Operations } from "../../api/v1/operations.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const videoId = "dQw4w9WgXcQ";

describe("a query", () => {
  const refused: [string, string][] = [
    ["limits=5", "`limits`"],
    ["limit=0", "`limit`"],
    ["limit=101", "`limit`"],
    ["limit=5.5", "`limit`"],
    ["limit=", "`limit`"],
    ["limit=%205", "`limit`"],
    ["limit=0x10", "`limit`"],
    ["limit=5&limit=6", "more than once"],
    ["limit[]=5", "`limit[]`"],
    ["cursor=%00", "control character"],
    ["cursor=%ff", "percent-encoded"],
    ["cursor=abc", "`cursor`"],
    [Array.from({ length: 2500 }, (_, n) => `p${n}=1`).join("&"), "`p0`"],
    [`cursor=${"A".repeat(20_000)}`, "`cursor`"],
    ["limit=99999999999999999999", "`limit`"],
    ["limit=1e1", "`limit`"],
    ["cursor=a%7fb", "control character"],
    ["cursor=a%0d%0aX-Evil:1", "control character"],
    ["%6cimit=0", "`limit`"],
    ["__proto__=1", "`__proto__`"],
    ["constructor=1", "`constructor`"],
  ];
  it.each(refused)("%.40s is refused with a message that names %s", async (query, named) => {
    const answer = await edge.call("GET", `/v1/transcriptions?${query}`, caller);
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    expect(answer.json.error.message).toContain(named);
  });

  it("is refused where none is taken", async () => {
    expect((await edge.call("GET", "/v1/me?verbose=true", caller)).json.error.code).toBe("invalid_query");
    expect((await edge.call("GET", "/v1/health?verbose=true")).status).toBe(400);
  });
});

const sendPacked = (body: Uint8Array, encoding: string) =>
  edge.call("POST", "/v1/transcriptions", { ...caller, body, headers: { "content-encoding": encoding } });

it.each(v1Operations.filter(({ path }) => path.includes("{")).map(({ id, method, path }) => [id, method, path]))(
  "%s does not fail over a control character in its path",
  async (_id, method, path) => {
    for (const character of ["%00", "a%00b", "%0a"]) {
      const asked = path.replaceAll(/\{\w+\}/g, character);
      const answer = await edge.call(method.toUpperCase(), asked, { ...caller, ...(method !== "get" && { body: {} }) });
      expect([400, 404]).toContain(answer.status);
    }
  },
);

describe("a body", () => {
  const refused: [string, string, string][] = [
    ["unknown field", JSON.stringify({ videoId, prority: "high" }), "`prority`"],
    ["missing field", "{}", "`videoId` is required"],
    ["wrong type", JSON.stringify({ videoId, language: 5 }), "`language`"],
    ["unknown value", JSON.stringify({ videoId, priority: "urgent" }), "`priority`"],
    ["null for an option", JSON.stringify({ videoId, language: null }), "`language`"],
    ["array", "[]", "body"],
    ["number", "5", "body"],
    ["nothing", "", "no body"],
    ["blank", " ", "JSON"],
    ["NUL", '{"videoId":"a\\u0000"}', "NUL"],
    ["half a surrogate pair", '{"language":"\\ud83d"}', "surrogate"],
    ["own prototype", '{"__proto__":{"videoId":"dQw4w9WgXcQ"}}', "`videoId`"],
    ["deep nesting", "[".repeat(50_000), "nested"],
    ["deep objects", '{"a":'.repeat(65) + "1" + "}".repeat(65), "nested"],
    ["a field twice", `{"videoId":"${videoId}","videoId":"${videoId}"}`, "`videoId` more than once"],
    ["a field twice, once escaped", `{"videoId":"${videoId}","video\\u0049d":"${videoId}"}`, "more than once"],
    ["a repeated field deep inside", '{"a":[{"b":{"c":1,"d":"\\"c\\":","c":2}}]}', "`c` more than once"],
    ["a control character in an id", JSON.stringify({ videoId, language: "e\u0007" }), "`language`"],
    ["a raw control character", `{"videoId":"${videoId}\u0001"}`, "JSON"],
    ["a huge value", JSON.stringify({ videoId, language: "x".repeat(500_000) }), "`language`"],
    ["a huge name", JSON.stringify({ videoId, ["x".repeat(500_000)]: 1 }), `\`${"x".repeat(64)}…\``],
    [
      "10,000 fields",
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n]))),
      "`f0`",
    ],
    ["trailing garbage", `{"videoId":"${videoId}"}}`, "JSON"],
    ["NaN", '{"videoId":NaN}', "JSON"],
    ["a comment", `{"videoId":"${videoId}"/**/}`, "JSON"],
  ];
  it.each(refused)("with %s is refused and the fault named", async (_name, body, named) => {
    const answer = await edge.call("POST", "/v1/transcriptions", { ...caller, body });
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_body"]);
    expect(answer.json.error.message).toContain(named);
  });

  it("that is not UTF-8 is refused", async () => {
    const answer = await edge.call("POST", "/v1/transcriptions", {
      ...caller,
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });
    expect(answer.json.error.code).toBe("invalid_body");
  });

  it("with a wrong content type or encoding is refused", async () => {
    for (const headers of [
      { "content-type": "application/xml" },
      { "content-type": "application/json; charset=latin1" },
      { "content-encoding": "rot13" },
    ]) {
      const answer = await edge.call("POST", "/v1/transcriptions", { ...caller, body: { videoId }, headers });
      expect([answer.status, answer.json.error.code]).toEqual([415, "unsupported_media_type"]);
    }
  });

  it("may be compressed, but is bounded by what it unpacks to", async () => {
    const small = JSON.stringify({ videoId });
    expect((await sendPacked(gzipSync(small), "gzip")).status).toBe(202);
    expect((await sendPacked(brotliCompressSync(small), "br")).status).toBe(202);
    const bomb = gzipSync(Buffer.alloc(200_000_000, " "));
    expect(bomb.length).toBeLessThan(1_000_000);
    const refused = await sendPacked(bomb, "gzip");
    expect([refused.status, refused.json.error.code]).toEqual([413, "body_too_large"]);
    const broken = await sendPacked(gzipSync(small).subarray(0, 20), "gzip");
    expect([broken.status, broken.json.error.code]).toEqual([400, "invalid_body"]);
    expect((await sendPacked(Buffer.from(small), "gzip")).json.error.code).toBe("invalid_body");
  });

  it("of a stranger is not read: the answer comes before it is sent", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const upload = request(`${edge.url}/v1/transcriptions`, {
        method: "POST",
        headers: { "content-length": "1000000", "content-type": "application/json" },
      });
      upload.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        upload.destroy();
      });
      upload.on("error", reject);
      upload.flushHeaders();
    });
    expect(status).toBe(401);
  });
});

describe("a video id", () => {
  it.each([
    "short",
    "a".repeat(15_000),
    "%F0%9F%98%80".repeat(11),
    "dQw4w9WgXc%7f",
    "https%3A%2F%2Fx.test",
    "dQw4w9WgXc%00",
    "dQw4w9WgXc%0a",
    "dQw4w9WgXcQQ",
    "dQw4w9WgXc!",
  ])("%.40s is refused", async (id) => {
    for (const path of [`/v1/transcripts/${id}`, `/v1/transcriptions/${id}`]) {
      const answer = await edge.call("GET", path, caller);
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_video_id"]);
    }
  });

  it("is checked in a body too", async () => {
    const answer = await edge.call("POST", "/v1/transcriptions", { ...caller, body: { videoId: "https://x.test" } });
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_video_id"]);
  });
});

it("never answers 5xx to a path that no client should send", async () => {
  for (const path of [
    "/%",
    "/v1/transcripts/%E0%A4%A",
    "/v1//me",
    "/v1/me/",
    "/V1/me",
    "/v1/transcripts/..%2f..%2fetc",
    `/v1/${"a".repeat(5000)}`,
  ]) {
    const answer = await edge.call("GET", path, caller);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.json.error.request_id).toBe(answer.headers.get("x-request-id"));
  }
});
