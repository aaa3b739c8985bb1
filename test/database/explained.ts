import { Client } from "pg";
import { z } from "zod";
import { type SqlFragment, sql } from "../../database/pool.ts";

const planNode = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});
type PlanNode = z.infer<typeof planNode>;

/** What a statement did, in the functions that it called too; what was planned and never ran is not in it. */
export interface Explained {
  /** Each use of a table: how it was scanned, by which index, and how many rows were looked at in all. */
  scans: { table: string; type: string; index: string | undefined; rows: number }[];
  /** How many rows each sort was given, over all of its runs. */
  sortedRows: number[];
}

/** Runs a statement under `explain analyze` with the planner as it is, and takes back what it wrote. */
export async function explain(databaseUrl: string, statement: SqlFragment): Promise<Explained> {
  const query = sql.typeAlias("void")`${statement}`;
  const client = new Client({ connectionString: databaseUrl });
  const plans: PlanNode[] = [];
  client.on("notice", ({ message }) => {
    const json = /\{[^]*\}/.exec(message ?? "")?.[0];
    if (json !== undefined) plans.push(z.object({ Plan: planNode }).parse(JSON.parse(json)).Plan);
  });
  await client.connect();
  try {
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
      set auto_explain.log_nested_statements = on; set auto_explain.log_format = json; set client_min_messages = log; begin`);
    await client.query(query.sql.replaceAll(/\$slonik_(\d+)/g, "$$$1"), [...query.values]);
    await client.query("rollback");
  } finally {
    await client.end();
  }
  const nodes = plans.flatMap(descendants).filter((node) => node["Actual Loops"] > 0);
  return {
    scans: nodes.flatMap((node) =>
      node["Relation Name"] === undefined
        ? []
        : [
            {
              table: node["Relation Name"],
              type: node["Node Type"],
              index: indexOf(node),
              rows: (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
            },
          ],
    ),
    sortedRows: nodes
      .filter((node) => node["Node Type"].endsWith("Sort"))
      .map(({ Plans = [] }) => Plans.reduce((sum, child) => sum + child["Actual Rows"] * child["Actual Loops"], 0)),
  };
}

/** Of a scan by bitmap, which may be made of several, the first index. */
function indexOf(node: PlanNode): string | undefined {
  const [bitmap] = node["Node Type"].startsWith("Bitmap") ? (node.Plans ?? []) : [];
  return node["Index Name"] ?? (bitmap === undefined ? undefined : indexOf(bitmap));
}

function descendants(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(descendants)];
}
