import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { templateDatabase, testEnvironment } from "./addresses.ts";

export interface TestDatabase {
  url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database of one's own, cloned from the template. One per test file is enough. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`));
  const url = new URL(testEnvironment().databaseUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

async function onServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: testEnvironment().databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
