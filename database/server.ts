import { Client } from "pg";

export type ServerAnswer = "ready" | "not yet" | "wrong password";

/** Whether a Postgres server takes connections now. */
export async function askServer(databaseUrl: string): Promise<ServerAnswer> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return "ready";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "28P01" ? "wrong password" : "not yet";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates a database unless it is there. `adminUrl` names another database of the same server. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const found = await client.query("select from pg_database where datname = $1", [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
