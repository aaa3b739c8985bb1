import path from "node:path";
import { runner } from "node-pg-migrate";

/** Brings the database to the newest schema. Safe to run from several processes at once: the runner takes an advisory lock. */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => undefined): Promise<void> {
  await runner({
    databaseUrl,
    dir: path.join(import.meta.dirname, "migrations"),
    migrationsTable: "schema_migration",
    direction: "up",
    log: () => undefined,
    logger: { debug: () => undefined, info: log, warn: log, error: log },
  });
}
