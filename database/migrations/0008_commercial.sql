-- Up Migration

-- Commercial rows are narrowed by class, dispute and confidence, and listed newest first. Each row lies in one stratum of the three
-- (domain/recommendationStrata.ts says how they are numbered); a list reads the newest of the strata that it asks for, whatever lies in others.
create function recommendation_stratum(mention_class text, conflict_status text, confidence double precision) returns smallint
  language sql immutable parallel safe
  return ((case mention_class when 'ad_read' then 0 when 'endorsement' then 16 else 32 end)
    + (case conflict_status when 'disputed' then 8 else 0 end)
    + width_bucket(confidence, array[0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1]::double precision[]))::smallint;
alter table recommendation
  add column stratum smallint not null generated always as (recommendation_stratum(mention_class, conflict_status, confidence)) stored;
create index recommendation_entity on recommendation (entity_id, stratum, sorted_at desc, id desc) include (confidence);
create index recommendation_channel on recommendation (channel_id, stratum, sorted_at desc, id desc) include (confidence, entity_id);
create index recommendation_entity_channel on recommendation (channel_id, entity_id, stratum, sorted_at desc, id desc) include (confidence);
create index if not exists video_channel on video (channel_id);

-- What a channel's commercial rows about an entity, as it was detected, add up to. Disputed rows count in disputed_count alone.
create table commercial_tally (
  channel_id text collate "C" not null,
  entity_id bigint not null,
  row_count bigint not null check (row_count >= 0),
  ad_read_count bigint not null check (ad_read_count >= 0),
  endorsement_count bigint not null check (endorsement_count >= 0),
  disputed_count bigint not null check (disputed_count >= 0),
  -- exact, so that any order of additions gives the same
  confidence_sum numeric not null,
  -- of rows whose video has a known date
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3),
  -- the newest row, as lists order them
  latest_sorted_at timestamptz(3),
  latest_id bigint,
  -- in order, each once
  promo_codes text[] collate "C" not null,
  primary key (channel_id, entity_id)
);
create index commercial_tally_entity on commercial_tally (entity_id);

-- The same of canonical entities, with the curated ones: what the sponsors of a channel are listed from.
create table channel_sponsor (
  channel_id text collate "C" not null,
  entity_id bigint not null,
  row_count bigint not null,
  ad_read_count bigint not null,
  endorsement_count bigint not null,
  confidence_sum numeric not null,
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3),
  -- last_seen_at, year 1 where unknown: what lists are ordered by
  sorted_at timestamptz(3) not null,
  latest_id bigint,
  promo_codes text[] collate "C" not null,
  is_known boolean not null,
  -- ad_read_count in steps (domain/sponsors.ts): lists with a least count read those from its own step on
  ad_read_level smallint not null generated always as (width_bucket(ad_read_count, array[1, 3, 12, 48, 192]::bigint[])) stored,
  primary key (channel_id, entity_id)
);
create index channel_sponsor_list on channel_sponsor (channel_id, is_known, ad_read_level, sorted_at desc, entity_id desc) include (ad_read_count);
create index channel_sponsor_entity on channel_sponsor (entity_id);

-- A channel's totals over all its sponsors.
create table channel_commerce (
  channel_id text primary key collate "C",
  -- those with 3 ad reads or more
  frequent_sponsor_count bigint not null,
  row_count bigint not null,
  ad_read_count bigint not null,
  endorsement_count bigint not null
);

-- A canonical entity's totals over all channels. Made with its first commercial row or curated entry, summed up soon after.
create table brand_profile (
  entity_id bigint primary key references entity (id),
  total_ad_reads bigint not null default 0,
  total_endorsements bigint not null default 0,
  unique_shows bigint not null default 0,
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3),
  channels_as_sponsor bigint not null default 0,
  computed_at timestamptz,
  -- since when it lags behind; null: it does not
  stale_since timestamptz
);
create index brand_profile_stale on brand_profile (stale_since) where stale_since is not null;

-- Locks the entities and what they were merged into, in one order everywhere, until none of them can be merged anew.
create function lock_with_canonical(ids bigint[]) returns void language plpgsql as $$
declare
  locked bigint[] := '{}';
  wanted bigint[];
begin
  loop
    select array_agg(id) into wanted
      from (select unnest(ids) as id union select canonical_id from entity where entity.id = any (ids) and canonical_id is not null) as both_ends;
    exit when not exists (select unnest(wanted) except select unnest(locked));
    perform from entity where id = any (wanted) order by id for no key update;
    locked := wanted;
  end loop;
end $$;

-- Brings the sponsors (channel, canonical entity) to what the tallies of their members say, the channels' totals with them, and marks the
-- brand profiles. The caller holds locks on the entities. The planner is kept to indexes, which fit however the tables have grown since it
-- last looked.
create function sum_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with pair as materialized (
    select distinct channel_id collate "C" as channel_id, entity_id from unnest(channel_ids, entity_ids) as pair (channel_id, entity_id)
  ), member as materialized (
    -- an entity that was merged away has none
    select pair.*, case when entity.canonical_id is null then entity.id end as member_id from pair join entity on entity.id = pair.entity_id
    union all
    select pair.*, entity.id from pair join entity on entity.canonical_id = pair.entity_id
  ), summed as materialized (
    select member.channel_id, member.entity_id, coalesce(sum(row_count), 0)::bigint as row_count,
      coalesce(sum(ad_read_count), 0)::bigint as ad_read_count, coalesce(sum(endorsement_count), 0)::bigint as endorsement_count,
      coalesce(sum(confidence_sum), 0) as confidence_sum, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
      (array_agg(latest_id order by latest_sorted_at desc nulls last, latest_id desc))[1] as latest_id,
      case when count(tally.entity_id) < 2 then coalesce(max(promo_codes), '{}') else array(
        select distinct code from commercial_tally as coded, unnest(coded.promo_codes) as code
        where coded.channel_id = member.channel_id and coded.entity_id = any (array_agg(member_id)) order by code
      ) end as promo_codes,
      bool_or(known.entity_id is not null) as is_known
    from member
    left join commercial_tally as tally on tally.channel_id = member.channel_id and tally.entity_id = member_id
    left join known_advertiser as known on known.channel_id = member.channel_id and known.entity_id = member_id
    group by member.channel_id, member.entity_id
  ), gone as (
    delete from channel_sponsor using summed
    where channel_sponsor.channel_id = summed.channel_id and channel_sponsor.entity_id = summed.entity_id
      and summed.row_count = 0 and not summed.is_known
  ), written as (
    insert into channel_sponsor (channel_id, entity_id, row_count, ad_read_count, endorsement_count, confidence_sum, first_seen_at,
      last_seen_at, sorted_at, latest_id, promo_codes, is_known)
    select channel_id, entity_id, row_count, ad_read_count, endorsement_count, confidence_sum, first_seen_at, last_seen_at,
      coalesce(last_seen_at, '0001-01-01Z'), latest_id, promo_codes, is_known
    from summed where row_count > 0 or is_known order by channel_id, entity_id
    on conflict (channel_id, entity_id) do update set row_count = excluded.row_count, ad_read_count = excluded.ad_read_count,
      endorsement_count = excluded.endorsement_count, confidence_sum = excluded.confidence_sum, first_seen_at = excluded.first_seen_at,
      last_seen_at = excluded.last_seen_at, sorted_at = excluded.sorted_at, latest_id = excluded.latest_id,
      promo_codes = excluded.promo_codes, is_known = excluded.is_known
  ), marked as (
    insert into brand_profile (entity_id, stale_since) select distinct entity_id, now() from member where member_id is not null order by 1
    on conflict (entity_id) do update set stale_since = excluded.stale_since where brand_profile.stale_since is null
  )
  insert into channel_commerce as commerce (channel_id, frequent_sponsor_count, row_count, ad_read_count, endorsement_count)
  select summed.channel_id, sum((summed.ad_read_count >= 3)::int - coalesce((before.ad_read_count >= 3)::int, 0)),
    sum(summed.row_count - coalesce(before.row_count, 0)), sum(summed.ad_read_count - coalesce(before.ad_read_count, 0)),
    sum(summed.endorsement_count - coalesce(before.endorsement_count, 0))
  from summed left join channel_sponsor as before on before.channel_id = summed.channel_id and before.entity_id = summed.entity_id
  group by summed.channel_id order by summed.channel_id
  on conflict (channel_id) do update set frequent_sponsor_count = commerce.frequent_sponsor_count + excluded.frequent_sponsor_count,
    row_count = commerce.row_count + excluded.row_count, ad_read_count = commerce.ad_read_count + excluded.ad_read_count,
    endorsement_count = commerce.endorsement_count + excluded.endorsement_count;
end $$;

-- Sums brand profiles up; those of entities without any commercial data, or that were merged away, go. The caller holds locks on the profiles.
create function sum_brand_profiles(ids bigint[]) returns void language plpgsql set enable_seqscan = off as $$
begin
  delete from brand_profile using entity where brand_profile.entity_id = any (ids) and entity.id = brand_profile.entity_id and (
    canonical_id is not null or (
      not exists (select from channel_sponsor where channel_sponsor.entity_id = entity.id)
      -- disputed rows alone make no sponsor
      and not exists (select from commercial_tally where commercial_tally.entity_id = entity.id)
      and not exists (select from entity as member join commercial_tally on commercial_tally.entity_id = member.id where member.canonical_id = entity.id)
    )
  );
  update brand_profile set (total_ad_reads, total_endorsements, unique_shows, first_seen_at, last_seen_at, channels_as_sponsor) = (
      select coalesce(sum(ad_read_count), 0), coalesce(sum(endorsement_count), 0), count(*) filter (where row_count > 0),
        min(first_seen_at), max(last_seen_at), count(*) filter (where is_known)
      from channel_sponsor where channel_sponsor.entity_id = brand_profile.entity_id
    ), computed_at = clock_timestamp(), stale_since = null
    where entity_id = any (ids);
end $$;

-- Sums up so many brand profiles, those that are stale for longest first, and says how many. What others are at work on is left to the next time.
create function sum_stale_brand_profiles(most integer) returns integer language plpgsql as $$
declare
  ids bigint[] := array(select entity_id from brand_profile where stale_since is not null order by stale_since limit most for update skip locked);
begin
  perform sum_brand_profiles(ids);
  return cardinality(ids);
end $$;

-- Counts the commercial rows of the pairs (channel, entity as detected) anew.
create function recount_commerce(channel_ids text[], entity_ids bigint[]) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  delete from commercial_tally using unnest(channel_ids, entity_ids) as pair (channel_id, entity_id)
    where commercial_tally.channel_id = pair.channel_id collate "C" and commercial_tally.entity_id = pair.entity_id;
  insert into commercial_tally
    select counted.* from unnest(channel_ids, entity_ids) as pair (channel_id, entity_id) cross join lateral (
      select channel_id, entity_id, count(*) filter (where conflict_status <> 'disputed'),
        count(*) filter (where conflict_status <> 'disputed' and mention_class = 'ad_read'),
        count(*) filter (where conflict_status <> 'disputed' and mention_class = 'endorsement'),
        count(*) filter (where conflict_status = 'disputed'),
        coalesce(sum(confidence::numeric) filter (where conflict_status <> 'disputed'), 0),
        min(sorted_at) filter (where conflict_status <> 'disputed' and sorted_at > '0001-01-01Z'),
        max(sorted_at) filter (where conflict_status <> 'disputed' and sorted_at > '0001-01-01Z'),
        max(sorted_at) filter (where conflict_status <> 'disputed'),
        (array_agg(id order by sorted_at desc, id desc) filter (where conflict_status <> 'disputed'))[1],
        coalesce(array_agg(distinct promo_code collate "C") filter (where conflict_status <> 'disputed' and promo_code is not null), '{}')
      from recommendation
      where recommendation.channel_id = pair.channel_id collate "C" and recommendation.entity_id = pair.entity_id
      group by channel_id, entity_id
    ) as counted;
end $$;

-- Follows commercial rows in the statement that writes them, whoever does. New rows are added to what was there. Where rows change or go,
-- their pairs are counted anew: the newest, the oldest and a code that goes cannot be subtracted.
create function tally_recommendations() returns trigger language plpgsql as $$
declare
  channel_ids text[];
  entity_ids bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids from (select distinct channel_id, entity_id from added) as pair;
  elsif tg_op = 'DELETE' then
    select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids from (select distinct channel_id, entity_id from removed) as pair;
  else
    select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids from (
      with was as (select id, channel_id, entity_id, sorted_at, mention_class, confidence, conflict_status, promo_code from removed),
        is_now as (select id, channel_id, entity_id, sorted_at, mention_class, confidence, conflict_status, promo_code from added)
      select channel_id, entity_id from (select * from was except select * from is_now) as before
      union
      select channel_id, entity_id from (select * from is_now except select * from was) as after
    ) as pair;
  end if;
  if entity_ids is null then return null; end if;
  perform lock_with_canonical(entity_ids);
  if tg_op = 'INSERT' then
    insert into commercial_tally as tally
      select channel_id, entity_id, count(*) filter (where conflict_status <> 'disputed'),
        count(*) filter (where conflict_status <> 'disputed' and mention_class = 'ad_read'),
        count(*) filter (where conflict_status <> 'disputed' and mention_class = 'endorsement'),
        count(*) filter (where conflict_status = 'disputed'),
        coalesce(sum(confidence::numeric) filter (where conflict_status <> 'disputed'), 0),
        min(sorted_at) filter (where conflict_status <> 'disputed' and sorted_at > '0001-01-01Z'),
        max(sorted_at) filter (where conflict_status <> 'disputed' and sorted_at > '0001-01-01Z'),
        max(sorted_at) filter (where conflict_status <> 'disputed'),
        (array_agg(id order by sorted_at desc, id desc) filter (where conflict_status <> 'disputed'))[1],
        coalesce(array_agg(distinct promo_code collate "C") filter (where conflict_status <> 'disputed' and promo_code is not null), '{}')
      from added group by channel_id, entity_id order by channel_id, entity_id
      on conflict (channel_id, entity_id) do update set row_count = tally.row_count + excluded.row_count,
        ad_read_count = tally.ad_read_count + excluded.ad_read_count,
        endorsement_count = tally.endorsement_count + excluded.endorsement_count,
        disputed_count = tally.disputed_count + excluded.disputed_count,
        confidence_sum = tally.confidence_sum + excluded.confidence_sum,
        first_seen_at = least(tally.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(tally.last_seen_at, excluded.last_seen_at),
        latest_sorted_at = greatest(tally.latest_sorted_at, excluded.latest_sorted_at),
        latest_id = case
          when excluded.latest_id is null or (tally.latest_sorted_at, tally.latest_id) > (excluded.latest_sorted_at, excluded.latest_id)
          then tally.latest_id else excluded.latest_id end,
        promo_codes = case when excluded.promo_codes <@ tally.promo_codes then tally.promo_codes
          else array(select distinct code from unnest(tally.promo_codes || excluded.promo_codes) as code order by code) end;
  else
    perform recount_commerce(channel_ids, entity_ids);
  end if;
  perform sum_sponsors(channel_ids, (
    select array_agg(coalesce(entity.canonical_id, entity.id) order by pair.n)
    from unnest(entity_ids) with ordinality as pair (entity_id, n) join entity on entity.id = pair.entity_id
  ));
  return null;
end $$;
create trigger recommendation_added after insert on recommendation referencing new table as added
  for each statement execute function tally_recommendations();
create trigger recommendation_removed after delete on recommendation referencing old table as removed
  for each statement execute function tally_recommendations();
create trigger recommendation_changed after update on recommendation referencing old table as removed new table as added
  for each statement execute function tally_recommendations();

create function follow_known_advertisers() returns trigger language plpgsql as $$
declare
  channel_ids text[];
  entity_ids bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids from added;
  else
    select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids from removed;
  end if;
  if entity_ids is null then return null; end if;
  perform lock_with_canonical(entity_ids);
  perform sum_sponsors(channel_ids, (
    select array_agg(coalesce(entity.canonical_id, entity.id) order by pair.n)
    from unnest(entity_ids) with ordinality as pair (entity_id, n) join entity on entity.id = pair.entity_id
  ));
  return null;
end $$;
create trigger known_advertiser_added after insert on known_advertiser referencing new table as added
  for each statement execute function follow_known_advertisers();
create trigger known_advertiser_removed after delete on known_advertiser referencing old table as removed
  for each statement execute function follow_known_advertisers();

-- An entity that is merged, or taken out of a merge, takes its share of its channels' sponsors along, and the profiles on both sides are
-- right at the commit.
create function move_commerce() returns trigger language plpgsql as $$
declare
  was bigint := coalesce(old.canonical_id, old.id);
  is_now bigint := coalesce(new.canonical_id, new.id);
  channel_ids text[];
begin
  select array_agg(channel_id) into channel_ids from (
    select channel_id from commercial_tally where entity_id = new.id union select channel_id from known_advertiser where entity_id = new.id
  ) as touched;
  if channel_ids is null then return null; end if;
  perform lock_with_canonical(array[was, is_now]);
  perform sum_sponsors(channel_ids || channel_ids, array_fill(was, array[cardinality(channel_ids)]) || array_fill(is_now, array[cardinality(channel_ids)]));
  perform sum_brand_profiles(array[was, is_now]);
  return null;
end $$;
create trigger entity_merged after update of canonical_id on entity for each row
  when (old.canonical_id is distinct from new.canonical_id) execute function move_commerce();

-- Counts all of it anew, from rows that were written with triggers off.
create function rebuild_commerce() returns void language plpgsql as $$
declare
  channel_ids text[];
  entity_ids bigint[];
begin
  truncate commercial_tally, channel_sponsor, channel_commerce, brand_profile;
  select array_agg(channel_id), array_agg(entity_id) into channel_ids, entity_ids
    from (select channel_id, entity_id from recommendation union select channel_id, entity_id from known_advertiser) as pair;
  if entity_ids is null then return; end if;
  perform recount_commerce(channel_ids, entity_ids);
  perform sum_sponsors(channel_ids, (
    select array_agg(coalesce(entity.canonical_id, entity.id) order by pair.n)
    from unnest(entity_ids) with ordinality as pair (entity_id, n) join entity on entity.id = pair.entity_id
  ));
end $$;
select rebuild_commerce();

-- Lists read runs of an index: rows with the same values before `sorted_at` in it, newest first. Of each run no more is read than the page
-- holds, and the newest of all runs are the page. The planner, which cannot know how long the runs are that it is given, would sometimes
-- read one whole and sort it: it is kept to the order of the index.

-- The newest commercial rows of members of an entity (null: of any entity), on channels (null: on any), at most so many. `types`: with channels
-- alone, only those of entities of these types.
create function newest_recommendations(
  member_ids bigint[], channel_ids text[], types text[], strata smallint[], min_confidence double precision,
  seen_from timestamptz, seen_until timestamptz, before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  if channel_ids is null then
    return query select run.* from unnest(member_ids) as member (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.entity_id = member.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and row.sorted_at <= seen_until and (row.sorted_at, row.id) < (before_at, before_id)
        order by row.sorted_at desc, row.id desc limit most
      ) as run
      order by run.sorted_at desc, run.id desc limit most;
  elsif member_ids is null then
    return query select run.* from unnest(channel_ids) as channel (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.channel_id = channel.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and row.sorted_at <= seen_until and (row.sorted_at, row.id) < (before_at, before_id)
          and (types is null or exists (
            select from entity as detected join entity as canonical on canonical.id = coalesce(detected.canonical_id, detected.id)
            where detected.id = row.entity_id and canonical.type = any (types)
          ))
        order by row.sorted_at desc, row.id desc limit most
      ) as run
      order by run.sorted_at desc, run.id desc limit most;
  else
    return query select run.* from unnest(channel_ids) as channel (id) cross join unnest(member_ids) as member (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.channel_id = channel.id and row.entity_id = member.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and row.sorted_at <= seen_until and (row.sorted_at, row.id) < (before_at, before_id)
        order by row.sorted_at desc, row.id desc limit most
      ) as run
      order by run.sorted_at desc, run.id desc limit most;
  end if;
end $$;

-- The sponsors of a channel that were seen last, at most so many, of runs of the same knownness and level, each with its bounds.
create function newest_sponsors(
  channel text, run_known boolean[], run_levels smallint[], run_least_reads bigint[], run_from timestamptz[], run_before timestamptz[],
  before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, entity_id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query select listed.*
    from unnest(run_known, run_levels, run_least_reads, run_from, run_before) as run (is_known, level, least_reads, seen_from, seen_before)
    cross join lateral (
      select sponsor.sorted_at, sponsor.entity_id from channel_sponsor as sponsor
      where sponsor.channel_id = channel and sponsor.is_known = run.is_known and sponsor.ad_read_level = run.level
        and sponsor.ad_read_count >= run.least_reads and sponsor.sorted_at >= run.seen_from and sponsor.sorted_at < run.seen_before
        and (sponsor.sorted_at, sponsor.entity_id) < (before_at, before_id)
      order by sponsor.sorted_at desc, sponsor.entity_id desc limit most
    ) as listed
    order by listed.sorted_at desc, listed.entity_id desc limit most;
end $$;

-- Entities with a page to look for an image on, those first that were never looked at.
create index entity_image_due on entity (image_checked_at nulls first, id)
  where canonical_id is null and (url is not null or (type = 'channel' and platform_id is not null))
    and (image_checked_at is not null or image_url is null);

-- Down Migration

drop index entity_image_due;
drop trigger entity_merged on entity;
drop trigger known_advertiser_added on known_advertiser;
drop trigger known_advertiser_removed on known_advertiser;
drop trigger recommendation_added on recommendation;
drop trigger recommendation_removed on recommendation;
drop trigger recommendation_changed on recommendation;
drop function newest_sponsors, newest_recommendations, rebuild_commerce, move_commerce, follow_known_advertisers, tally_recommendations, recount_commerce, sum_stale_brand_profiles, sum_brand_profiles, sum_sponsors, lock_with_canonical;
drop table brand_profile, channel_commerce, channel_sponsor, commercial_tally;
drop index video_channel, recommendation_entity_channel, recommendation_channel, recommendation_entity;
alter table recommendation drop column stratum;
drop function recommendation_stratum;
