import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { createImageActivities } from "../../activities/images.ts";
import { createSafeFetch } from "../../adapters/http/safeFetch.ts";
import { createPageImageFinder } from "../../adapters/images/pageImage.ts";
import { readEntity } from "../../database/entities.ts";
import { RefusedTarget } from "../../domain/outbound.ts";
import { parseAddressRanges } from "../../domain/outboundAddresses.ts";
import { resolveImages } from "../../services/images/resolve.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { ensureSchedules } from "../../workers/schedules.ts";
import type { imageResolution } from "../../workflows/imageResolution.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { merge } from "../builders/commerce.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { keepHistory } from "../builders/histories.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

/** Pages by path: HTML, or a place to redirect to. */
const pages = new Map<string, { html?: string; location?: string; type?: string; hangs?: boolean }>();
const asked: string[] = [];
let server: Server;
let site: string;
let environment: TestWorkflowEnvironment;
let context: TestContext;
let now = new Date("2026-06-01T00:00:00.000Z");
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const page = pages.get(request.url ?? "");
    if (page?.hangs === true) return;
    if (page === undefined) response.writeHead(404).end("<meta property=og:image content=/404.png>");
    else if (page.location !== undefined) response.writeHead(302, { location: page.location }).end();
    else response.setHeader("content-type", page.type ?? "text/html; charset=utf-8").end(page.html);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [environment, context] = await Promise.all([
    createNamespace(),
    createTestContext({
      clock: () => now,
      settings: { images: { timeoutSeconds: 1, maxPageBytes: 2000 }, channelUrl: `${site}/channel/{channel_id}` },
    }),
  ]);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await environment?.teardown();
  await context?.close();
});

function finder(allowedCidrs = "127.0.0.1/32") {
  const policy = { allowedRanges: parseAddressRanges(allowedCidrs) ?? [], requireHttps: false };
  return createPageImageFinder({ ...context.settings.images, http: createSafeFetch({ policy }), policy });
}
const image = (html: string) => `<!doctype html><html><head>${html}</head><body>x</body></html>`;
const og = (url: string) => image(`<meta property="og:image" content="${url}">`);
const at = (path: string, page: { html?: string; location?: string; type?: string; hangs?: boolean }) => {
  pages.set(path, page);
  return site + path;
};
const imageOf = async (id: number) => {
  const entity = await readEntity(context.pool, id);
  return [entity?.imageUrl, entity?.imageCheckedAt?.toISOString() ?? null];
};
const look = (cidrs?: string) => resolveImages(context, finder(cidrs), new AbortController().signal, 100);

describe("the image of a page", () => {
  const find = (path: string, page: Parameters<typeof at>[1]) =>
    finder().find(at(path, page), new AbortController().signal);

  it.each([
    ["Open Graph", '<meta property="og:image" content="https://i.example/a.png">', "https://i.example/a.png"],
    [
      "a secure form",
      '<meta property="og:image" content="http://i.example/a"><meta property="og:image:secure_url" content="https://i.example/b">',
      "https://i.example/b",
    ],
    ["Twitter's card", '<meta name="twitter:image" content="https://i.example/t.png">', "https://i.example/t.png"],
    [
      "the first of several",
      '<meta property="og:image" content="https://i.example/1"><meta property="og:image" content="https://i.example/2">',
      "https://i.example/1",
    ],
    [
      "Open Graph before Twitter",
      '<meta name="twitter:image" content="https://i.example/t"><meta property="OG:Image" content=" https://i.example/o ">',
      "https://i.example/o",
    ],
    [
      "entities in the address",
      '<meta property="og:image" content="https://i.example/a?x=1&amp;y=2">',
      "https://i.example/a?x=1&y=2",
    ],
    [
      "an empty one passed over",
      '<meta property="og:image" content=""><meta name="twitter:image" content="https://i.example/t">',
      "https://i.example/t",
    ],
    [
      "a place that is not public passed over",
      '<meta property="og:image" content="http://10.0.0.1/a"><meta name="twitter:image" content="https://i.example/t">',
      "https://i.example/t",
    ],
    ["a script passed over", '<meta property="og:image" content="javascript:alert(1)">', null],
    ["data passed over", '<meta property="og:image" content="data:image/png;base64,AAAA">', null],
    ["a comment passed over", '<!-- <meta property="og:image" content="https://i.example/a"> -->', null],
    ["none", "<title>x</title>", null],
  ])("%s", async (_what, html, expected) => expect(await find("/page", { html: image(html) })).toBe(expected));

  it("is read relative to the page, or to the base that it names", async () => {
    expect(await find("/deep/page", { html: og("../a.png") })).toBe(`${site}/a.png`);
    const based = image('<base href="https://cdn.example/x/"><meta property="og:image" content="a.png">');
    expect(await find("/based", { html: based })).toBe("https://cdn.example/x/a.png");
  });

  it("is looked for within the limit of bytes, and only in pages", async () => {
    expect(await find("/long", { html: `${" ".repeat(2500)}${og("https://i.example/a")}` })).toBeNull();
    expect(await find("/json", { html: og("https://i.example/a"), type: "application/json" })).toBeNull();
    expect(await finder().find(`${site}/missing`, new AbortController().signal)).toBeNull();
  });

  it("is found behind three redirects, not behind four, and never behind one to what is not public", async () => {
    at("/r0", { html: og("https://i.example/r") });
    for (const n of [1, 2, 3, 4]) at(`/r${n}`, { location: `/r${n - 1}` });
    const signal = new AbortController().signal;
    expect(await finder().find(`${site}/r3`, signal)).toBe("https://i.example/r");
    expect(await finder().find(`${site}/r4`, signal)).toBeNull();
    for (const location of ["http://[::1]:1/", "http://10.0.0.1/", "http://2130706434/"])
      await expect(find("/inward", { location })).rejects.toThrow(RefusedTarget);
    await expect(find("/file", { location: "file:///etc/passwd" })).rejects.toThrow(RefusedTarget);
  });
});

describe("resolveImages", () => {
  it("records every look, found or not, and looks again after the days that are set", async () => {
    const [found, none, gone, slow, refused] = [
      await createEntity(context, { url: at("/found", { html: og("https://i.example/1") }) }),
      await createEntity(context, { url: at("/none", { html: image("") }) }),
      await createEntity(context, { url: `${site}/gone` }),
      await createEntity(context, { url: at("/slow", { hangs: true }) }),
      await createEntity(context, { url: "http://10.0.0.1/" }),
    ];
    const channel = await createEntity(context, { type: "channel", platformId: "UC 1" });
    at("/channel/UC%201", { html: og("https://i.example/channel") });
    const [given, pageless, from, into] = [
      await createEntity(context, { url: `${site}/given`, imageUrl: "https://i.example/given" }),
      await createEntity(context),
      await createEntity(context, { url: `${site}/merged` }),
      await createEntity(context),
    ];
    await merge(context, from, into);
    asked.length = 0;
    expect(await look()).toEqual({ looked: 6, found: 2, more: false });
    const checked = now.toISOString();
    expect(await Promise.all([found, none, gone, slow, refused, channel].map(imageOf))).toEqual([
      ["https://i.example/1", checked],
      [null, checked],
      [null, checked],
      [null, checked],
      [null, checked],
      ["https://i.example/channel", checked],
    ]);
    expect(await imageOf(given)).toEqual(["https://i.example/given", null]);
    expect(await imageOf(pageless)).toEqual([null, null]);
    expect(asked.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      "/channel/UC%201",
      "/found",
      "/gone",
      "/none",
      "/slow",
    ]);

    expect(await look()).toEqual({ looked: 0, found: 0, more: false });
    now = new Date(now.getTime() + 30 * 86_400_000 + 1);
    pages.delete("/found");
    pages.delete("/slow");
    at("/none", { html: og("https://i.example/new") });
    expect(await look()).toEqual({ looked: 6, found: 2, more: false });
    expect(await imageOf(found)).toEqual(["https://i.example/1", now.toISOString()]);
    expect(await imageOf(none)).toEqual(["https://i.example/new", now.toISOString()]);
  });

  it("reaches nothing on this machine or its network unless the operator opened it", async () => {
    const id = await createEntity(context, { url: at("/inside", { html: og("https://i.example/x") }) });
    asked.length = 0;
    await look("");
    expect([asked, (await imageOf(id))[0]]).toEqual([[], null]);
  });
});

describe("the schedule", () => {
  it("looks at what is due, batch by batch, and says so", async () => {
    for (let n = 0; n < 5; n += 1)
      await createEntity(context, { url: at(`/w${n}`, { html: og(`https://i.example/w${n}`) }) });
    const worker = await Worker.create({
      connection: environment.nativeConnection,
      namespace: environment.namespace ?? "default",
      taskQueue: taskQueues.workflows,
      workflowBundle: await bundleWorkflows(),
      activities: {
        ...createImageActivities({ context, finder: finder() }),
        resolveImages: () => resolveImages(context, finder(), new AbortController().signal, 2),
      },
    });
    await worker.runUntil(async () => {
      const handle = await environment.client.workflow.start<typeof imageResolution>("imageResolution", {
        workflowId: "image-resolution-now",
        taskQueue: taskQueues.workflows,
      });
      expect(await handle.result()).toEqual({ looked: 5, found: 5 });
      expect((await handle.describe()).searchAttributes["MediaStage"]).toEqual(["done"]);
      await keepHistory(environment, "image-resolution-now", "image-resolution");
    });
    await ensureSchedules(environment.client);
    const schedule = environment.client.schedule.getHandle("image-resolution");
    expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 600_000 }]);
  });
});
