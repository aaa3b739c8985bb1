-- Up Migration

-- Of what is no result: what it is a duplicate of. It is left out for as long as the two are two, and that one is a result itself.
alter table search_review add column duplicate_of_id bigint references entity (id);
update search_review set duplicate_of_id = (
    select entity.id from review_row join feedback_correction as correction on correction.id = review_row.correction_id
      cross join lateral (
        select case when resolved_issue_type is null then suggested_change else resolved_change end ->> 'duplicate_of' as original
      ) as said
      join entity on entity.id = substring(said.original from '^ent_(\d{1,15})$')::bigint
    where review_row.table_name = 'search_review' and review_row.reverted_at is null and review_row.after ->> 'verdict' = 'hidden'
      and review_row.row_key = jsonb_build_object('key', search_review.key, 'entity_id', search_review.entity_id)
    order by review_row.id desc limit 1
  ) where verdict = 'hidden';

-- What reviewers say of a sponsor is said of the rows of each entity that read as it then, and of those alone: what is merged into it later
-- brings its own along. What was said of merged ones before is said of all of them; it goes where the correction is taken back.
create index sponsor_review_entity on sponsor_review (entity_id);
with told as (
  select distinct on (said.channel_id, member.id) said.*, member.id as member_id, review_row.correction_id
  from sponsor_review as said join entity as member on member.canonical_id = said.entity_id
    join review_row on review_row.table_name = 'sponsor_review' and review_row.reverted_at is null
      and review_row.row_key = jsonb_build_object('channel_id', said.channel_id, 'entity_id', said.entity_id)
      and (review_row.after ->> 'is_sponsor' = 'false' or review_row.after ->> 'status' is not null)
  where (not said.is_sponsor or said.status is not null)
    and not exists (select from sponsor_review as own where own.channel_id = said.channel_id and own.entity_id = member.id)
  order by said.channel_id, member.id, review_row.id desc
), added as (
  insert into sponsor_review (channel_id, entity_id, is_sponsor, ad_reads_added, status, status_at)
  select channel_id, member_id, is_sponsor, 0, status, status_at from told returning *
)
insert into review_row (correction_id, table_name, row_key, before, after)
  select correction_id, 'sponsor_review', jsonb_build_object('channel_id', added.channel_id, 'entity_id', added.entity_id), null, to_jsonb(added)
  from added join told on told.channel_id = added.channel_id and told.member_id = added.entity_id;

-- When a sponsor counts as last seen for its status, where reviewers say another than its rows do.
alter table channel_sponsor add column judged_at timestamptz(3);
drop index channel_sponsor_list;
create index channel_sponsor_list on channel_sponsor (channel_id, is_known, ad_read_level, sorted_at desc, entity_id desc) include (ad_read_count)
  where judged_at is null;
create index channel_sponsor_judged on channel_sponsor (channel_id, is_known, ad_read_level, sorted_at desc, entity_id desc) include (ad_read_count)
  where judged_at is not null;

drop function sum_sponsors, review_sponsors, sum_sponsors_as_found;

-- Brings the sponsors (channel, canonical entity) to what the tallies of their members say and what reviewers say of each of those, the
-- channels' totals with them, and marks the brand profiles. The caller holds locks on the entities. The planner is kept to indexes, which
-- fit however the tables have grown since it last looked. 90 days: as in domain/sponsors.ts.
create function sum_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  with pair as materialized (
    select distinct channel_id collate "C" as channel_id, entity_id from unnest(channel_ids, entity_ids) as pair (channel_id, entity_id)
  ), member as materialized (
    -- an entity that was merged away has none
    select pair.*, case when entity.canonical_id is null then entity.id end as member_id from pair join entity on entity.id = pair.entity_id
    union all
    select pair.*, entity.id from pair join entity on entity.canonical_id = pair.entity_id
  ), found as materialized (
    select member.*, tally.row_count, tally.ad_read_count, tally.endorsement_count, tally.confidence_sum, tally.first_seen_at, tally.last_seen_at,
      tally.latest_id, tally.latest_sorted_at, tally.promo_codes, tally.entity_id as tallied_id, known.entity_id is not null as is_curated,
      said.ad_reads_added, case when said.is_sponsor then said.status end as status, said.status_at
    from member
    left join sponsor_review as said on said.channel_id = member.channel_id and said.entity_id = member_id
    left join commercial_tally as tally on tally.channel_id = member.channel_id and tally.entity_id = member_id and said.is_sponsor is not false
    left join known_advertiser as known on known.channel_id = member.channel_id and known.entity_id = member_id and said.is_sponsor is not false
  ), summed as materialized (
    select channel_id, entity_id, coalesce(sum(row_count), 0)::bigint as row_count,
      -- what makes no sponsor has no ad reads, whatever is said of their number
      case when sum(row_count) > 0 or bool_or(is_curated)
        then greatest(coalesce(sum(ad_read_count), 0) + coalesce(sum(ad_reads_added), 0), 0) else 0 end::bigint as ad_read_count,
      coalesce(sum(endorsement_count), 0)::bigint as endorsement_count,
      coalesce(sum(confidence_sum), 0) as confidence_sum, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
      max(case when status = 'active' then greatest(last_seen_at, status_at)
        when status is not null and last_seen_at <= status_at
          then least(last_seen_at, status_at - interval '90 days 1 minute')
        else last_seen_at end) as counts_at,
      (array_agg(latest_id order by latest_sorted_at desc nulls last, latest_id desc))[1] as latest_id,
      case when count(tallied_id) < 2 then coalesce(max(promo_codes), '{}') else array(
        select distinct code from commercial_tally as coded, unnest(coded.promo_codes) as code
        where coded.channel_id = found.channel_id and coded.entity_id = any (array_agg(tallied_id)) order by code
      ) end as promo_codes,
      bool_or(case status when 'known' then is_curated or row_count > 0 when 'lapsed' then false else is_curated end) as is_known,
      bool_or(is_curated) as is_curated
    from found group by channel_id, entity_id
  ), gone as (
    delete from channel_sponsor using summed
    where channel_sponsor.channel_id = summed.channel_id and channel_sponsor.entity_id = summed.entity_id
      and summed.row_count = 0 and not summed.is_curated
  ), written as (
    insert into channel_sponsor (channel_id, entity_id, row_count, ad_read_count, endorsement_count, confidence_sum, first_seen_at,
      last_seen_at, sorted_at, judged_at, latest_id, promo_codes, is_known)
    select channel_id, entity_id, row_count, ad_read_count, endorsement_count, confidence_sum, first_seen_at, last_seen_at,
      coalesce(last_seen_at, '0001-01-01Z'), case when counts_at is distinct from last_seen_at then counts_at end, latest_id, promo_codes,
      coalesce(is_known, false)
    from summed where row_count > 0 or is_curated order by channel_id, entity_id
    on conflict (channel_id, entity_id) do update set row_count = excluded.row_count, ad_read_count = excluded.ad_read_count,
      endorsement_count = excluded.endorsement_count, confidence_sum = excluded.confidence_sum, first_seen_at = excluded.first_seen_at,
      last_seen_at = excluded.last_seen_at, sorted_at = excluded.sorted_at, judged_at = excluded.judged_at, latest_id = excluded.latest_id,
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

-- As before, and along with what reviewers say.
create or replace function move_commerce() returns trigger language plpgsql as $$
declare
  was bigint := coalesce(old.canonical_id, old.id);
  is_now bigint := coalesce(new.canonical_id, new.id);
  channel_ids text[];
begin
  -- most entities have nothing to take along, and a merge moves all that had been merged before
  channel_ids := array(
    select channel_id from commercial_tally where entity_id = new.id union select channel_id from known_advertiser where entity_id = new.id
    union select channel_id from sponsor_review where entity_id = new.id
  );
  if cardinality(channel_ids) = 0 then return null; end if;
  perform lock_entities(array[was, is_now]);
  perform sum_sponsors(
    channel_ids || channel_ids,
    array_fill(was, array[cardinality(channel_ids)]) || array_fill(is_now, array[cardinality(channel_ids)])
  );
  perform sum_brand_profiles(array[was, is_now]);
  return null;
end $$;

-- The sponsors of a channel that were seen last, at most so many, of runs of the same knownness and level, each with its bounds, which are
-- about when one counts as last seen.
create or replace function newest_sponsors(
  channel text, run_known boolean[], run_levels smallint[], run_least_reads bigint[], run_from timestamptz[], run_before timestamptz[],
  before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, entity_id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select listed.*
    from unnest(run_known, run_levels, run_least_reads, run_from, run_before) as run (is_known, level, least_reads, seen_from, seen_before)
    cross join lateral (
      (select sponsor.sorted_at, sponsor.entity_id from channel_sponsor as sponsor
      where sponsor.channel_id = channel and sponsor.is_known = run.is_known and sponsor.ad_read_level = run.level
        and sponsor.judged_at is null and sponsor.ad_read_count >= run.least_reads and sponsor.sorted_at >= run.seen_from
        and (sponsor.sorted_at, sponsor.entity_id)
          < (least(run.seen_before, before_at), case when run.seen_before <= before_at then 0 else before_id end)
      order by sponsor.sorted_at desc, sponsor.entity_id desc limit most)
      union all
      (select sponsor.sorted_at, sponsor.entity_id from channel_sponsor as sponsor
      where sponsor.channel_id = channel and sponsor.is_known = run.is_known and sponsor.ad_read_level = run.level
        and sponsor.judged_at is not null and sponsor.judged_at >= run.seen_from and sponsor.judged_at < run.seen_before
        and sponsor.ad_read_count >= run.least_reads and (sponsor.sorted_at, sponsor.entity_id) < (before_at, before_id)
      order by sponsor.sorted_at desc, sponsor.entity_id desc limit most)
    ) as listed
    order by listed.sorted_at desc, listed.entity_id desc limit most;
end $$;

-- The sponsors that something is said of are brought to it.
do $$ begin
  perform sum_sponsors(array_agg(sponsor_review.channel_id), array_agg(coalesce(canonical_id, id)))
    from sponsor_review join entity on entity.id = sponsor_review.entity_id having count(*) > 0;
end $$;

-- Down Migration

drop function sum_sponsors;
create function sum_sponsors_as_found(channel_ids text[], entity_ids bigint[]) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
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

create function review_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql as $$
begin
  with pair as materialized (
    select distinct channel_id collate "C" as channel_id, entity_id from unnest(channel_ids, entity_ids) as pair (channel_id, entity_id)
  ), review as materialized (
    select distinct on (pair.channel_id, pair.entity_id) pair.channel_id, pair.entity_id, said.is_sponsor, said.ad_reads_added, said.status,
      said.status_at
    from pair
      join entity as member on (member.id = pair.entity_id and member.canonical_id is null) or member.canonical_id = pair.entity_id
      join sponsor_review as said on said.channel_id = pair.channel_id and said.entity_id = member.id
    order by pair.channel_id, pair.entity_id, member.id <> pair.entity_id, member.id
  ), reviewed as materialized (
    select review.*, found.row_count, found.ad_read_count, found.endorsement_count, greatest(found.ad_read_count + review.ad_reads_added, 0) as reads,
      case when review.status = 'active' then greatest(found.last_seen_at, review.status_at)
        when review.status is not null and found.last_seen_at <= review.status_at
          then least(found.last_seen_at, review.status_at - interval '90 days 1 minute')
        else found.last_seen_at end as seen_at,
      case review.status when 'known' then true when 'lapsed' then false else found.is_known end as known
    from review join channel_sponsor as found using (channel_id, entity_id)
  ), gone as (
    delete from channel_sponsor using reviewed where channel_sponsor.channel_id = reviewed.channel_id
      and channel_sponsor.entity_id = reviewed.entity_id and not reviewed.is_sponsor
  ), changed as (
    update channel_sponsor set ad_read_count = reads, is_known = known, last_seen_at = seen_at,
      first_seen_at = least(channel_sponsor.first_seen_at, seen_at), sorted_at = coalesce(seen_at, '0001-01-01Z')
    from reviewed where channel_sponsor.channel_id = reviewed.channel_id and channel_sponsor.entity_id = reviewed.entity_id and reviewed.is_sponsor
  ), difference as (
    select channel_id,
      sum((is_sponsor and reads >= 3)::int - (ad_read_count >= 3)::int) as frequent_sponsor_count,
      sum(case when is_sponsor then 0 else -row_count end) as row_count,
      sum(case when is_sponsor then reads else 0 end - ad_read_count) as ad_read_count,
      sum(case when is_sponsor then 0 else -endorsement_count end) as endorsement_count
    from reviewed group by channel_id
  )
  update channel_commerce as commerce set frequent_sponsor_count = commerce.frequent_sponsor_count + difference.frequent_sponsor_count,
    row_count = commerce.row_count + difference.row_count, ad_read_count = commerce.ad_read_count + difference.ad_read_count,
    endorsement_count = commerce.endorsement_count + difference.endorsement_count
  from difference where commerce.channel_id = difference.channel_id;
end $$;

create function sum_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql as $$
begin
  perform sum_sponsors_as_found(channel_ids, entity_ids);
  if exists (select from sponsor_review where channel_id = any (channel_ids)) then
    perform review_sponsors(channel_ids, entity_ids);
  end if;
end $$;

create or replace function move_commerce() returns trigger language plpgsql as $$
declare
  was bigint := coalesce(old.canonical_id, old.id);
  is_now bigint := coalesce(new.canonical_id, new.id);
  channel_ids text[];
begin
  -- most entities have nothing to take along, and a merge moves all that had been merged before
  if not exists (select from commercial_tally where entity_id = new.id) and not exists (select from known_advertiser where entity_id = new.id) then
    return null;
  end if;
  channel_ids := array(
    select channel_id from commercial_tally where entity_id = new.id union select channel_id from known_advertiser where entity_id = new.id
  );
  perform lock_entities(array[was, is_now]);
  perform sum_sponsors(
    channel_ids || channel_ids,
    array_fill(was, array[cardinality(channel_ids)]) || array_fill(is_now, array[cardinality(channel_ids)])
  );
  perform sum_brand_profiles(array[was, is_now]);
  return null;
end $$;

create or replace function newest_sponsors(
  channel text, run_known boolean[], run_levels smallint[], run_least_reads bigint[], run_from timestamptz[], run_before timestamptz[],
  before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, entity_id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select listed.*
    from unnest(run_known, run_levels, run_least_reads, run_from, run_before) as run (is_known, level, least_reads, seen_from, seen_before)
    cross join lateral (
      select sponsor.sorted_at, sponsor.entity_id from channel_sponsor as sponsor
      where sponsor.channel_id = channel and sponsor.is_known = run.is_known and sponsor.ad_read_level = run.level
        and sponsor.ad_read_count >= run.least_reads and sponsor.sorted_at >= run.seen_from
        and (sponsor.sorted_at, sponsor.entity_id)
          < (least(run.seen_before, before_at), case when run.seen_before <= before_at then 0 else before_id end)
      order by sponsor.sorted_at desc, sponsor.entity_id desc limit most
    ) as listed
    order by listed.sorted_at desc, listed.entity_id desc limit most;
end $$;

-- The sponsors that something is said of are brought to it.
do $$ begin
  perform sum_sponsors(array_agg(sponsor_review.channel_id), array_agg(coalesce(canonical_id, id)))
    from sponsor_review join entity on entity.id = sponsor_review.entity_id having count(*) > 0;
end $$;

drop index channel_sponsor_judged, channel_sponsor_list, sponsor_review_entity;
alter table channel_sponsor drop column judged_at;
create index channel_sponsor_list on channel_sponsor (channel_id, is_known, ad_read_level, sorted_at desc, entity_id desc) include (ad_read_count);
alter table search_review drop column duplicate_of_id;
