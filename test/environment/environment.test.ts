import { Client } from "pg";
import { searchAttributeNames } from "../../workflows/searchAttributes.ts";
import { createTestDatabase } from "./database.ts";
import { connectToRealServer, startTimeSkippingServer } from "./temporal.ts";

test("a test database is migrated, one's own, and gone after drop", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = new Client({ connectionString: first.url });
  await client.connect();
  const migrations = await client.query("SELECT count(*)::int AS count FROM schema_migration");
  expect(migrations.rows[0].count).toBeGreaterThanOrEqual(0);
  await client.query("CREATE TABLE mine ()");
  const collation = await client.query(
    "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()",
  );
  expect(collation.rows).toEqual([{ datlocprovider: "b", datlocale: "C.UTF-8" }]);
  await client.end();

  const other = new Client({ connectionString: second.url });
  await other.connect();
  expect((await other.query("SELECT to_regclass('mine') AS mine")).rows).toEqual([{ mine: null }]);
  await other.end();

  await first.drop();
  await second.drop();
  await expect(new Client({ connectionString: first.url }).connect()).rejects.toMatchObject({ code: "3D000" });
});

test("the shared Temporal server is real and knows the search attributes", async () => {
  const environment = await connectToRealServer();
  const { customAttributes } = await environment.connection.operatorService.listSearchAttributes({
    namespace: "default",
  });
  expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining([...searchAttributeNames]));
  expect(environment.supportsTimeSkipping).toBe(false);
  await environment.teardown();
});

test("the time-skipping server skips", async () => {
  const environment = await startTimeSkippingServer();
  const before = await environment.currentTimeMs();
  await environment.sleep("24 hours");
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(24 * 3_600_000);
  await environment.teardown();
});
