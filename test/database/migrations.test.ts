import path from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { runner } from "node-pg-migrate";
import { Client } from "pg";
import { migrate } from "../../database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../environment/database.ts";

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** What the schema consists of, as Postgres describes it; order aside. */
async function describeSchema(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migration'
    union all select pg_get_functiondef(pg_proc.oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
      -- an extension stays: others may use it
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger where not tgisinternal
    union all select pg_get_constraintdef(oid) || conrelid::regclass from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> coalesce(to_regclass('schema_migration'), 0::regclass)
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'schema_migration'
    union all select viewname || definition from pg_views where schemaname = 'public'
    order by line`);
  return rows.map(({ line }) => line);
}

it("every migration can be taken back, one after the other, and made again", async () => {
  const before = await describeSchema();
  expect(before.length).toBeGreaterThan(500);
  await runner({
    databaseUrl: database.url,
    dir: path.resolve(import.meta.dirname, "../../database/migrations"),
    migrationsTable: "schema_migration",
    direction: "down",
    count: Number.POSITIVE_INFINITY,
    log: () => undefined,
  });
  expect(await describeSchema()).toEqual([]);
  await migrate(database.url);
  expect(await describeSchema()).toEqual(before);
});
