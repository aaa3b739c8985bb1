import { z } from "zod";
import { type Queryable, sql } from "../../database/pool.ts";
import { sumBrandProfiles } from "../../services/brandProfiles/sum.ts";
import { retypeMentionBatch } from "../../services/mentions/retype.ts";
import type { ServiceContext } from "../../services/context.ts";

const rows = z.object({ rows: z.string().nullable() });

/** What reads are answered from, with what each table is ordered by. Times of bookkeeping are left out. */
const tables = [
  sql.fragment`select to_jsonb(mention)::text as row from mention order by id`,
  sql.fragment`select to_jsonb(recommendation)::text as row from recommendation order by id`,
  sql.fragment`select to_jsonb(entity)::text as row from entity order by id`,
  sql.fragment`select (to_jsonb(entity_name) - 'terms')::text || entity_name.terms[1:3]::text as row from entity_name order by entity_id, key`,
  sql.fragment`select to_jsonb(known_advertiser)::text as row from known_advertiser order by channel_id, entity_id`,
  sql.fragment`select to_jsonb(commercial_tally)::text as row from commercial_tally order by channel_id, entity_id`,
  sql.fragment`select to_jsonb(channel_sponsor)::text as row from channel_sponsor order by channel_id, entity_id`,
  sql.fragment`select to_jsonb(channel_commerce)::text as row from channel_commerce
    where (frequent_sponsor_count, row_count, ad_read_count, endorsement_count) <> (0, 0, 0, 0) order by channel_id`,
  sql.fragment`select (to_jsonb(brand_profile) - 'computed_at' - 'stale_since')::text as row from brand_profile order by entity_id`,
  sql.fragment`select to_jsonb(alert_occurrence)::text as row from alert_occurrence order by id`,
  sql.fragment`select to_jsonb(search_review)::text as row from search_review order by key, entity_id`,
  sql.fragment`select to_jsonb(sponsor_review)::text as row from sponsor_review order by channel_id, entity_id`,
  sql.fragment`select (to_jsonb(reviewed_evidence) - 'id')::text as row from reviewed_evidence order by id`,
  sql.fragment`select to_jsonb(review_finding)::text as row from review_finding order by correction_id`,
];

/** All that reads are answered from, as text, with what lags behind brought up to date. */
export async function readableState(context: ServiceContext): Promise<string[][]> {
  while ((await sumBrandProfiles(context)).more);
  while ((await retypeMentionBatch(context)).more);
  return dump(context.pool);
}

async function dump(db: Queryable): Promise<string[][]> {
  const states: string[][] = [];
  for (const table of tables) {
    const text = await db.oneFirst(sql.type(rows)`select string_agg(row, E'\n') as rows from (${table}) as listed`);
    states.push(text?.split("\n") ?? []);
  }
  return states;
}
