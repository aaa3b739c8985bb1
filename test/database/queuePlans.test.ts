import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { type QueueFilter, type QueuePage, queueStatement } from "../../database/reviewQueue.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { explain } from "./explained.ts";

const open = ["pending_review", "needs_information", "accepted", "accepted_with_changes"] as const;
const reviews = 10_000;
const limit = 51;
let context: TestContext;
let accountId: string;
beforeAll(async () => {
  context = await createTestContext();
  ({ accountId } = await createCaller(context));
  await context.pool.query(sql.typeAlias("void")`
    with added as (
      insert into feedback (account_id, key_id, type, query, status)
      select ${accountId}, 'key_' || n % 50, (array['mentions', 'search', 'entities'])[1 + n % 3], '{"q": "a"}',
        (array['pending_review', 'pending_review', 'accepted', 'rejected', 'applied'])[1 + n % 5]
      from generate_series(1, ${reviews}::int4) as n
      returning id, key_id, status
    )
    insert into feedback_correction (feedback_id, position, key_id, item_kind, item_id, issue_type, status)
    select id, position, key_id, 'entity', 'ent_1', 'should_split', status from added, generate_series(0, 2) as position`);
  await context.pool.query(sql.typeAlias("void")`vacuum analyze feedback, feedback_correction`);
}, 60_000);
afterAll(() => context.close());

const all: QueueFilter = { statuses: open, type: null, accountId: null, keyId: null };
const first: QueuePage = { order: "oldest", limit, after: null };

it.each<[string, QueueFilter, QueuePage]>([
  ["the first page", all, first],
  ["a page in the middle", all, { ...first, after: reviews / 2 }],
  ["the newest", all, { ...first, order: "newest" }],
  ["one status", { ...all, statuses: ["accepted"] }, first],
  ["one type", { ...all, type: "search" }, first],
  ["one key", { ...all, keyId: "key_7" }, first],
])("%s is read by indexes, and no row beside it", async (_name, filter, page) => {
  const { scans } = await explain(context.databaseUrl, queueStatement(filter, page));
  expect(scans.filter(({ type }) => type === "Seq Scan")).toEqual([]);
  const listed = scans.filter(({ table }) => table === "feedback").reduce((sum, { rows }) => sum + rows, 0);
  // A page of each status, and those that are shown.
  expect(listed).toBeLessThanOrEqual(limit * (filter.statuses.length + 1));
  const shown = scans.filter(({ table }) => table === "feedback_correction").reduce((sum, { rows }) => sum + rows, 0);
  expect(shown).toBeLessThanOrEqual(limit * 3);
});
