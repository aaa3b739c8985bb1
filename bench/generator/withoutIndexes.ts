import { Client } from "pg";
import { z } from "zod";

const definitions = z.array(z.object({ drop: z.string(), make: z.string() }));

/**
 * Loads tables without their indexes, unique constraints, triggers and foreign keys' checks, then makes the indexes again
 * as they were.
 */
export async function withoutIndexes(
  databaseUrl: string,
  tables: readonly string[],
  load: () => Promise<unknown>,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2");
    const { rows } = await client.query(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
       from pg_constraint where contype = 'u' and conrelid = any ($1::regclass[])
       union all
       select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from pg_index
       where indrelid = any ($1::regclass[]) and not indisprimary and not exists (select from pg_constraint where conindid = indexrelid)`,
      [tables],
    );
    const indexes = definitions.parse(rows);
    for (const { drop } of indexes) await client.query(drop);
    for (const table of tables) await client.query(`alter table ${table} disable trigger all`);
    await load();
    for (const table of tables) await client.query(`alter table ${table} enable trigger all`);
    for (const { make } of indexes) await client.query(make);
  } finally {
    await client.end();
  }
}
