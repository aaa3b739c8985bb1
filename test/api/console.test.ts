import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createVisitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

describe("signing in", () => {
  it("takes a live internal key, and leads to the page that was asked for", async () => {
    const visitor = createVisitor(edge);
    const asked = await visitor.get("/console/reviews?status=any");
    expect([asked.status, asked.title]).toEqual([200, "Sign in"]);
    const page = await visitor.send(asked, "Sign in", { key: edge.internalKey });
    expect([page.status, page.title, page.path]).toEqual([200, "Reviews", "/console/reviews?status=any"]);
    expect((await visitor.get("/console")).title).toBe("Reviews");
    expect((await visitor.get("/console/sign-in")).title).toBe("Reviews");
    for (const section of ["jobs", "monitors", "accounts"])
      expect((await visitor.get(`/console/${section}`)).status).toBe(200);
  });
});
