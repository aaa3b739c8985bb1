import type { DateRange } from "../domain/dateRange.ts";
import type { SearchPiece } from "../domain/freeText.ts";
import { facetCount } from "../domain/mentionFacets.ts";
import { type MentionPosition, type MentionSelection, streamsOf, timeOf, whereAll } from "./mentionStreams.ts";
import { type SqlFragment, sql } from "./pool.ts";

const mostOfStream = 1000;
const leastOfStream = 40;
const mostOfAll = 2000;

/**
 * The newest mentions of a selection that hold what it searches for, at most `limit`, as a table (sorted_at, id). First the selection's
 * newest mentions, a bounded number, are read through: that fills the page of a common word, or ends the list of a rare entity. What is
 * missing is then found month by month in the index of words.
 */
export function newestMatches(
  selection: MentionSelection,
  search: readonly SearchPiece[],
  after: MentionPosition | null,
  limit: number,
): SqlFragment {
  const streams = streamsOf(selection, after);
  const share = Math.ceil(mostOfAll / streams.reduce((sum, { count }) => sum + count, 0));
  const ofStream = Math.min(mostOfStream, Math.max(leastOfStream, share));
  const runs = streams.map(
    ({ sources, conditions }) => sql.fragment`
      (select run.* from ${sources} cross join lateral (
        select sorted_at, id, case when count(*) over () = ${ofStream} then min(sorted_at) over () end as reached from (
          select mention.sorted_at, mention.id from mention ${whereAll(conditions)} order by mention.sorted_at desc, mention.id desc limit ${ofStream}
        ) as newest
      ) as run)`,
  );
  const pieces = folded(search.filter(({ isPrefix }) => !isPrefix));
  const prefixPieces = folded(search.filter(({ isPrefix }) => isPrefix));
  const { memberIds, channelId, entityGroup, facets, dates } = selection;
  return sql.fragment`
    with asked as materialized (
      select pieces, prefix_pieces, search_patterns(pieces, prefix_pieces) as patterns from (select ${pieces} as pieces, ${prefixPieces} as prefix_pieces) as folded
    ),
    recent as materialized (${sql.join(runs, sql.fragment` union all `)}),
    edge as materialized (select max(reached) as sorted_at from recent),
    recent_matches as materialized (
      select recent.sorted_at, recent.id
      from (
        select sorted_at, id from recent where sorted_at > coalesce((select sorted_at from edge), '-infinity') order by sorted_at desc, id desc
      ) as recent cross join lateral (
        select from mention where mention.id = recent.id and mention.words like all ((select patterns from asked)::text[]) offset 0
      ) as holding
      order by recent.sorted_at desc, recent.id desc limit ${limit}
    ),
    older_matches as (
      select older.sorted_at, older.id from edge cross join asked cross join lateral mentions_with_words(
        asked.pieces, asked.prefix_pieces, ${memberIds === null ? null : sql.array([...memberIds], "int8")}::int8[], ${channelId}::text,
        ${facets.length === facetCount ? null : sql.array([...facets], "int2")}::int2[], ${entityGroup}::text,
        ${
          after === null
            ? sql.fragment`edge.sorted_at, 9223372036854775807`
            : sql.fragment`least(edge.sorted_at, ${timeOf(after.sortedAt)}),
          case when edge.sorted_at < ${timeOf(after.sortedAt)} then 9223372036854775807 else ${after.id}::int8 end`
        },
        ${oldest(dates)}, ${limit} - (select count(*) from recent_matches)::int4
      ) as older
      where edge.sorted_at is not null
    )
    select * from (select * from recent_matches union all select * from older_matches) as matches limit ${limit}`;
}

function folded(pieces: readonly SearchPiece[]): SqlFragment {
  const texts = pieces.map(({ text }) => text);
  return sql.fragment`array(select folded_words(piece) from unnest(${sql.array(texts, "text")}) as piece)`;
}

/** What has no date has the year 1, and is in no range of dates. */
function oldest({ from, to }: DateRange): SqlFragment {
  if (from !== null) return sql.fragment`greatest(${timeOf(from.getTime())}, '0001-01-02Z')`;
  return to === null ? sql.fragment`'-infinity'` : sql.fragment`'0001-01-02Z'`;
}
