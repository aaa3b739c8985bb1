import { afterEach, describe, expect, it } from "@jest/globals";
import { answered, type Edge, startEdge } from "./edge.ts";

let edge: Edge;
afterEach(() => edge.close());

const down = async () => {
  throw new Error("down");
};
const hanging = () => new Promise<never>(() => undefined);

describe("GET /v1/health, without a key", () => {
  it("is ok when every part is", async () => {
    edge = await startEdge();
    const { status, data } = answered(await edge.client().GET("/v1/health"));
    expect(status).toBe(200);
    expect(data).toEqual({
      status: "ok",
      version: "1.2.0",
      time: expect.any(String),
      checks: { database: "ok", temporal: "ok", transcriber: "ok" },
    });
  });

  it("is degraded, with 200, when jobs must wait", async () => {
    edge = await startEdge({ health: { temporal: down, transcriber: hanging } });
    const answer = await edge.call("GET", "/v1/health");
    expect([answer.status, answer.json.status, answer.json.checks]).toEqual([
      200,
      "degraded",
      { database: "ok", temporal: "down", transcriber: "down" },
    ]);
  });

  it("is 503 when the database is down", async () => {
    edge = await startEdge({ health: { database: down } });
    const answer = await edge.call("GET", "/v1/health");
    expect([answer.status, answer.json.status, answer.json.checks.database]).toEqual([503, "degraded", "down"]);
  });

  it("is cheap to poll: one check serves all who ask within its second", async () => {
    let checks = 0;
    edge = await startEdge({
      health: {
        database: async () => {
          checks += 1;
        },
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => edge.call("GET", "/v1/health")));
    expect(checks).toBeLessThanOrEqual(2);
  });
});
