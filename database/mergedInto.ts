import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

/** What an entity itself was merged into; null where it was not. */
export async function readMergedInto(db: Queryable, entityId: number): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ id: count.nullable() }))`
    select merged_into_id as id from entity where id = ${entityId}`);
}
