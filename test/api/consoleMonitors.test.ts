import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { fireAlerts } from "../builders/alerts.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { allPages, factsOf, rowsOf } from "./consoleReading.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let visitor: Visitor;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  visitor = createVisitor(edge);
  await visitor.signIn();
});
afterAll(() => edge.close());
beforeEach(async () => {
  caller = await edge.newKey();
});

const hook = { notifyWebhook: true, webhookUrl: "https://hooks.example.com/in?token=of_the_receiver" };
async function create(more: object = {}): Promise<{ id: string; webhookSecret: string }> {
  const { status, json, text } = await edge.call("POST", "/v1/monitors", {
    key: caller.key,
    body: { name: "Watch", ...more },
  });
  if (status !== 201) throw new Error(text);
  return json.monitor;
}
let names = 0;
/** A tracker of the monitor's, which fires so many alerts that were paid for. */
async function fire(monitorId: string, times: number, entityName = `Somebody ${(names += 1)}`): Promise<string[]> {
  const entityId = await createNamedEntity(edge.context, entityName);
  const { json } = await edge.call("POST", "/v1/trackers", {
    key: caller.key,
    body: { entityName, entityType: "person" },
  });
  await edge.call("POST", `/v1/monitors/${monitorId}/trackers`, {
    key: caller.key,
    body: { trackerIds: [json.tracker.id] },
  });
  const alertIds = await fireAlerts(edge.context, { entityId }, times);
  await edge.context.pool.query(sql.typeAlias("void")`
    update alert_occurrence set status = 'delivered', begun_at = now(), rows_billed = 100 where tracker_id = ${json.tracker.id}`);
  return alertIds;
}
const disable = (monitorId: string) =>
  edge.context.pool.query(sql.typeAlias("void")`
    update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'no answer' where id = ${monitorId}`);
const asked = (monitorId: string) =>
  edge.context.pool.anyFirst(sql.type(z.object({ occurrence_id: z.string().nullable() }))`
    select occurrence_id from alert_delivery where monitor_id = ${monitorId} and purpose = 'redelivery' order by id`);
const path = (monitorId: string, more = "") => `/console/monitors/${monitorId}${more}`;
/** The button of an alert. */
const again = (alertId = "") => `Send again alert ${alertId}`;
const listed = async (query: string) => rowsOf(await visitor.get(`/console/monitors?${query}`));
const namesOf = (rows: Record<string, string>[]) => rows.map((row) => row["Name"]);

describe("the list of monitors", () => {
  it("shows those of all accounts, newest first, by account, by name, and those whose webhook is disabled", async () => {
    const tag = `Quiet${names}`;
    const first = await create({ name: `${tag} one`, ...hook });
    const { accountId } = caller;
    await fire(first.id, 1);
    await disable(first.id);
    caller = await edge.newKey();
    await create({ name: `${tag} TWO`, isPaused: true, notifyEmail: true });
    expect(namesOf(await listed("")).slice(0, 2)).toEqual([`${tag} TWO`, `${tag} one`]);
    expect(namesOf(await listed(`name=${tag.toLowerCase()}%20`))).toEqual([`${tag} one`, `${tag} TWO`]);
    expect(namesOf(await listed(`name=${tag}%20t`))).toEqual([`${tag} TWO`]);
    expect(await listed(`account=${accountId}`)).toMatchObject([
      { Name: `${tag} one`, State: "webhook disabled", "Goes out by": "e-mail, webhook", Trackers: "1" },
    ]);
    expect(namesOf(await listed(`account=${accountId}&webhook=disabled`))).toEqual([`${tag} one`]);
    expect(await listed(`account=${caller.accountId}&webhook=disabled`)).toEqual([]);
    expect(await listed(`name=%25`)).toEqual([]);
  });

  it.each([
    ["newest first", (accountId: string) => `account=${accountId}`],
    ["by name", (accountId: string) => `account=${accountId}&name=series`],
  ])("goes %s through all pages without a row twice or left out", async (_order, query) => {
    const expected: string[] = [];
    for (let monitor = 0; monitor < 55; monitor += 1) {
      // Names that are the same but for their case share a place in the order of names.
      const name = `${monitor % 2 === 0 ? "Series" : "series"} ${Math.floor(monitor / 3)}`;
      expected.push((await create({ name })).id);
    }
    const pages = await allPages(visitor.get, `/console/monitors?${query(caller.accountId)}`);
    expect(pages.map((rows) => rows.length)).toEqual([50, 5]);
    const first = await visitor.get(`/console/monitors?${query(caller.accountId)}`);
    const second = await visitor.get(first.links.get("Next page") ?? "");
    const ids = [
      ...first.text.matchAll(/\/console\/monitors\/(mon_\w+)/g),
      ...second.text.matchAll(/\/console\/monitors\/(mon_\w+)/g),
    ];
    expect(ids.map(([, id = ""]) => id).toSorted()).toEqual(expected.toSorted());
  });
});

describe("a monitor's page", () => {
  it("shows its settings and its trackers, and of its secret no more than how it ends", async () => {
    const { id, webhookSecret } = await create({ name: "Press", emailAddresses: ["press@example.com"], ...hook });
    const [alertId] = await fire(id, 1, "Ada Watched");
    await disable(id);
    const page = await visitor.get(path(id));
    expect(factsOf(page)).toMatchObject({
      Id: id,
      "E-mail": "to press@example.com",
      Chat: "off",
      Address: "https://hooks.example.com/in?…",
      Secret: `set, ends with ${webhookSecret.slice(-4)}`,
      "Disabled because": "no answer",
    });
    expect(rowsOf(page, "Trackers")).toMatchObject([{ Watches: "Ada Watched", State: "on", "Of its own": "nothing" }]);
    expect(rowsOf(page, "Alerts")).toMatchObject([{ State: "delivered", Deliveries: "none", "Rows billed": "100" }]);
    expect(page.pressed(again(alertId)).action).toBe(path(id, `/alerts/${alertId}/redeliver`));
    expect(webhookSecret).toMatch(/^whsec_/);
    for (const secret of [webhookSecret, "whsec_", "of_the_receiver", caller.key])
      expect(page.text).not.toContain(secret);
  });

  it("shows where each delivery of an alert stands, and every attempt, page by page", async () => {
    const { id } = await create(hook);
    const [alertId = ""] = await fire(id, 1);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, status, attempts, response_status, next_attempt_at)
      values (${`dlv_a${id}`}, ${caller.accountId}, ${alertId}, ${id}, 'webhook', 'alert', 'evt_1', 'pending', 70, 503, '2030-03-10T13:00:00Z'),
        (${`dlv_b${id}`}, ${caller.accountId}, ${alertId}, ${id}, 'email', 'alert', 'evt_1', 'succeeded', 1, null, null)`);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into delivery_attempt (delivery_id, monitor_id, channel, number, outcome, at, latency_milliseconds, response_status, response_excerpt, error_kind)
      select ${`dlv_a${id}`}, ${id}, 'webhook', n, 'failed', timestamptz '2026-03-10T12:00:00Z' + n / 2 * interval '1 second', 1500, case when n < 70 then 503 end,
        case when n < 70 then '<b>busy</b>' end, case when n = 70 then 'timeout' end
      from generate_series(1, 70) as n`);
    const page = await visitor.get(path(id));
    const [alert] = rowsOf(page, "Alerts");
    expect(alert?.["Deliveries"]).toMatch(
      /email succeeded 1 attempt.*webhook pending 70 attempts, answer 503, next 2030-03-10/,
    );
    expect(rowsOf(page, "Delivery attempts")).toHaveLength(10);
    const pages = await allPages(visitor.get, path(id, "/attempts"));
    expect(pages.map((rows) => rows.length)).toEqual([50, 20]);
    expect(pages.flat().map((row) => row["By"])).toEqual(
      Array.from({ length: 70 }, (_, index) => `webhook, attempt ${70 - index}`),
    );
    expect(pages[0]?.slice(0, 2)).toMatchObject([
      { Outcome: "failed", Answer: "timeout", Took: "1,500 ms", "Began with": "–" },
      { Outcome: "failed", Answer: "503", "Began with": "<b>busy</b>" },
    ]);
  });

  it("lists all alerts and all trackers page by page", async () => {
    const { id } = await create();
    const alertIds = await fire(id, 55);
    const pages = await allPages(visitor.get, path(id, "/alerts"));
    expect(pages.map((rows) => rows.length)).toEqual([50, 5]);
    const first = await visitor.get(path(id, "/alerts"));
    expect([...first.text.matchAll(/alerts\/(alr_\w+)\/redeliver/g)].map(([, alert]) => alert)).toEqual(
      alertIds.toReversed().slice(0, 50),
    );
    expect((await visitor.get(path(id, "/trackers"))).texts("td")).toContain("on");
  });

  it("writes names as text, whatever is in them", async () => {
    const hostile = `"><script>alert(1)</script>`;
    const { id } = await create({ name: hostile });
    await fire(id, 1, `${hostile} person`);
    for (const each of [
      "/console/monitors",
      path(id),
      path(id, "/alerts"),
      path(id, "/trackers"),
      path(id, "/attempts"),
    ]) {
      const page = await visitor.get(each);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("<script>alert");
      expect(page.text).toContain("&lt;script");
    }
  });

  it("is missing where there is no such monitor", async () => {
    for (const list of ["", "/alerts", "/attempts", "/trackers"])
      expect([list, (await visitor.get(path("mon_0", list))).status]).toEqual([list, 404]);
    const { id } = await create();
    expect((await visitor.get(path(id, "/attempts?cursor=abc"))).status).toBe(400);
  });
});

const rowsUsed = async () => (await edge.call("GET", "/v1/me", { key: caller.key })).json.usage.rows_used;

describe("sending again", () => {
  it("has one alert on its way under its own event, once for a form however often it is sent, for no rows", async () => {
    const { id } = await create(hook);
    const [, alertId = ""] = await fire(id, 2);
    const page = await visitor.get(path(id));
    const sent = await visitor.press(page, again(alertId));
    expect([sent.status, sent.path]).toEqual([200, path(id)]);
    expect(sent.texts(".flash")).toEqual(["1 alert is on the way again. It costs no rows."]);
    expect((await visitor.press(page, again(alertId))).texts(".flash")[0]).toContain("already");
    expect(await asked(id)).toEqual([alertId]);
    await visitor.press(await visitor.get(path(id)), again(alertId));
    expect(await asked(id)).toEqual([alertId, alertId]);
    expect(await rowsUsed()).toBe(0);
    const started = await edge.context.pool.oneFirst(sql.type(z.object({ count }))`
      select count(*) from outbox join alert_delivery as delivery on delivery.id = subject and kind = 'delivery.start' where monitor_id = ${id}`);
    expect(started).toBe(2);
  });

  it("of two that are sent at the same time, one is done", async () => {
    const { id } = await create(hook);
    const [alertId = ""] = await fire(id, 1);
    const page = await visitor.get(path(id));
    const answers = await Promise.all([1, 2, 3, 4].map(() => visitor.press(page, again(alertId))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await asked(id)).toEqual([alertId]);
  });

  it("has a span on its way, both ends included, and leaves out what waits already", async () => {
    const { id } = await create(hook);
    const alertIds = await fire(id, 3);
    for (const [index, alertId] of alertIds.entries())
      await edge.context.pool.query(sql.typeAlias("void")`
        update alert_occurrence set fired_at = ${`2026-03-0${index + 1}T10:00:00Z`} where id = ${alertId}`);
    const span = { from: "2026-03-02T10:00", to: "2026-03-03T10:00:00" };
    const send = async () => visitor.press(await visitor.get(path(id)), "Send these again", span);
    expect((await send()).texts(".flash")).toEqual(["2 alerts are on the way again. It costs no rows."]);
    expect(await asked(id)).toEqual(alertIds.slice(1));
    expect((await send()).texts(".flash")[0]).toContain("nothing of that time");
    expect(await asked(id)).toEqual(alertIds.slice(1));
    expect(await rowsUsed()).toBe(0);
  });

  it("says what is wrong with a span", async () => {
    const { id } = await create(hook);
    for (const [from, to, named] of [
      ["2026-03-02T10:00", "2026-03-01T10:00", "from"],
      ["2026-03-02", "2026-03-03T10:00", "from"],
      ["2026-03-01T10:00", "2026-02-30T10:00:99", "to"],
      ["2026-01-01T10:00", "2026-03-01T10:00", "31 days"],
    ] as const) {
      const page = await visitor.press(await visitor.get(path(id)), "Send these again", { from, to });
      expect([to, page.status]).toEqual([to, 400]);
      expect(page.texts(".problem")[0]).toContain(named);
    }
    expect(await asked(id)).toEqual([]);
  });

  it("is refused, with the reason, where the webhook is off or disabled, and where the plan has none", async () => {
    const { id } = await create();
    const [alertId = ""] = await fire(id, 1);
    const send = async () => visitor.press(await visitor.get(path(id)), again(alertId));
    expect((await send()).status).toBe(409);
    await edge.call("PATCH", `/v1/monitors/${id}`, { key: caller.key, body: hook });
    await disable(id);
    expect((await send()).texts(".problem")[0]).toContain("disabled after failures");
    await edge.context.pool.query(sql.typeAlias("void")`
      update monitor set webhook_disabled_at = null, webhook_disabled_reason = null where id = ${id}`);
    await edge.context.pool.query(
      sql.typeAlias("void")`update account set tier = 'free' where id = ${caller.accountId}`,
    );
    expect((await send()).texts(".problem")[0]).toContain("plan");
    expect(await asked(id)).toEqual([]);
  });

  it("is for the console's own forms only", async () => {
    const { id } = await create(hook);
    const [alertId = ""] = await fire(id, 1);
    const { action, fields } = (await visitor.get(path(id))).pressed(again(alertId));
    const sent = Object.fromEntries(fields);
    for (const csrf of ["", "x", sent["csrf"]?.replace(/.$/, (last) => (last === "A" ? "B" : "A")) ?? ""])
      expect((await visitor.post(action, { ...sent, csrf })).status).toBe(403);
    const other = createVisitor(edge);
    await other.signIn();
    expect((await other.post(action, sent)).status).toBe(403);
    expect((await createVisitor(edge).post(action, sent)).status).toBe(401);
    expect((await visitor.post(action, { csrf: sent["csrf"] ?? "" })).status).toBe(400);
    expect(await asked(id)).toEqual([]);
  });
});
