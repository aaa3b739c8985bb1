import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { sql } from "../../database/pool.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import type { Edge, NewKey } from "../api/edge.ts";
import { fireAlerts } from "../builders/alerts.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Receiver, startReceiver } from "../builders/receiver.ts";
import { eventually } from "../environment/startedSystem.ts";
import { launchChromium } from "./chromium.ts";
import { startWorkedEdge } from "./installation.ts";
import { hostile } from "./queueScene.ts";
import { openSignedIn, type StorageState } from "./signedIn.ts";
import { inspect } from "./views.ts";
import type { WatchedPage } from "./watchedPage.ts";

jest.setTimeout(240_000);
let browser: Browser;
let edge: Edge;
let receiver: Receiver;
let customer: NewKey;
let visit: WatchedPage & { storageState: StorageState };
let monitorId: string;
let jobId: string;
beforeAll(async () => {
  browser = await launchChromium();
  edge = await startWorkedEdge();
  // Busy at the first try, so that there is more than one attempt to see.
  let calls = 0;
  receiver = await startReceiver(() => {
    calls += 1;
    return calls === 1 ? { status: 503, body: hostile.script } : {};
  });
  customer = await edge.newKey();
  [monitorId, jobId] = [await watch(), await submit()];
  await use();
  visit = await openSignedIn(browser, edge);
});
afterAll(async () => {
  await visit?.close();
  await browser?.close();
  await edge?.close();
  await receiver?.close();
});

async function ask(path: string, body: object) {
  const { status, json, text } = await edge.call("POST", path, { key: customer.key, body });
  if (status >= 300) throw new Error(text);
  return json;
}

/** A monitor by mail and webhook whose tracker has fired twice, with all deliveries made. */
async function watch(): Promise<string> {
  const { monitor } = await ask("/v1/monitors", {
    name: `Pioneers ${hostile.markup}`,
    emailAddresses: ["press@example.com"],
    notifyEmail: true,
    notifyWebhook: true,
    webhookUrl: `${receiver.url}/in?token=secret`,
  });
  const entityId = await createNamedEntity(edge.context, hostile.endless);
  const { tracker } = await ask("/v1/trackers", { entityName: hostile.endless, entityType: "person" });
  await ask(`/v1/monitors/${monitor.id}/trackers`, { trackerIds: [tracker.id] });
  await fireAlerts(edge.context, { entityId }, 2);
  // One of them was sent twice.
  await eventually(() => receiver.received.length >= 3);
  return monitor.id;
}

/** Two jobs: one that failed and one that waits. */
async function submit(): Promise<string> {
  for (const videoId of ["failed-job1", "waiting-job"]) await ask("/v1/transcriptions", { videoId });
  const job = await readRunningJob(edge.context.pool, "failed-job1");
  await failTranscription(edge.context, job?.jobId ?? "", "no_audio");
  await edge.context.pool.query(
    sql.typeAlias("void")`update video set title = ${hostile.markup} where id = 'failed-job1'`,
  );
  return job?.jobId ?? "";
}

/** A month of use, as the ledger has it. */
async function use(): Promise<void> {
  await edge.context.pool.query(sql.typeAlias("void")`
    with entry as (
      insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, request_id, created_at)
      select ${customer.accountId}, date_trunc('month', now())::date, 40 + (n * 37) % 160, 0, 'debit',
        (array['mentions', 'recommendations', 'transcription', 'entities'])[1 + n % 4], 'req_' || n, now() - n * interval '20 hours'
      from generate_series(0, 20) as n where date_trunc('month', now() - n * interval '20 hours') = date_trunc('month', now())
      returning rows)
    update usage_counter set rows_used = rows_used + (select sum(rows) from entry) where account_id = ${customer.accountId}`);
}

const go = (path: string) => visit.page.goto(`${edge.url}/console${path}`);
const h1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

it("an alert is sent again by a press, and arrives; pressed twice it arrives once", async () => {
  const { page } = visit;
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await h1(page, "Monitors");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await h1(page, /Pioneers/);
  const before = receiver.received.length;
  await page
    .getByRole("button", { name: /Send again/ })
    .first()
    .dblclick();
  await page
    .getByRole("status")
    .filter({ hasText: /on the way again|already/ })
    .waitFor();
  await eventually(() => receiver.received.length > before);
  await eventually(async () => {
    await page.reload();
    return (
      (await page
        .getByRole("table", { name: /attempts/i })
        .getByText("succeeded")
        .count()) >= 3
    );
  });
  expect(receiver.received.length).toBe(before + 1);
  expect(await page.content()).not.toContain("token=secret");
  expect(visit.takeFaults()).toEqual([]);
});

const look = (name: string, path: string) =>
  inspect(browser, { name, url: `${edge.url}/console${path}`, storageState: visit.storageState });

describe("what there is to see", () => {
  it("jobs", async () => {
    expect(await look("jobs", "/jobs")).toEqual([]);
    expect(await look("job", `/jobs/${jobId}`)).toEqual([]);
  });

  it("monitors, their alerts, deliveries and trackers", async () => {
    expect(await look("monitors", "/monitors")).toEqual([]);
    for (const [name, part] of Object.entries({
      monitor: "",
      alerts: "/alerts",
      attempts: "/attempts",
      trackers: "/trackers",
    }))
      expect(await look(name, `/monitors/${monitorId}${part}`)).toEqual([]);
  });

  it("accounts, their use in plots, keys and ledger", async () => {
    const account = `/accounts/${customer.accountId}`;
    expect(await look("accounts", "/accounts")).toEqual([]);
    for (const [name, part] of Object.entries({ account: "", keys: "/keys", ledger: "/ledger" }))
      expect(await look(name, `${account}${part}`)).toEqual([]);
  });

  it("the plots have words for who does not see them", async () => {
    await go(`/accounts/${customer.accountId}`);
    const plots = visit.page.getByRole("figure").getByRole("img");
    expect(await plots.count()).toBeGreaterThan(0);
    expect(await visit.page.getByRole("img", { name: /\w/ }).count()).toBe(await plots.count());
  });

  it("mail", async () => {
    await go("/mail");
    await eventually(async () => {
      await visit.page.reload();
      return (await visit.page.locator("[data-row]").count()) > 0;
    });
    expect(await look("mails", "/mail")).toEqual([]);
    await visit.page.locator("[data-row]").first().click();
    await visit.page.getByText("press@example.com").first().waitFor();
    expect(await look("mail", new URL(visit.page.url()).pathname.slice("/console".length))).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
  });
});
