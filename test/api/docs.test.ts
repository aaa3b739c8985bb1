import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { errorCatalog } from "../../domain/errors.ts";
import { type Edge, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

describe("the API reference", () => {
  it("is where the root leads", async () => {
    const root = await edge.call("GET", "/");
    expect([root.status, root.headers.get("location")]).toEqual([302, "/docs"]);
  });

  it("loads nothing remote and runs nothing inline, and all it loads is served", async () => {
    const page = await edge.call("GET", "/docs");
    expect(page.headers.get("content-type")).toContain("text/html");
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(sources.length).toBeGreaterThan(4);
    for (const source of sources) {
      expect(source).toMatch(/^\//);
      expect((await edge.call("GET", source)).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>|<style|style=|onload=/);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });

  it("serves no file beside its own", async () => {
    for (const path of ["/docs/assets/package.json", "/docs/assets/..%2f..%2fpackage.json", "/docs/assets/"]) {
      expect((await edge.call("GET", path)).status).toBe(404);
    }
    expect((await edge.call("POST", "/docs")).status).toBe(405);
  });
});

it("the error reference has every code with its status, type, cause and fix", async () => {
  const { text } = await edge.call("GET", "/docs/errors");
  const sections = new Map(
    [...text.matchAll(/<section id="(\w+)">([\s\S]*?)<\/section>/g)].map((match) => [match[1], match[2] ?? ""]),
  );
  expect(new Set(sections.keys())).toEqual(new Set(Object.keys(errorCatalog)));
  for (const [code, { status, type }] of Object.entries(errorCatalog)) {
    expect(sections.get(code)).toContain(`<dd>${status}</dd>`);
    expect(sections.get(code)).toContain(type);
  }
  expect(text).not.toContain("`");
});
