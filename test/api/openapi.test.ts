import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { v1Operations } from "../../api/v1/operations.ts";
import { type Edge, startEdge } from "./edge.ts";

interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  security: unknown[];
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
  paths: Record<string, Record<string, DocumentedOperation>>;
}
interface DocumentedOperation {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  requestBody?: { required: boolean };
  responses: Record<
    string,
    { description: string; headers: Record<string, unknown>; content?: Record<string, unknown> }
  >;
}

let edge: Edge;
let document: Document;
beforeAll(async () => {
  edge = await startEdge();
  document = (await edge.call("GET", "/v1/openapi.json")).json;
});
afterAll(() => edge.close());

function documented(method: string, path: string): DocumentedOperation {
  const operation = document.paths[path]?.[method];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

describe("GET /v1/openapi.json", () => {
  it("describes every operation under its id, with both ways to send a key", () => {
    expect([document.openapi, document.info.version, document.servers[0]?.url]).toEqual(["3.1.0", "1.0.0", edge.url]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["bearer", "apiKey"]);
    for (const { method, path, id } of v1Operations) expect(documented(method, path).operationId).toBe(id);
    expect(documented("get", "/v1/health").security).toEqual([]);
  });

  it("lists every status that access, method and the operation itself can lead to", () => {
    expect(Object.keys(documented("post", "/v1/transcriptions").responses)).toEqual([
      "202",
      "400",
      "401",
      "402",
      "403",
      "408",
      "409",
      "413",
      "415",
      "429",
      "500",
    ]);
    expect(Object.keys(documented("get", "/v1/transcripts/{video_id}").responses)).toEqual([
      "200",
      "304",
      "400",
      "401",
      "402",
      "403",
      "404",
      "429",
      "500",
    ]);
    expect(Object.keys(documented("get", "/v1/health").responses)).toEqual(["200", "400", "500", "503"]);
  });

  it("describes bare bodies beside the envelope, and the headers of limits, waits and replays", () => {
    const { responses } = documented("post", "/v1/transcriptions");
    expect(JSON.stringify(responses["402"]?.content)).toContain("#/components/schemas/InsufficientRows");
    expect(Object.keys(responses["429"]?.headers ?? {})).toEqual(
      expect.arrayContaining(["X-Request-Id", "RateLimit-Limit", "Retry-After"]),
    );
    expect(Object.keys(responses["202"]?.headers ?? {})).toEqual(
      expect.arrayContaining(["Location", "Retry-After", "Idempotency-Replayed"]),
    );
  });

  it("describes parameters as what they mean, not as the text they travel in", () => {
    const parameters = documented("get", "/v1/transcriptions").parameters ?? [];
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      in: "query",
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    });
    const unlock = documented("get", "/v1/transcripts/{video_id}").parameters?.find(({ name }) => name === "unlock");
    expect(unlock).toMatchObject({ schema: { type: "boolean", default: false } });
    expect(documented("post", "/v1/transcriptions").parameters?.map(({ name }) => name)).toEqual(["Idempotency-Key"]);
  });

  it("has a word on every parameter, header and field", () => {
    expect(undescribed(document, "")).toEqual([]);
  });

  it("is cached by its ETag", async () => {
    const { headers } = await edge.call("GET", "/v1/openapi.json");
    const again = await edge.call("GET", "/v1/openapi.json", {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });
});

const schemaNode = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  parameters: z.array(z.looseObject({ name: z.string().optional(), description: z.string().optional() })).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
});

/** Where the document lacks a description; a reference, alone or among alternatives, has one where it leads. */
function undescribed(node: unknown, at: string): string[] {
  if (typeof node !== "object" || node === null || /\/examples?$/.test(at)) return [];
  const { properties, parameters, headers } = schemaNode.safeParse(node).data ?? {};
  const named = [
    ...Object.entries({ ...properties, ...headers }),
    ...(parameters ?? []).map((parameter) => [parameter.name ?? "", parameter] as const),
  ];
  const here = named
    .filter(([, one]) => !/"(description|\$ref)":/.test(JSON.stringify(one)))
    .map(([name]) => `${at}/${name}`);
  return [...here, ...Object.entries(node).flatMap(([name, child]) => undescribed(child, `${at}/${name}`))];
}
