import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DomUtils, parseDocument } from "htmlparser2";
import { sql } from "../../database/pool.ts";
import { setKeyState } from "../../services/keys/setKeyState.ts";
import { createAccount } from "../../services/accounts/createAccount.ts";
import { createKey } from "../../services/keys/createKey.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { allPages, factsOf, rowsOf } from "./consoleReading.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const now = new Date("2026-03-10T12:00:00Z");
let edge: Edge;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({ clock: () => now });
  visitor = createVisitor(edge);
  await visitor.signIn();
});
afterAll(() => edge.close());

const path = (accountId: string, more = "") => `/console/accounts/${accountId}${more}`;
const listed = async (query: string) => rowsOf(await visitor.get(`/console/accounts?${query}`));
const emailsOf = (rows: Record<string, string>[]) => rows.map((row) => row["E-mail"]);

/** Writes entries as the product does: each into the ledger, and their sum into the month. */
async function use(
  { accountId }: Pick<NewKey, "accountId">,
  entries: readonly { at: string; rows: number; reason: string; onDemandRows?: number; period?: string }[],
): Promise<void> {
  for (const { at, rows, reason, onDemandRows = 0, period = `${at.slice(0, 7)}-01` } of entries) {
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, request_id, created_at)
      values (${accountId}, ${period}::date, ${rows}, ${onDemandRows}, ${rows < 0 ? "refund" : "debit"}, ${reason}, 'req_1', ${at}::timestamptz)`);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into usage_counter (account_id, period, rows_used, on_demand_rows) values (${accountId}, ${period}::date, 0, 0)
      on conflict do nothing`);
    await edge.context.pool.query(sql.typeAlias("void")`
      update usage_counter set rows_used = rows_used + ${rows}, on_demand_rows = on_demand_rows + ${onDemandRows}
      where account_id = ${accountId} and period = ${period}::date`);
  }
}

describe("the list of accounts", () => {
  it("shows the newest first, and finds one by how its address or id begins, in any case", async () => {
    const one = await createAccount(edge.context, { email: "Ada@Sought.example", tier: "pro" });
    const two = await createAccount(edge.context, { email: "adabel@sought.example", tier: "teams" });
    expect(emailsOf(await listed("")).slice(0, 2)).toEqual(["adabel@sought.example", "Ada@Sought.example"]);
    expect(emailsOf(await listed("q=ADA"))).toEqual(["Ada@Sought.example", "adabel@sought.example"]);
    expect(emailsOf(await listed("q=ada%40sought.example"))).toEqual(["Ada@Sought.example"]);
    expect(await listed(`q=${two.accountId}`)).toMatchObject([{ Id: two.accountId, Tier: "teams", API: "on" }]);
    expect(emailsOf(await listed(`q=${one.accountId.slice(0, 10)}`))).toContain("Ada@Sought.example");
    for (const query of ["%25", "_da", "nobody"]) expect(await listed(`q=${query}`)).toEqual([]);
  });

  it.each([
    ["newest first", ""],
    ["by address", "?q=many"],
  ])("goes %s through all pages without a row twice or left out", async (_order, query) => {
    const prefix = query === "" ? "all" : "many";
    const expected: string[] = [];
    for (let account = 0; account < 55; account += 1) {
      const email = `${prefix}${account % 7}@pages.example`;
      expected.push((await createAccount(edge.context, { email, tier: "free" })).accountId);
    }
    const pages = await allPages(visitor.get, `/console/accounts${query}`);
    const ids = pages.flat().map((row) => row["Id"] ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    expect(expected.filter((accountId) => !ids.includes(accountId))).toEqual([]);
  });
});

describe("an account's page", () => {
  it("shows its plan, the use of the month, and its keys without what they are made of", async () => {
    const account = await edge.newKey({ tier: "pro", rows: 1000, onDemand: true, spendCapCents: 250 });
    const other = await createKey(edge.context, { accountId: account.accountId, name: "second", scopes: ["read"] });
    await setKeyState(edge.context, other.keyId, "disabled");
    await use(account, [
      { at: "2026-03-02T10:00:00Z", rows: 900, reason: "mentions" },
      { at: "2026-03-09T10:00:00Z", rows: 225, onDemandRows: 125, reason: "alert" },
    ]);
    const page = await visitor.get(path(account.accountId));
    expect(factsOf(page)).toMatchObject({
      Id: account.accountId,
      Tier: "pro",
      API: "on",
      "Rows a month": "1,000, of its own",
      "Spend cap": "250 cents",
      Pool: "1,000",
      Used: "1,125",
      Remaining: "0",
      "On-demand spend": "12.5 cents",
    });
    const { rows_used } = await readUsage(edge.context, account.accountId);
    expect(factsOf(page)["Used"]).toBe(rows_used.toLocaleString("en"));
    expect(rowsOf(page, "Keys")).toMatchObject([
      { Name: "second", State: "disabled", Scopes: "read", "Last used": "never", Id: other.keyId },
      { State: "active", Id: account.keyId },
    ]);
    expect(Object.keys(rowsOf(page, "Keys")[0] ?? {})).toEqual([
      "Name",
      "State",
      "Scopes",
      "Last used",
      "From",
      "Expires",
      "Id",
    ]);
    for (const secret of [account.key, other.key, "svc_sk_"]) expect(page.text).not.toContain(secret);
  });

  it("shows the rows of each day and by reason, and of the last twelve months, as plots and as numbers", async () => {
    const account = await edge.newKey({ rows: 5000 });
    await use(account, [
      { at: "2025-03-31T23:59:59Z", rows: 7, reason: "mentions" },
      { at: "2025-04-01T00:00:00Z", rows: 40, reason: "mentions" },
      { at: "2026-03-02T23:59:59Z", rows: 300, reason: "transcription" },
      { at: "2026-03-03T00:00:00Z", rows: 20, reason: "mentions" },
      { at: "2026-03-05T10:00:00Z", rows: -300, reason: "transcription failed: no_audio" },
    ]);
    const page = await visitor.get(path(account.accountId));
    const days = rowsOf(page, "Rows a day, 2026-03");
    expect(days).toHaveLength(31);
    expect(days.filter((row) => row["Taken"] !== "0" || row["Given back"] !== "0")).toEqual([
      { Day: "2026-03-02", Taken: "300", "Given back": "0" },
      { Day: "2026-03-03", Taken: "20", "Given back": "0" },
      { Day: "2026-03-05", Taken: "0", "Given back": "300" },
    ]);
    expect(rowsOf(page, "Rows by reason, 2026-03")).toEqual([
      { Reason: "transcription", Taken: "300", "Given back": "0" },
      { Reason: "mentions", Taken: "20", "Given back": "0" },
      { Reason: "transcription failed: no_audio", Taken: "0", "Given back": "300" },
    ]);
    const months = rowsOf(page, "Rows a month");
    expect(months.map((row) => row["Month"])).toEqual([
      ...["04", "05", "06", "07", "08", "09", "10", "11", "12"].map((month) => `2025-${month}`),
      ...["01", "02", "03"].map((month) => `2026-${month}`),
    ]);
    expect([months[0], months.at(-1)]).toMatchObject([{ "Of the pool": "40" }, { "Of the pool": "20" }]);

    const { children } = parseDocument(page.text);
    const plots = DomUtils.getElementsByTagName("svg", children);
    expect(plots).toHaveLength(3);
    for (const plot of plots) {
      const [titleId, descriptionId] = plot.attribs["aria-labelledby"]?.split(" ") ?? [];
      const named = (id = "") => DomUtils.textContent(DomUtils.getElementById(id, children) ?? []);
      expect([plot.attribs["role"], named(titleId).length > 0, named(descriptionId).length > 0]).toEqual([
        "img",
        true,
        true,
      ]);
    }
    const bars = DomUtils.getElementsByTagName("rect", plots[0] ?? []);
    const [taken, , returned] = bars.map(({ attribs }) => ({
      y: Number(attribs["y"]),
      height: Number(attribs["height"]),
    }));
    expect(bars).toHaveLength(3);
    expect(taken?.height).toBeCloseTo(returned?.height ?? 0);
    expect((taken?.y ?? 0) + (taken?.height ?? 0)).toBeCloseTo(returned?.y ?? 0);
    expect(page.text).not.toMatch(/\sstyle=/);
  });

  it("shows another month's days, what was settled after its end included", async () => {
    const account = await edge.newKey();
    await use(account, [
      { at: "2026-02-28T23:00:00Z", rows: 100, reason: "transcription" },
      { at: "2026-03-01T01:00:00Z", rows: -100, reason: "transcription canceled: requested", period: "2026-02-01" },
    ]);
    const page = await visitor.get(path(account.accountId, "?month=2026-02"));
    const days = rowsOf(page, "Rows a day, 2026-02");
    expect(days).toHaveLength(29);
    expect(days.slice(-2)).toEqual([
      { Day: "2026-02-28", Taken: "100", "Given back": "0" },
      { Day: "2026-03-01", Taken: "0", "Given back": "100" },
    ]);
    expect(factsOf(page)["Used"]).toBe("0");
    for (const month of ["2026-13", "march", "2026-3"])
      expect((await visitor.get(path(account.accountId, `?month=${month}`))).status).toBe(400);
  });

  it("is whole where nothing was used and nothing made", async () => {
    const { accountId } = await createAccount(edge.context, { email: "new@example.com", tier: "free" });
    const page = await visitor.get(path(accountId));
    expect(page.status).toBe(200);
    expect(factsOf(page)).toMatchObject({ Used: "0", Remaining: "500", "Rows a month": "as the tier has them" });
    expect(page.texts(".empty")).toContain("It has no keys.");
    expect(page.text).not.toContain("NaN");
  });

  it("is missing where there is no such account", async () => {
    for (const more of ["", "/keys", "/ledger"])
      expect([more, (await visitor.get(path("usr_0", more))).status]).toEqual([more, 404]);
  });

  it("writes names as text, whatever is in them", async () => {
    const hostile = `"><script>alert(1)</script>`;
    const { accountId } = await createAccount(edge.context, { email: `${hostile}@x.example`, tier: "pro" });
    await createKey(edge.context, { accountId, name: hostile });
    await use({ accountId }, [{ at: "2026-03-02T10:00:00Z", rows: 5, reason: hostile }]);
    const pages = ["/console/accounts", path(accountId), path(accountId, "/keys"), path(accountId, "/ledger")];
    for (const each of pages) {
      const page = await visitor.get(each);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("<script>alert");
      expect(page.text).toContain("&lt;script");
    }
  });
});

it("the ledger goes newest first through all pages of a month, whatever is used meanwhile", async () => {
  const account = await edge.newKey();
  await use(account, [{ at: "2026-02-27T10:00:00Z", rows: 3, reason: "before" }]);
  await use(
    account,
    Array.from({ length: 130 }, (_, index) => ({ at: "2026-03-02T10:00:00Z", rows: 1 + index, reason: "mentions" })),
  );
  const meanwhile = () => use(account, [{ at: "2026-03-03T10:00:00Z", rows: 9999, reason: "later" }]);
  const pages = await allPages(visitor.get, path(account.accountId, "/ledger"), meanwhile);
  expect(pages.map((rows) => rows.length)).toEqual([100, 30]);
  expect(pages.flat().map((row) => row["Rows"])).toEqual(
    Array.from({ length: 130 }, (_, index) => String(130 - index)),
  );
  expect(pages[0]?.[0]).toMatchObject({ Reason: "mentions", Kind: "debit", Request: "req_1" });
  expect(rowsOf(await visitor.get(path(account.accountId, "/ledger?month=2026-02")))).toMatchObject([
    { Reason: "before" },
  ]);
});
