-- Up Migration

-- Every word that some name has. `keys` are those of domain/search/terms.ts: words at most one edit apart share one.
create table search_word (
  word text collate "C" primary key,
  keys int4[] not null
);
create index search_word_keys on search_word using gin (keys) with (fastupdate = off);

-- What a name is found by in search. The first three are traits of the canonical entity, which triggers keep (tier of popularity, type,
-- commercial rows or none); then the number of words; then the terms of domain/search/terms.ts.
alter table entity_name add column terms int4[] not null;
-- no pending list: each search would read all of it
create index entity_name_terms on entity_name using gin (terms) with (fastupdate = off);

create index recommendation_entity on recommendation (entity_id);

-- Coarse on purpose: names are written again only when a count passes one of these.
create function popularity_tier(mentions bigint) returns int4 language sql immutable parallel safe
  return width_bucket(mentions, array[4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144]::bigint[]);

create function name_traits(mentions bigint, type text, has_recommendations boolean) returns int4[] language sql immutable parallel safe
  return array[
    popularity_tier(mentions),
    case type when 'person' then 16 when 'organization' then 17 when 'company' then 17 when 'brand' then 17 when 'product' then 18
      when 'topic' then 19 when 'channel' then 20 else 21 end,
    case when has_recommendations then 24 else 25 end
  ];

create function has_recommendations(of_entity bigint) returns boolean language sql stable
  return exists (select from recommendation where entity_id = of_entity)
    or exists (select from entity as member join recommendation on recommendation.entity_id = member.id where member.canonical_id = of_entity);

-- Locked in one order, before the chains are read: a merge that commits meanwhile is then seen.
create function lock_entities(ids bigint[]) returns void language plpgsql as $$
begin
  perform from entity where id = any (ids) order by id for no key update;
  perform from entity where id in (select canonical_id from entity where id = any (ids)) order by id for no key update;
end $$;

-- Writes the traits of those of the entities that are canonical to all names that find them.
create function refresh_name_traits(ids bigint[]) returns void language plpgsql as $$
begin
  with canonical as materialized (
    select id, name_traits(mention_count, type, has_recommendations(id)) as traits from entity where id = any (ids) and canonical_id is null
  ), member as (
    select id, traits from canonical
    union all select entity.id, traits from canonical join entity on entity.canonical_id = canonical.id
  )
  update entity_name set terms = traits || terms[4:] from member where entity_id = member.id and terms[1:3] <> traits;
end $$;

create function follow_entities() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  select array_agg(distinct id) into ids from (
    select unnest(array[coalesce(was.canonical_id, was.id), coalesce(now.canonical_id, now.id)]) as id
    from removed as was join added as now using (id)
    where was.canonical_id is distinct from now.canonical_id or was.type <> now.type
      or popularity_tier(was.mention_count) <> popularity_tier(now.mention_count)
  ) as changed;
  if ids is not null then perform refresh_name_traits(ids); end if;
  return null;
end $$;
create trigger entity_changed after update on entity referencing old table as removed new table as added
  for each statement execute function follow_entities();

create function follow_recommendations() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct entity_id) into ids from added;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct entity_id) into ids from removed;
  else
    select array_agg(distinct coalesce(now.entity_id, was.entity_id)) into ids
      from removed as was full join added as now on now.id = was.id and now.entity_id = was.entity_id where now.id is null or was.id is null;
  end if;
  if ids is not null then
    perform lock_entities(ids);
    perform refresh_name_traits(array(select distinct coalesce(canonical_id, id) from entity where id = any (ids)));
  end if;
  return null;
end $$;
create trigger recommendation_added after insert on recommendation referencing new table as added
  for each statement execute function follow_recommendations();
create trigger recommendation_removed after delete on recommendation referencing old table as removed
  for each statement execute function follow_recommendations();
create trigger recommendation_changed after update on recommendation referencing old table as removed new table as added
  for each statement execute function follow_recommendations();

-- Names that have a term of each of the groups, at most `most`; of more, those of the most popular tiers. `broad` says that there are surely
-- more. A group that is not wanted repeats another one. The settings keep the plan on the index whatever the statistics say of one word.
create function names_having(a int4[], b int4[], c int4[], d int4[], length int4[], type int4[], commercial int4[], most int4, broad boolean)
returns table (named_id bigint, named_key text, is_commercial boolean) language plpgsql stable rows 50
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  ids bigint[];
  keys text[];
  commercials boolean[];
  found_count int4 := 0;
  step_count int4;
  tiers int4[];
begin
  if not broad then
    select array_agg(entity_id), array_agg(key), array_agg(terms[3] = 24) into ids, keys, commercials from (
      select entity_id, key, terms from entity_name
      where terms && a and terms && b and terms && c and terms && d and terms && length and terms && type and terms && commercial
      limit most + 1
    ) as any_names;
    if coalesce(cardinality(ids), 0) <= most then
      return query select * from unnest(ids, keys, commercials);
      return;
    end if;
  end if;
  foreach tiers slice 1 in array array[[9, 8, 7, 6, 5], [4, 3, 3, 3, 3], [2, 2, 2, 2, 2], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]] loop
    return query select entity_id, key, terms[3] = 24 from entity_name
      where terms && a and terms && b and terms && c and terms && d and terms && length and terms && type and terms && commercial and terms && tiers
      limit most - found_count;
    get diagnostics step_count = row_count;
    found_count := found_count + step_count;
    exit when found_count >= most;
  end loop;
end $$;

-- Down Migration

drop function names_having;
drop trigger recommendation_added on recommendation;
drop trigger recommendation_removed on recommendation;
drop trigger recommendation_changed on recommendation;
drop trigger entity_changed on entity;
drop function follow_recommendations, follow_entities, refresh_name_traits, lock_entities, has_recommendations, name_traits, popularity_tier;
drop index recommendation_entity, entity_name_terms;
alter table entity_name drop column terms;
drop table search_word;
