import { z } from "zod";
import { sql } from "../../database/pool.ts";
import {
  type EntityRow,
  type MentionRow,
  type RecommendationRow,
  rowSchemas,
  type SponsorRow,
} from "../../domain/imports/rows.ts";
import type { ServiceContext } from "../../services/context.ts";
import { entityWriter } from "../../services/imports/entities.ts";
import { mentionWriter, recommendationWriter, sponsorWriter } from "../../services/imports/evidence.ts";
import { type Entry, type ImportReport, importRows, type RowWriter } from "../../services/imports/importRows.ts";

/** Files as an operator has them. */
export interface ImportedFiles {
  entities: readonly EntityRow[];
  mentions: readonly MentionRow[];
  recommendations: readonly RecommendationRow[];
  sponsors: readonly SponsorRow[];
}

const line = z.object({ row: z.unknown() });

/** All that the index says, as files that say the same. `known`: by what their entities are known. */
export async function filesOfIndex({ pool }: ServiceContext, known: "number" | "name"): Promise<ImportedFiles> {
  const number = known === "number" ? sql.fragment`id` : sql.fragment`null`;
  const entities = await pool.anyFirst(sql.type(line)`
    select json_build_object('numeric_id', ${number}, 'name', name, 'type', type, 'url', url, 'image_url', image_url,
      'description', description, 'owner', 'ent_' || owner_id, 'known_advertiser', known_advertiser,
      'aliases', array(select entity_name.name from entity_name where entity_id = entity.id and is_alias)) as row
    from entity order by id`);
  const mentions = await pool.anyFirst(sql.type(line)`
    select json_build_object('video_id', video_id, 'entity', 'ent_' || entity_id, 'start_seconds', start_seconds, 'end_seconds', end_seconds,
      'quote', quote, 'is_appearance', is_appearance, 'appearance_role', appearance_role, 'in_ad', in_ad,
      'sentiment_score', sentiment_score, 'confidence', confidence) as row
    from mention order by id`);
  const recommendations = await pool.anyFirst(sql.type(line)`
    select json_build_object('video_id', video_id, 'entity', 'ent_' || entity_id, 'mention_class', mention_class,
      'start_seconds', start_seconds, 'end_seconds', end_seconds, 'verbatim_quote', verbatim_quote, 'promo_code', promo_code,
      'offer', offer, 'confidence', confidence, 'speaker_role', speaker_role) as row
    from recommendation order by id`);
  const sponsors = await pool.anyFirst(sql.type(line)`
    select json_build_object('channel_id', channel_id, 'entity', 'ent_' || entity_id) as row from known_advertiser`);
  return {
    entities: entities.map((row) => rowSchemas.entities.parse(row)),
    mentions: mentions.map((row) => rowSchemas.mentions.parse(row)),
    recommendations: recommendations.map((row) => rowSchemas.recommendations.parse(row)),
    sponsors: sponsors.map((row) => rowSchemas.sponsors.parse(row)),
  };
}

/** Imports rows as lines of a file. */
export function importLines<Row>(
  context: Pick<ServiceContext, "pool">,
  writer: RowWriter<Row>,
  rows: readonly Row[],
): Promise<ImportReport> {
  async function* entries(): AsyncGenerator<Entry<Row>[]> {
    yield rows.map((row, n) => ({ line: n + 1, sizeBytes: 100, row }));
  }
  return importRows(context, writer, entries());
}

/** Imports all of the files; says what was counted in all. */
export async function importFiles(context: ServiceContext, files: Partial<ImportedFiles>) {
  const reports = [
    await importLines(context, entityWriter, files.entities ?? []),
    await importLines(context, mentionWriter, files.mentions ?? []),
    await importLines(context, recommendationWriter, files.recommendations ?? []),
    await importLines(context, sponsorWriter, files.sponsors ?? []),
  ];
  const sum = (pick: (report: ImportReport) => number) => reports.reduce((total, report) => total + pick(report), 0);
  return {
    imported: sum(({ imported }) => imported),
    updated: sum(({ updated }) => updated),
    settled: sum(({ settled }) => settled),
    rejected: sum(({ rejected }) => rejected),
  };
}
