import { z } from "zod";
import { count, type Pool, sql } from "../../database/pool.ts";
import { insertWantedSets } from "../../database/relationSets.ts";
import { relatedSorts, type SubjectGroup } from "../../domain/relatedLists.ts";
import type { ServiceContext } from "../../services/context.ts";
import { buildWantedSet } from "../../services/related/keepRelations.ts";
import type { RelatedQuery } from "../../services/related/listRelated.ts";

const rareMentions = 60;
const subjectGroups = ["topic", "product", "organization", "channel"] as const;

type Narrowed = Pick<RelatedQuery, "search" | "sort" | "order">;

interface RelatedCase {
  name: string;
  /** Looks the subject up; what is left is the page. */
  query: (pool: Pool) => Promise<Omit<RelatedQuery, "limit" | "after">>;
}

/** Counts what an installation's schedule would have counted by now, for indexes that were filled without their triggers. */
export async function prepareRelated(context: ServiceContext): Promise<void> {
  const { heavyMentions } = context.settings.relatedLists;
  const subjects = await Promise.all(subjectGroups.map((group) => findSubject(context.pool, group, "top")));
  await insertWantedSets(
    context.pool,
    { entityIds: subjects.map(({ entityId }) => entityId), channelIds: [] },
    heavyMentions,
  );
  while ((await buildWantedSet(context)).built);
}

/** The related lists of the most-mentioned entity of each kind and of one that few mention, by every sort, with and without `q`. */
export const relatedCases: readonly RelatedCase[] = [
  ...subjectGroups.flatMap((group) => [related(group, "top", {}), related(group, "rare", {})]),
  ...relatedSorts.flatMap((sort) => [
    related("topic", "top", { sort, order: "asc" }),
    related("topic", "top", { sort, order: "desc" }),
    related("topic", "top", { sort, search: { text: "7", field: "any" } }),
    related("topic", "top", { sort, search: { text: "y 777", field: "name" } }),
    related("topic", "rare", { sort, search: { text: "7", field: "any" } }),
  ]),
];

function related(group: SubjectGroup, which: "top" | "rare", narrowed: Partial<Narrowed>): RelatedCase {
  const filters: Narrowed = { search: null, sort: "date", order: "desc", ...narrowed };
  const words = filters.search === null ? "" : `, q=${filters.search.text}`;
  return {
    name: `related: ${which} ${group} by ${filters.sort} ${filters.order}${words}`,
    query: async (pool) => ({
      slug: (await findSubject(pool, group, which)).slug,
      subjectGroup: group,
      ...filters,
    }),
  };
}

/** The most-mentioned entity of that type, or one with about as many mentions whatever the size of the index. */
function findSubject(pool: Pool, type: SubjectGroup, which: "top" | "rare") {
  const distance = which === "top" ? sql.fragment`-mention_count` : sql.fragment`abs(mention_count - ${rareMentions})`;
  return pool.one(sql.type(
    z.object({ id: count, slug: z.string() }).transform(({ id, slug }) => ({ entityId: id, slug })),
  )`
    select id, slug from entity where type = ${type} order by ${distance}, id limit 1`);
}
