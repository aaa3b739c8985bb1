import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { relatedPage } from "../../database/relatedPages.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

let setId: number;
beforeAll(async () => {
  const { pool } = context;
  const subjectId = await createEntity(context, { type: "topic" });
  await pool.query(sql.typeAlias("void")`
    insert into entity (id, name, type, slug) select 1000 + n, 'Of many ' || n, 'product', 'of-many-' || n from generate_series(1, 50000) as n`);
  setId = await pool.oneFirst(sql.type(z.object({ id: count }))`
    insert into relation_set (subject_id, row_group, state, snapshot) values (${subjectId}, 'product', 'ready', pg_current_snapshot()) returning id`);
  await pool.query(sql.typeAlias("void")`
    insert into relation (set_id, related_id, name_order, mention_count, media_count, first_seen_at, last_seen_at)
    select ${setId}, 1000 + n, md5(n::text), n % 1000, 1, now(), now() - n * interval '1 minute' from generate_series(1, 50000) as n`);
  await pool.query(sql.typeAlias("void")`
    insert into relation_text (entity_id, name)
    select 1000 + n, md5(n::text) || case when n % 5000 = 0 then ' rare word' else '' end from generate_series(1, 50000) as n`);
  for (const table of ["relation", "relation_text", "entity"])
    await pool.query(sql.typeAlias("void")`vacuum analyze ${sql.identifier([table])}`);
}, 120_000);

describe("a page of a list that is kept counted", () => {
  it.each(
    (["date", "name", "mentions"] as const).flatMap((sort) =>
      (["asc", "desc"] as const).flatMap((order) => [false, true].map((isLater) => [sort, order, isLater] as const)),
    ),
  )(
    "by %s %s (later page: %s) is found by an index, and no more than a page is sorted",
    async (sort, order, isLater) => {
      const value = { date: Date.now() - 9e8, name: "5", mentions: 500 }[sort];
      const ask = {
        subject: { entityId: 1, memberIds: [1], platformChannelIds: [] },
        group: "product",
        setId,
        lastMentionId: 0,
        sort,
        order,
        limit: 20,
        after: isLater ? { value, entityId: 25_000 } : null,
      } as const;
      for (const [search, mostScanned] of [
        [null, 2 * 21],
        // many have it: among the next few rows
        [{ text: "7", field: "any" }, 4 * 100],
        // few have it: by trigrams, after a bounded look at the next rows
        [{ text: "rare word", field: "name" }, 2 * 4000 + 4 * 21],
      ] as const) {
        const plan = await planOf({ ...ask, search });
        const indexes = nodes(plan).map((node) => node["Index Name"]);
        expect(indexes).toContain(`relation_by_${sort}`);
        expect(nodes(plan).filter((node) => node["Node Type"] === "Seq Scan" && node["Actual Loops"] > 0)).toEqual([]);
        expect(rowsSorted(plan)).toBeLessThanOrEqual(21);
        expect(rowsScanned(plan)).toBeLessThanOrEqual(mostScanned);
      }
    },
  );
});

type PlanNode = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Index Name"?: string | undefined;
  "Parent Relationship"?: string | undefined;
  Plans?: PlanNode[] | undefined;
};
const planNode: z.ZodType<PlanNode> = z.object({
  "Node Type": z.string(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Index Name": z.string().optional(),
  "Parent Relationship": z.string().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});

async function planOf(ask: Parameters<typeof relatedPage>[0]): Promise<PlanNode> {
  const explained = z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planNode })]) });
  const [{ Plan: plan }] = await context.pool.oneFirst(sql.type(explained)`
    explain (analyze, format json) with ${relatedPage(ask)} select * from page order by n`);
  return plan;
}

const nodes = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
const rowsOf = (node: PlanNode) => node["Actual Rows"] * node["Actual Loops"];

/** The most rows that go into one sort. */
function rowsSorted(plan: PlanNode): number {
  const sorts = nodes(plan).filter((node) => node["Node Type"].includes("Sort"));
  const inputs = sorts.flatMap((node) =>
    (node.Plans ?? []).filter((input) => input["Parent Relationship"] === "Outer"),
  );
  return Math.max(0, ...inputs.map(rowsOf));
}

/** Rows that are read from tables and indexes. */
function rowsScanned(plan: PlanNode): number {
  const scans = nodes(plan).filter((node) => node["Node Type"].endsWith("Scan") && node["Node Type"] !== "CTE Scan");
  return scans.map(rowsOf).reduce((sum, rows) => sum + rows, 0);
}
