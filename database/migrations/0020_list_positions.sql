-- Up Migration

-- Where a page begins is one bound, not two: a scan that is given a date beside a position begins at the date and walks down to the position,
-- so that a page costs the more the deeper it is.
drop function newest_recommendations, newest_sponsors;

-- The newest commercial rows of members of an entity (null: of any entity), on channels (null: on any), at most so many. `types`: with channels
-- alone, only those of entities of these types.
create function newest_recommendations(
  member_ids bigint[], channel_ids text[], types text[], strata smallint[], min_confidence double precision,
  seen_from timestamptz, before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  batch integer := 40;
  candidate record;
  is_cut boolean;
  listed integer := 0;
begin
  if types is not null then
    -- Rows do not know the type of what they are about: it is looked up, for a batch of the newest at a time, until the page is full. A batch
    -- goes down to where the first of the runs was cut off, below which others may have rows in between.
    loop
      is_cut := false;
      for candidate in
        with run as materialized (
          select part.*, row_number() over (partition by channel.id, stratum.n order by part.sorted_at desc, part.id desc) as place
          from unnest(channel_ids) as channel (id) cross join unnest(strata) as stratum (n) cross join lateral (
            select row.sorted_at, row.id, row.entity_id from recommendation as row
            where row.channel_id = channel.id and row.stratum = stratum.n and row.confidence >= min_confidence
              and row.sorted_at >= seen_from and (row.sorted_at, row.id) < (before_at, before_id)
            order by row.sorted_at desc, row.id desc limit batch
          ) as part
        ), cut as (
          select run.sorted_at, run.id from run where place = batch order by run.sorted_at desc, run.id desc limit 1
        )
        select run.sorted_at, run.id, entity.type = any (types) as fits, run.id = cut.id as is_cut
        from run left join cut on true
        join entity as detected on detected.id = run.entity_id
        join entity on entity.id = coalesce(detected.canonical_id, detected.id)
        where cut.id is null or (run.sorted_at, run.id) >= (cut.sorted_at, cut.id)
        order by run.sorted_at desc, run.id desc
      loop
        if candidate.is_cut then
          is_cut := true;
          before_at := candidate.sorted_at;
          before_id := candidate.id;
        end if;
        continue when not candidate.fits;
        sorted_at := candidate.sorted_at;
        id := candidate.id;
        return next;
        listed := listed + 1;
        exit when listed = most;
      end loop;
      exit when listed = most or not is_cut;
      batch := least(batch * 2, 1000);
    end loop;
  elsif channel_ids is null then
    return query select run.* from unnest(member_ids) as member (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.entity_id = member.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and (row.sorted_at, row.id) < (before_at, before_id)
        order by row.sorted_at desc, row.id desc limit most
      ) as run
      order by run.sorted_at desc, run.id desc limit most;
  elsif member_ids is null then
    return query select run.* from unnest(channel_ids) as channel (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.channel_id = channel.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and (row.sorted_at, row.id) < (before_at, before_id)
        order by row.sorted_at desc, row.id desc limit most
      ) as run
      order by run.sorted_at desc, run.id desc limit most;
  else
    return query select run.* from unnest(channel_ids) as channel (id) cross join unnest(member_ids) as member (id) cross join unnest(strata) as stratum (n)
      cross join lateral (
        select row.sorted_at, row.id from recommendation as row
        where row.channel_id = channel.id and row.entity_id = member.id and row.stratum = stratum.n and row.confidence >= min_confidence
          and row.sorted_at >= seen_from and (row.sorted_at, row.id) < (before_at, before_id)
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

-- Down Migration

drop function newest_recommendations, newest_sponsors;

-- The newest commercial rows of members of an entity (null: of any entity), on channels (null: on any), at most so many. `types`: with channels
-- alone, only those of entities of these types.
create function newest_recommendations(
  member_ids bigint[], channel_ids text[], types text[], strata smallint[], min_confidence double precision,
  seen_from timestamptz, seen_until timestamptz, before_at timestamptz, before_id bigint, most integer
) returns table (sorted_at timestamptz, id bigint) language plpgsql stable rows 20
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  batch integer := 20;
  candidate record;
  is_cut boolean;
  listed integer := 0;
begin
  if types is not null then
    -- Rows do not know the type of what they are about: it is looked up, for a batch of the newest at a time, until the page is full. A batch
    -- goes down to where the first of the runs was cut off, below which others may have rows in between.
    loop
      is_cut := false;
      for candidate in
        with run as materialized (
          select part.*, row_number() over (partition by channel.id, stratum.n order by part.sorted_at desc, part.id desc) as place
          from unnest(channel_ids) as channel (id) cross join unnest(strata) as stratum (n) cross join lateral (
            select row.sorted_at, row.id, row.entity_id from recommendation as row
            where row.channel_id = channel.id and row.stratum = stratum.n and row.confidence >= min_confidence
              and row.sorted_at >= seen_from and row.sorted_at <= seen_until and (row.sorted_at, row.id) < (before_at, before_id)
            order by row.sorted_at desc, row.id desc limit batch
          ) as part
        ), cut as (
          select run.sorted_at, run.id from run where place = batch order by run.sorted_at desc, run.id desc limit 1
        )
        select run.sorted_at, run.id, entity.type = any (types) as fits, run.id = cut.id as is_cut
        from run left join cut on true
        join entity as detected on detected.id = run.entity_id
        join entity on entity.id = coalesce(detected.canonical_id, detected.id)
        where cut.id is null or (run.sorted_at, run.id) >= (cut.sorted_at, cut.id)
        order by run.sorted_at desc, run.id desc
      loop
        if candidate.is_cut then
          is_cut := true;
          before_at := candidate.sorted_at;
          before_id := candidate.id;
        end if;
        continue when not candidate.fits;
        sorted_at := candidate.sorted_at;
        id := candidate.id;
        return next;
        listed := listed + 1;
        exit when listed = most;
      end loop;
      exit when listed = most or not is_cut;
      batch := least(batch * 2, 1000);
    end loop;
  elsif channel_ids is null then
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
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off set plan_cache_mode = force_generic_plan as $$
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
