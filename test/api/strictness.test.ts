import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
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
    ["__proto__=1", "`__proto__`"],
    ["constructor=1", "`constructor`"],
  ];
  it.each(refused)("%s is refused with a message that names %s", async (query, named) => {
    const answer = await edge.call("GET", `/v1/transcriptions?${query}`, caller);
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    expect(answer.json.error.message).toContain(named);
  });

  it("is refused where none is taken", async () => {
    expect((await edge.call("GET", "/v1/me?verbose=true", caller)).json.error.code).toBe("invalid_query");
    expect((await edge.call("GET", "/v1/health?verbose=true")).status).toBe(400);
  });
});

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
  it.each(["short", "https%3A%2F%2Fx.test", "dQw4w9WgXc%00", "dQw4w9WgXc%0a", "dQw4w9WgXcQQ", "dQw4w9WgXc!"])(
    "%s is refused",
    async (id) => {
      for (const path of [`/v1/transcripts/${id}`, `/v1/transcriptions/${id}`]) {
        const answer = await edge.call("GET", path, caller);
        expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_video_id"]);
      }
    },
  );

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
