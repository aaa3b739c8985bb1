import type { DateRange } from "../domain/dateRange.ts";
import { type AppearanceRole, type EntityGroup, entityGroups } from "../domain/evidence.ts";
import type { SearchPiece } from "../domain/freeText.ts";
import { facetCount } from "../domain/mentionFacets.ts";
import { type SqlFragment, sql } from "./pool.ts";

/** Which mentions a list holds. */
export interface MentionSelection {
  /** Whose mentions they are, given by all ids of the entity; null: anybody's. */
  memberIds: readonly number[] | null;
  /** On which channel; null: on any. */
  channelId: string | null;
  /** Where `memberIds` is null: only those of entities of this group. */
  entityGroup: EntityGroup | null;
  /** domain/mentionFacets.ts. */
  facets: readonly number[];
  /** Of appearances of an entity: only those in this role. */
  role: AppearanceRole | null;
  /** What their quotes hold. */
  search: readonly SearchPiece[] | null;
  dates: DateRange;
}

/** A place in a list of mentions: `sortedAt` in epoch milliseconds. */
export interface MentionPosition {
  sortedAt: number;
  id: number;
}

/** Runs of an index, newest first: `count` of them, one for each row of `sources`. */
interface Streams {
  count: number;
  sources: SqlFragment;
  conditions: readonly SqlFragment[];
}

/**
 * The newest mentions of a selection, at most `limit`, as a table (sorted_at, id). Rows with the same values in the columns before
 * `sorted_at` of an index are a stream, newest first: of each no more are read than the page holds, and the newest of them all are the page.
 * So the work, and the one sort, is streams × page, however many mentions there are.
 */
export function newestMentions(selection: MentionSelection, after: MentionPosition | null, limit: number): SqlFragment {
  const runs = streamsOf(selection, after).map(
    ({ sources, conditions }) => sql.fragment`
      (select run.* from ${sources} cross join lateral (
        select mention.sorted_at, mention.id from mention ${whereAll(conditions)} order by mention.sorted_at desc, mention.id desc limit ${limit}
      ) as run)`,
  );
  return sql.fragment`
    select sorted_at, id from (${sql.join(runs, sql.fragment` union all `)}) as merged order by sorted_at desc, id desc limit ${limit}`;
}

/** The streams that hold a selection's mentions after a position, whatever it searches for. */
export function streamsOf(selection: MentionSelection, after: MentionPosition | null): Streams[] {
  const { memberIds, channelId, entityGroup, facets, role, dates } = selection;
  const within = [...positionConditions(after, dates.to), ...dateConditions(dates)];
  const onChannel = channelId === null ? [] : [sql.fragment`mention.channel_id = ${channelId}`];
  const ofFacets = sql.fragment`unnest(${sql.array([...facets], "int2")}) as facet (n)`;
  const ofMember = [sql.fragment`mention.entity_id = member.id`, ...onChannel];
  const hasFacet = sql.fragment`mention.facet = facet.n`;
  if (memberIds !== null) {
    const members = sql.fragment`unnest(${sql.array([...memberIds], "int8")}) as member (id)`;
    if (role === null)
      return [
        {
          count: memberIds.length * facets.length,
          sources: sql.fragment`${members} cross join ${ofFacets}`,
          conditions: [...ofMember, hasFacet, ...within],
        },
      ];
    const inRole = sql.fragment`mention.is_appearance and mention.appearance_role = ${role}`;
    return [{ count: memberIds.length, sources: members, conditions: [...ofMember, inRole, ...within] }];
  }
  if (channelId === null && entityGroup === null && facets.length === facetCount)
    return [{ count: 1, sources: sql.fragment`(select) as everything`, conditions: within }];
  const types = entityGroup === null ? entityGroups : [entityGroup];
  const ofTypes = sql.fragment`unnest(${sql.array([...types], "text")}) as type (name) cross join ${ofFacets}`;
  const typed = [...onChannel, sql.fragment`mention.entity_type = type.name`, hasFacet, ...within];
  const count = types.length * facets.length;
  if (entityGroup === null) return [{ count, sources: ofTypes, conditions: typed }];
  // Mentions whose entity changed its type since they were written are found by their entity, not by the type that they carry.
  const notRetyped = sql.fragment`mention.entity_id <> all (array(select entity_id from retyped_entity))`;
  const retyped = sql.fragment`(select entity_id as id from retyped_entity where entity_type = ${entityGroup}) as member`;
  return [
    { count, sources: ofTypes, conditions: [...typed, notRetyped] },
    {
      // few, and soon none
      count: 0,
      sources: sql.fragment`${retyped} cross join ${ofFacets}`,
      conditions: [...ofMember, hasFacet, ...within],
    },
  ];
}

export function whereAll(conditions: readonly SqlFragment[]): SqlFragment {
  return conditions.length === 0
    ? sql.fragment``
    : sql.fragment`where ${sql.join([...conditions], sql.fragment` and `)}`;
}

/**
 * Where a page begins. A position lies within the dates of its list, so that the last date says nothing beside it; and a scan that is given
 * both begins at the date and walks to the position.
 */
function positionConditions(after: MentionPosition | null, lastDate: Date | null): SqlFragment[] {
  if (after !== null)
    return [sql.fragment`(mention.sorted_at, mention.id) < (${timeOf(after.sortedAt)}, ${after.id}::int8)`];
  return lastDate === null ? [] : [sql.fragment`mention.sorted_at <= ${timeOf(lastDate.getTime())}`];
}

/** Without the last date, which is a matter of where the list begins. */
function dateConditions({ from, to }: DateRange): SqlFragment[] {
  return [
    ...(from === null && to === null ? [] : [sql.fragment`mention.sorted_at > ${undated}`]),
    ...(from === null ? [] : [sql.fragment`mention.sorted_at >= ${timeOf(from.getTime())}`]),
  ];
}

/** `sorted_at` of what has no date, and so is in no range of dates. */
const undated = sql.fragment`'0001-01-01Z'::timestamptz`;

/** A moment, as far from today as JavaScript can tell one. */
export function timeOf(epochMilliseconds: number): SqlFragment {
  return sql.fragment`to_timestamp(${epochMilliseconds}::float8 / 1000)`;
}
