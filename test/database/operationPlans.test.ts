import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AccountPosition, type AccountSearch, accountsStatement } from "../../database/accounts.ts";
import { jobEntriesStatement, type JobFilter, jobsStatement } from "../../database/operatorJobs.ts";
import { allMonitorsStatement, type MonitorFilter, type MonitorPosition } from "../../database/operatorMonitors.ts";
import { type SqlFragment, sql } from "../../database/pool.ts";
import { dayUseStatement, entriesStatement } from "../../database/usageHistory.ts";
import { jobStatuses } from "../../domain/transcriptionJob.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { explain } from "./explained.ts";

const limit = 51;
let context: TestContext;
const fill = (statement: SqlFragment) => context.pool.query(sql.typeAlias("void")`${statement}`);
beforeAll(async () => {
  context = await createTestContext();
  await fill(sql.fragment`
    insert into account (id, email, tier)
    select 'usr_' || lpad(n::text, 6, '0'), 'Owner' || n || '@example.com', 'pro' from generate_series(1, 5000::int4) as n`);
  await fill(sql.fragment`insert into video (id) select 'v' || n from generate_series(1, 20000::int4) as n`);
  // Account 1 has half of all jobs, nearly all of them completed.
  await fill(sql.fragment`
    insert into transcription_job (id, video_id, account_id, status, stage, priority, held_rows, held_period)
    select 'job_' || lpad(n::text, 6, '0'), 'v' || n, 'usr_' || lpad((case when n % 2 = 0 then 1 else 1 + n % 5000 end)::text, 6, '0'),
      case when n % 1000 = 0 then 'failed' when n % 7 = 0 then 'canceled' else 'completed' end, 'done', 'normal', 100, '2026-11-01'
    from generate_series(1, 20000::int4) as n`);
  await fill(sql.fragment`
    insert into monitor (id, account_id, name, notify_email, email_addresses, notify_chat, notify_webhook, created_at, updated_at,
      webhook_disabled_at, webhook_disabled_reason)
    select 'mon_' || lpad(n::text, 6, '0'), 'usr_' || lpad((1 + n % 5000)::text, 6, '0'), 'Watch ' || n, true, '{}', false, true, now(), now(),
      case when n % 200 = 0 then now() end, case when n % 200 = 0 then 'failures' end
    from generate_series(1, 20000::int4) as n`);
  await fill(sql.fragment`
    insert into ledger_entry (account_id, period, rows, kind, reason, subject, created_at)
    select 'usr_' || lpad((1 + n % 20)::text, 6, '0'), case when n % 3 = 0 then date '2026-10-01' else date '2026-11-01' end, 100,
      case when n % 10 = 0 then 'hold' else 'debit' end, 'mentions', 'job_' || lpad(n::text, 6, '0'), timestamptz '2026-11-01Z' + n * interval '1 minute'
    from generate_series(1, 40000::int4) as n`);
  for (const table of ["account", "video", "transcription_job", "monitor", "tracker", "ledger_entry"])
    await fill(sql.fragment`vacuum analyze ${sql.identifier([table])}`);
}, 60_000);
afterAll(() => context.close());

/** How many rows of a table a statement looks at; whole tables are not to be read. */
async function rowsRead(statement: SqlFragment, table: string): Promise<number> {
  const { scans, sortedRows } = await explain(context.databaseUrl, statement);
  expect(scans.filter(({ type, rows }) => type === "Seq Scan" && rows > 0)).toEqual([]);
  expect(Math.max(0, ...sortedRows)).toBeLessThanOrEqual(limit * jobStatuses.length);
  const read = scans.filter((scan) => scan.table === table).reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeGreaterThan(0);
  return read;
}

describe("the jobs of all accounts", () => {
  const all: JobFilter = { status: null, accountId: null };
  it.each<[string, JobFilter, string | null]>([
    ["the first page", all, null],
    ["a page in the middle", all, "job_010000"],
    ["a status", { ...all, status: "failed" }, null],
    ["a status, deep down", { ...all, status: "completed" }, "job_001000"],
    ["an account with half of all", { ...all, accountId: "usr_000001" }, "job_015000"],
    ["an account with few", { ...all, accountId: "usr_000200" }, null],
    ["the few failures of an account with many", { accountId: "usr_000001", status: "failed" }, null],
  ])("%s: no more is read than pages hold", async (_name, filter, beforeId) => {
    const runs = filter.accountId !== null && filter.status === null ? jobStatuses.length : 1;
    expect(await rowsRead(jobsStatement(filter, { limit, beforeId }), "transcription_job")).toBeLessThanOrEqual(
      limit * (runs + 1),
    );
  });

  it("what the ledger says of one is found without the month of its account", async () => {
    expect(await rowsRead(jobEntriesStatement("job_000010"), "ledger_entry")).toBe(1);
  });
});

const behindMonitor = (n: number): MonitorPosition => ({
  foldedName: `watch ${n}`,
  monitorId: `mon_${String(n).padStart(6, "0")}`,
});
const behindAccount = (n: number): AccountPosition => ({
  foldedEmail: `owner${n}@example.com`,
  accountId: `usr_${String(n).padStart(6, "0")}`,
});

describe("the monitors of all accounts", () => {
  const all: MonitorFilter = { accountId: null, namePrefix: null, webhook: "any" };
  it.each<[string, MonitorFilter, MonitorPosition | null]>([
    ["the first page", all, null],
    ["a page in the middle", all, behindMonitor(10_000)],
    ["by name", { ...all, namePrefix: "WATCH 1" }, null],
    ["by name, in the middle", { ...all, namePrefix: "watch" }, behindMonitor(15_000)],
    ["of an account", { ...all, accountId: "usr_000007" }, null],
    ["disabled ones", { ...all, webhook: "disabled" }, behindMonitor(10_000)],
  ])("%s: no more is read than pages hold", async (_name, filter, after) => {
    expect(await rowsRead(allMonitorsStatement(filter, { limit, after }), "monitor")).toBeLessThanOrEqual(limit * 2);
  });
});

describe("accounts", () => {
  it.each<[string, AccountSearch, AccountPosition | null]>([
    ["the first page", { by: "none" }, null],
    ["a page in the middle", { by: "none" }, behindAccount(2500)],
    ["by address", { by: "email", prefix: "owner2" }, null],
    ["by address, in the middle", { by: "email", prefix: "Owner" }, behindAccount(2500)],
    ["by id", { by: "id", prefix: "usr_0042" }, null],
  ])("%s: no more is read than a page holds", async (_name, search, after) => {
    expect(await rowsRead(accountsStatement(search, { limit, after }), "account")).toBeLessThanOrEqual(limit);
  });
});

describe("the ledger of a month", () => {
  it.each([null, 30_000])("from entry %s down reads a page", async (beforeId) => {
    const statement = entriesStatement("usr_000002", "2026-11-01", { limit, beforeId });
    expect(await rowsRead(statement, "ledger_entry")).toBeLessThanOrEqual(limit);
  });

  it("is summed from its own entries alone", async () => {
    const { scans } = await explain(context.databaseUrl, dayUseStatement("usr_000002", "2026-11-01"));
    expect(scans.filter(({ type }) => type === "Seq Scan")).toEqual([]);
    const read = scans.filter(({ type }) => type !== "Bitmap Index Scan").reduce((sum, { rows }) => sum + rows, 0);
    expect(read).toBeGreaterThan(1000);
    expect(read).toBeLessThanOrEqual(2000);
  });
});

it("what reads more would be seen to", async () => {
  const byAnyName = sql.fragment`select id from monitor where name ilike '%7' order by id desc limit ${limit}`;
  expect(await rowsRead(byAnyName, "monitor")).toBeGreaterThan(limit * 2);
  const bySubject = sql.fragment`select id from ledger_entry where subject = 'job_000010'`;
  await expect(rowsRead(bySubject, "ledger_entry")).rejects.toThrow("Seq Scan");
});
