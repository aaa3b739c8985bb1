import { type Pool, type SqlFragment, sql } from "../../database/pool.ts";
import { withoutIndexes } from "./withoutIndexes.ts";

/** What a generated index holds; everything follows from the number of mentions, so that two runs make the same rows. */
export const generated = {
  entities: 50_000,
  channels: 2000,
  words: 200_000,
  mentionsOfVideo: 20,
  years: 15,
  /** In 12 % of all mentions; a person. */
  mostMentionedId: 1,
  /** In as many mentions whatever the size: the last ids of these kinds. */
  rareId: 50_000,
  rareMentions: 60,
  /** On 10 % of all videos, and more. */
  biggestChannelId: "channel-1",
} as const;

const letters = "etaoinshrd";
/** The word of that rank: in about 1 / rank of all quotes. */
export function wordOfRank(rank: number): string {
  return String(rank).replaceAll(/\d/g, (digit) => letters[Number(digit)] ?? "");
}

/** A number from 0 to 1 for each row and purpose, the same in each run. */
function chance(row: SqlFragment, purpose: number): SqlFragment {
  return sql.fragment`((hashint8extended(${row}, ${purpose}::int8) & 4503599627370495) / 4503599627370496::float8)`;
}

/** A rank from 1 to `ranks`, each in proportion to 1 / rank (Zipf). */
function zipf(uniform: SqlFragment, ranks: number): SqlFragment {
  return sql.fragment`floor(exp(${uniform} * ln(${ranks}::float8)))::int8`;
}

const typeOfEntity = (
  id: SqlFragment,
) => sql.fragment`(array['channel', 'person', 'organization', 'person', 'organization', 'person',
  'product', 'person', 'product', 'topic'])[1 + ${id} % 10]`;

/**
 * Fills a migrated, empty database with Zipf-distributed entities, channels and words over 15 years: 20 mentions a video, 5 % of those of
 * persons appearances, 3 % inside ads, 40 % without a sentiment, and a commercial row beside each fiftieth. Indexes are dropped for the
 * load and made again, at two connections.
 */
export async function generateEvidence({ url, pool }: { url: string; pool: Pool }, mentions: number): Promise<void> {
  const videos = Math.ceil(mentions / generated.mentionsOfVideo);
  await run(
    pool,
    sql.fragment`insert into channel (id, name) select 'channel-' || n, 'Channel ' || n from generate_series(1, ${generated.channels}::int8) as n`,
  );
  await run(
    pool,
    sql.fragment`insert into entity (id, name, type, slug) select n, 'Entity ' || n, ${typeOfEntity(sql.fragment`n`)}, 'entity-' || n
      from generate_series(1, ${generated.entities}::int8) as n`,
  );
  await run(
    pool,
    sql.fragment`insert into video (id, title, channel_id, published_at, duration_seconds)
      select ${videoId(sql.fragment`n`)}, 'Video ' || n, 'channel-' || ${zipf(chance(sql.fragment`n`, 1), generated.channels)},
        case when n % 500 > 0 then timestamptz '2011-01-01Z' + ${chance(sql.fragment`n`, 2)} * ${generated.years} * interval '365 days' end, 600
      from generate_series(0, ${videos - 1}::int8) as n`,
  );
  await withoutIndexes(url, ["mention"], () => {
    const half = Math.ceil(mentions / 2);
    return Promise.all([run(pool, mentionsBetween(0, half - 1)), run(pool, mentionsBetween(half, mentions - 1))]);
  });
  await withoutIndexes(url, ["recommendation"], () => run(pool, recommendations));
  // What triggers would have counted.
  await run(pool, sql.fragment`do $$ begin perform rebuild_commerce(); end $$`);
  await run(
    pool,
    sql.fragment`update entity set mention_count = n, appearance_count = a
      from (select entity_id, count(*) as n, count(*) filter (where is_appearance) as a from mention group by entity_id) as sums where entity_id = id`,
  );
  await run(pool, sql.fragment`vacuum analyze`);
}

const run = (pool: Pool, statement: SqlFragment) => pool.query(sql.typeAlias("void")`${statement}`);

const videoId = (n: SqlFragment) => sql.fragment`'v' || lpad((${n})::text, 10, '0')`;

function mentionsBetween(first: number, last: number): SqlFragment {
  const word = zipf(sql.fragment`${chance(sql.fragment`n * 16 + slot`, 3)}`, generated.words);
  return sql.fragment`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance, appearance_role,
      speaking_seconds, in_ad, sentiment_score, confidence, source)
    select video.id, e, video.channel_id, coalesce(video.published_at, '0001-01-01Z'), ${typeOfEntity(sql.fragment`e`)},
      (n % ${generated.mentionsOfVideo}) * 30, (n % ${generated.mentionsOfVideo}) * 30 + 8,
      (select string_agg(translate((${word})::text, '0123456789', ${letters}), ' ') || '.' from generate_series(1, 12) as slot where n is not null),
      is_appearance,
      case when is_appearance then (array['host', 'host', 'host', 'co_host', 'guest', 'guest', 'guest', 'panelist', 'correspondent', 'soundbite'])
        [1 + floor(${chance(sql.fragment`n`, 4)} * 10)::int] end,
      case when is_appearance then 240 end, ${chance(sql.fragment`n`, 5)} < 0.03,
      case when ${chance(sql.fragment`n`, 6)} > 0.4 then ${chance(sql.fragment`n`, 7)} * 2 - 1 end, 0.5 + ${chance(sql.fragment`n`, 8)} / 2, 'import'
    from generate_series(${first}::int8, ${last}::int8) as n
    join video on video.id = ${videoId(sql.fragment`n / ${generated.mentionsOfVideo}`)}
    cross join lateral (select case when n < ${generated.rareMentions} then ${generated.rareId}
      when ${chance(sql.fragment`n`, 9)} < 0.12 then ${generated.mostMentionedId}
      else ${zipf(chance(sql.fragment`n`, 10), generated.entities - 1)} end as e) as entity
    cross join lateral (select e % 10 in (1, 3, 5, 7) and ${chance(sql.fragment`n`, 11)} < 0.05 as is_appearance) as signs`;
}

const recommendations = sql.fragment`
  insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, verbatim_quote, promo_code,
    confidence, source)
  select video_id, entity_id, channel_id, sorted_at, (array['ad_read', 'ad_read', 'endorsement', 'mention'])[1 + id % 4],
    start_seconds, end_seconds, quote, case when id % 8 = 0 then 'CODE' || id end, confidence, 'import'
  from mention where id % 50 = 0`;
