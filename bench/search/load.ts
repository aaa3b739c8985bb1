import { z } from "zod";
import { saveNames } from "../../database/entityNames.ts";
import { count, type Pool, sql } from "../../database/pool.ts";
import { slugOf } from "../../domain/names.ts";
import { generateEntities, type GeneratedEntity } from "../generator/entities.ts";
import type { NamedId } from "./queries.ts";

const batchSize = 5000;

/** Fills an empty database with generated entities; their names go through the product's own writer. */
export async function loadEntities(pool: Pool, wanted: number): Promise<NamedId[]> {
  const from = performance.now();
  const loaded: NamedId[] = [];
  let batch: GeneratedEntity[] = [];
  async function save(): Promise<void> {
    const rows = batch.map(({ name, type, mentionCount }, index) => [
      name,
      type,
      `${slugOf(name)}-${loaded.length + index}`,
      mentionCount,
    ]);
    const ids = await pool.transaction(async (transaction) => {
      const ids = await transaction.anyFirst(sql.type(z.object({ id: count }))`
        insert into entity (name, type, slug, mention_count, url, description)
        select name, type, slug, mention_count, 'https://example.com/' || slug, 'What it is'
        from ${sql.unnest(rows, ["text", "text", "text", "int8"])} as made (name, type, slug, mention_count)
        returning id`);
      const named = batch.map(({ name, aliases }, index) => ({ entityId: ids[index] ?? 0, name, aliases }));
      await saveNames(transaction, named);
      return ids;
    });
    for (const [index, { name, aliases }] of batch.entries()) loaded.push({ entityId: ids[index] ?? 0, name, aliases });
    batch = [];
    if (loaded.length % 100_000 === 0)
      console.log(`${loaded.length} entities, ${((performance.now() - from) / 1000).toFixed(0)} s`);
  }
  for (const entity of generateEntities(wanted)) {
    batch.push(entity);
    if (batch.length === batchSize) await save();
  }
  if (batch.length > 0) await save();
  await pool.query(sql.typeAlias("void")`vacuum analyze entity, entity_name, search_word`);
  console.log(`${loaded.length} entities loaded in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  return loaded;
}
