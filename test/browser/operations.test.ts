import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { Browser } from "playwright-core";
import { createInboxFolder } from "../../adapters/mail/inboxFolder.ts";
import { openInboxFolder } from "../../adapters/mail/openInbox.ts";
import { type Edge, startEdge } from "../api/edge.ts";
import { launchChromium } from "./chromium.ts";
import { createOperationsScene, type OperationsScene } from "./operationsScene.ts";
import { openSignedIn, type StorageState } from "./signedIn.ts";
import { inspect } from "./views.ts";

jest.setTimeout(240_000);
let folder: string;
let browser: Browser;
let edge: Edge;
let scene: OperationsScene;
let storageState: StorageState;
beforeAll(async () => {
  browser = await launchChromium();
  folder = await mkdtemp(path.join(tmpdir(), "media-index-operations-"));
  edge = await startEdge({
    inbox: openInboxFolder(folder),
    settings: { rateLimitPerMinute: { enterprise: 100_000, pro: 100_000 } },
  });
  scene = await createOperationsScene(
    edge,
    createInboxFolder({ folder, from: "alerts@example.com", clock: () => new Date() }),
  );
  const visit = await openSignedIn(browser, edge);
  storageState = visit.storageState;
  await visit.close();
});
afterAll(async () => {
  await browser?.close();
  await edge?.close();
  await rm(folder, { recursive: true });
});

it.each<[string, (scene: OperationsScene) => string]>([
  ["jobs", () => "/console/jobs"],
  ["job-running", ({ runningJobId }) => `/console/jobs/${runningJobId}`],
  ["job-failed", ({ failedJobId }) => `/console/jobs/${failedJobId}`],
  ["monitors", () => "/console/monitors"],
  ["monitor", ({ monitorId }) => `/console/monitors/${monitorId}`],
  ["monitor-alerts", ({ monitorId }) => `/console/monitors/${monitorId}/alerts`],
  ["monitor-attempts", ({ monitorId }) => `/console/monitors/${monitorId}/attempts`],
  ["monitor-trackers", ({ monitorId }) => `/console/monitors/${monitorId}/trackers`],
  ["accounts", () => "/console/accounts"],
  ["account", ({ accountId }) => `/console/accounts/${accountId}`],
  ["account-ledger", ({ accountId }) => `/console/accounts/${accountId}/ledger`],
  ["account-keys", ({ accountId }) => `/console/accounts/${accountId}/keys`],
  ["account-unused", ({ unusedAccountId }) => `/console/accounts/${unusedAccountId}`],
  ["mails", () => "/console/mail"],
  ["mail", ({ mailName }) => `/console/mail/${mailName}`],
  ["nothing-there", () => "/console/accounts/usr_0"],
])("the view %s can be used by everybody, on a phone too, in light and in dark", async (name, pathOf) => {
  const url = `${edge.url}${pathOf(scene)}`;
  const prepare = name === "account" ? unfold : undefined;
  expect(await inspect(browser, { name, url, storageState, ...(prepare !== undefined && { prepare }) })).toEqual([]);
});

/** The numbers behind the plots. */
async function unfold(page: Parameters<NonNullable<Parameters<typeof inspect>[1]["prepare"]>>[0]): Promise<void> {
  for (const summary of await page.getByText("The same in numbers").all()) await summary.click();
}

it("an alert is sent again by its button, once, and the page says so", async () => {
  const { page, takeFaults, close } = await openSignedIn(browser, edge);
  await page.goto(`${edge.url}/console/monitors`);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Monitor: Press watch" }).waitFor();
  await page
    .getByRole("button", { name: /^Send again/ })
    .first()
    .dblclick();
  await page
    .getByRole("status")
    .filter({ hasText: /on the way again|already/ })
    .waitFor();
  expect(await scene.sentAgain()).toBe(1);
  expect(takeFaults()).toEqual([]);
  await close();
});
