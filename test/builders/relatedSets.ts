import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { findEntityById } from "../../database/entityMembers.ts";
import { findRelatedSource, readRelatedPage, type RelatedRow } from "../../database/relatedPages.ts";
import { relatedGroups } from "../../domain/relatedLists.ts";
import type { ServiceContext } from "../../services/context.ts";

/** Compares each set that is read, and is not to be built again, with a live count of the same list; both by every sort. */
export async function differencesOfSets({
  pool,
}: ServiceContext): Promise<{ sets: number; rows: number; differences: unknown[] }> {
  const ready = await pool.any(sql.type(z.object({ subject_id: count, row_group: z.enum(relatedGroups) }))`
    select subject_id, row_group from relation_set as ready where state = 'ready' and not exists (
      select from relation_set as wanted where wanted.subject_id = ready.subject_id and wanted.row_group = ready.row_group and wanted.state = 'wanted'
    ) order by id`);
  const differences: unknown[] = [];
  let rows = 0;
  for (const { subject_id: entityId, row_group: group } of ready) {
    const subject = await findEntityById(pool, entityId);
    if (subject === null) throw new Error(`no entity ${entityId}`);
    const { setId, ...source } = await findRelatedSource(pool, entityId, group);
    for (const sort of ["date", "name", "mentions"] as const) {
      const ask = {
        subject: { entityId, memberIds: subject.memberIds, platformChannelIds: source.platformChannelIds },
        group,
        lastMentionId: source.lastMentionId,
        search: null,
        sort,
        order: "desc",
        limit: 1000,
        after: null,
      } as const;
      const [kept, live] = [
        await readRelatedPage(pool, { ...ask, setId }),
        await readRelatedPage(pool, { ...ask, setId: null }),
      ];
      rows += kept.length;
      const [keptLines, liveLines] = [kept.map(lineOf), live.map(lineOf)];
      if (keptLines.join("\n") !== liveLines.join("\n"))
        differences.push({ entityId, group, sort, kept: keptLines, live: liveLines });
    }
  }
  return { sets: ready.length, rows, differences };
}

function lineOf(row: RelatedRow): string {
  const { numericId, name, description, mentionCount, mediaCount, firstSeenAt, lastSeenAt, sortValues } = row;
  const seen = [firstSeenAt, lastSeenAt].map((at) => at?.toISOString() ?? "never").join(" to ");
  return `${numericId} ${name} (${description}, ${sortValues.name}): ${mentionCount} in ${mediaCount}, ${seen}`;
}
