import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { Browser } from "playwright-core";
import { unsubscribeLink } from "../../services/mailSubscriptions/link.ts";
import { type Edge, startEdge } from "../api/edge.ts";
import { launchChromium } from "./chromium.ts";
import { inspect } from "./views.ts";

// All of axe-core's rules on long pages, four times each.
jest.setTimeout(240_000);
let edge: Edge;
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(async () => {
  await browser?.close();
  await edge?.close();
});

it("the API reference can be read by everybody, on a phone too", async () => {
  const faults = await inspect(browser, {
    name: "reference",
    url: `${edge.url}/docs`,
    // Swagger UI's own.
    exclude: "#reference",
    prepare: (page) => page.locator(".opblock").first().waitFor(),
  });
  expect(faults).toEqual([]);
});

it("so can the error reference", async () => {
  expect(await inspect(browser, { name: "errors", url: `${edge.url}/docs/errors` })).toEqual([]);
});

it("and the page that ends mails", async () => {
  const { key } = await edge.newKey();
  const body = { name: "Press <b>", emailAddresses: ["press@example.com"] };
  const { json } = await edge.call("POST", "/v1/monitors", { key, body });
  const mails = { trackerId: "trk_0", monitorId: json.monitor.id, address: "press@example.com" };
  const url = await unsubscribeLink(edge.context.vault, edge.url, mails);
  const ended = (name: string) => expect(inspect(browser, { name, url })).resolves.toEqual([]);
  await ended("unsubscribe");
  await edge.call("POST", new URL(url).pathname);
  await ended("unsubscribed");
  expect(await inspect(browser, { name: "unsubscribe-wrong", url: `${edge.url}/unsubscribe/x` })).toEqual([]);
});
