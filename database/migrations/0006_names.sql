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

-- Writes the traits of those of the entities that are canonical to all names that find them.
create function refresh_name_traits(ids bigint[]) returns void language plpgsql set enable_nestloop = on as $$
begin
  with canonical as materialized (
    select id, name_traits(mention_count, type, has_recommendations(id)) as traits from entity where id = any (ids) and canonical_id is null
  ), member as (
    select id, traits from canonical
    union all select entity.id, traits from canonical join entity on entity.canonical_id = canonical.id
  )
  update entity_name set terms = traits || terms[4:] from member where entity_id = member.id and terms[1:3] <> traits;
end $$;

-- Thousands of rows change at once in an import: pairing them up by nested loops would take their square.
create function follow_entities() returns trigger language plpgsql set enable_nestloop = off as $$
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
create trigger names_entity_changed after update on entity referencing old table as removed new table as added
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
create trigger names_recommendation_added after insert on recommendation referencing new table as added
  for each statement execute function follow_recommendations();
create trigger names_recommendation_removed after delete on recommendation referencing old table as removed
  for each statement execute function follow_recommendations();
create trigger names_recommendation_changed after update on recommendation referencing old table as removed new table as added
  for each statement execute function follow_recommendations();

-- The three statements of searches and lookups are functions because their plans are then kept: planning would cost more than running. The
-- settings hold the plans to the indexes, whatever the statistics say of one word.

-- Words of the dictionary that have one of the keys, that are one of the words, or that begin so (at most `most`; '': none).
create function words_like(some_keys int4[], words text[], prefix text, most int4) returns setof text language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select word from search_word where keys && some_keys union select word from search_word where word = any (words);
  if prefix <> '' then
    return query select word from search_word where word >= prefix and word < prefix || U&'\+10FFFF' order by word limit most;
  end if;
end $$;

create type found_name as (entity_id bigint, key text, is_commercial boolean, tier int4);

-- Names, up to a tier of popularity, that have a term of each of the groups that are not null.
create function names_with(
  a int4[], b int4[], c int4[], d int4[], length int4[], type int4[], commercial int4[], tiers int4[], top_tier int4, most int4
) returns found_name[] language plpgsql stable as $$
declare
  -- asked for again in place of what is null, so that one plan does for all
  filler int4[] := coalesce(length, tiers, a);
begin
  return array(
    select row(entity_id, key, terms[3] = 24, terms[1])::found_name from entity_name
    where terms && a and terms && coalesce(b, filler) and terms && coalesce(c, filler) and terms && coalesce(d, filler) and terms && filler
      and terms && coalesce(type, filler) and terms && coalesce(commercial, filler) and terms && coalesce(tiers, filler) and terms[1] <= top_tier
    limit most);
end $$;

-- Names for each of the conjunctions: those that have a term of each of the groups a to d, the length, the type and the commercial trait, as far
-- as these are not null; a is the smallest group. At most `most`; of more, those of the most popular tiers. `broad`: surely too many to
-- read them all, so that those are looked for at once. A conjunction is left out where the ones before it found `enough`.
create function names_having(
  a text[], b text[], c text[], d text[], lengths int4[], most int4[], enough int4[], broad boolean[], type_term int4, commercial_term int4
) returns table (entity_id bigint, mention_count bigint, key text, is_commercial boolean) language plpgsql stable rows 50
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  length int4[];
  type int4[] := case when type_term is not null then array[type_term] end;
  commercial int4[] := case when commercial_term is not null then array[commercial_term] end;
  tiers int4[];
  names found_name[];
  found_count int4 := 0;
  -- so many rows are read faster than they are found by one index for each tier
  readable constant int4 := 600;
begin
  for n in 1 .. cardinality(a) loop
    continue when found_count >= enough[n];
    length := case when lengths[n] is not null then array[lengths[n]] end;
    names := case when not broad[n] then names_with(
      a[n]::int4[], b[n]::int4[], c[n]::int4[], d[n]::int4[], length, type, commercial, null, 9, readable + 1) end;
    if broad[n] or cardinality(names) > readable then
      names := '{}';
      foreach tiers slice 1 in array array[[9, 8, 7, 6, 5], [4, 4, 4, 4, 4], [3, 3, 3, 3, 3], [2, 2, 2, 2, 2], [1, 1, 1, 1, 1]] loop
        exit when cardinality(names) >= most[n];
        names := names || names_with(
          a[n]::int4[], b[n]::int4[], c[n]::int4[], d[n]::int4[], length, type, commercial, tiers, 9, most[n] - cardinality(names));
      end loop;
      -- most names are of the lowest tier: its list would only make the others longer to read
      if cardinality(names) < most[n] then
        names := names || names_with(
          a[n]::int4[], b[n]::int4[], c[n]::int4[], d[n]::int4[], length, type, commercial, null, 0, most[n] - cardinality(names));
      end if;
    elsif cardinality(names) > most[n] then
      names := array(select name from unnest(names) as name order by name.tier desc limit most[n]);
    end if;
    found_count := found_count + cardinality(names);
    return query
      select coalesce(canonical.id, supplied.id), coalesce(canonical.mention_count, supplied.mention_count), name.key, name.is_commercial
      from unnest(names) as name join entity as supplied on supplied.id = name.entity_id
        left join entity as canonical on canonical.id = supplied.canonical_id;
  end loop;
end $$;

-- For each of the folded names (of a group, where one is given; place n) the most-mentioned entities that have it. `named_id`: whose name it
-- is, the entity's own where it has it; `is_own_name`: it is no alias.
create function entities_named(keys text[], entity_groups text[], most int4)
returns table (n int4, entity_id bigint, named_id bigint, is_own_name boolean) language plpgsql stable rows 20
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  for place in 1 .. cardinality(keys) loop
    return query
      select place, canonical.id, coalesce(min(name.entity_id) filter (where name.entity_id = canonical.id), min(name.entity_id)),
        bool_or(name.entity_id = canonical.id and not name.is_alias)
      from entity_name as name join entity as supplied on supplied.id = name.entity_id
        join entity as canonical on canonical.id = coalesce(supplied.canonical_id, supplied.id)
      where name.key = keys[place] and (entity_groups[place] is null
        or entity_groups[place] = group_of_type(canonical.type))
      group by canonical.id
      order by canonical.mention_count desc, canonical.id limit most;
  end loop;
end $$;

-- Down Migration

drop function words_like, names_with, names_having, entities_named;
drop type found_name;
drop trigger names_recommendation_added on recommendation;
drop trigger names_recommendation_removed on recommendation;
drop trigger names_recommendation_changed on recommendation;
drop trigger names_entity_changed on entity;
drop function follow_recommendations, follow_entities, refresh_name_traits, has_recommendations, name_traits, popularity_tier;
drop index entity_name_terms;
alter table entity_name drop column terms;
drop table search_word;
