-- Up Migration

create function group_of_type(type text) returns text language sql immutable parallel safe
  return case when type in ('company', 'brand') then 'organization' else type end;

create function cut_words(words text) returns text language sql immutable parallel safe
  return case when words ~ '[^ ]{101}' then regexp_replace(words, '([^ ]{100})[^ ]+', '\1', 'g') else words end;

-- What was said as words: lower case, without accents and punctuation, one space before and after each, so that `like '% word %'` is a
-- whole word. Han and Kana signs, which nothing parts, are words of their own. Of what is beyond 2,000 characters nothing is kept.
-- Explicit collations: the same on every server, whatever its locale. Of two forms, the first is for plain ASCII and twice as fast.
create function folded_words(said text) returns text language sql immutable parallel safe strict
  return case
    when octet_length(said) = length(said)
      then (' ' || btrim(regexp_replace(replace(lower(left(said, 2000) collate "C"), '''', ''), '[^a-z0-9]+', ' ', 'g')) || ' ') collate "default"
    else cut_words(' ' || btrim(regexp_replace(regexp_replace(
      translate(replace(replace(replace(
        lower(normalize(regexp_replace(normalize(left(said, 2000), nfkd), '[\u0300-\u036f''’ʼ`]+', '', 'g'), nfc) collate "und-x-icu"),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđı', 'oldi'),
      '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g'),
      '[^[:alnum:]]+', ' ', 'g')) || ' ') collate "default"
  end;

-- Months since the year 0.
create function month_number(moment timestamptz) returns integer language sql immutable parallel safe
  return (extract(year from moment at time zone 'UTC') * 12 + extract(month from moment at time zone 'UTC'))::integer;

-- What a mention is searched by, each behind its month, so that a search can go from month to month, newest first, and stop when a page is
-- full: its words, and the columns that searches are narrowed by.
create function mention_keys(sorted_at timestamptz, words text, entity_id bigint, channel_id text, facet smallint)
  returns tsvector language sql immutable parallel safe
  return array_to_tsvector(string_to_array(
    month_number(sorted_at) || ' ' || replace(btrim(words), ' ', E'\n' || month_number(sorted_at) || ' ')
      || E'\n' || month_number(sorted_at) || ' #e' || entity_id
      || E'\n' || month_number(sorted_at) || ' #c' || channel_id
      || E'\n' || month_number(sorted_at) || ' #f' || facet,
    E'\n'));

alter table mention
  -- sentiment (0 none, 4 negative, 8 neutral, 12 positive), is_appearance (2) and in_ad (1) in one, so that one index serves every
  -- combination of the three: a list merges the streams of the facets that it takes (domain/mentionFacets.ts)
  add column facet smallint not null generated always as (
    (case when sentiment_score is null then 0 when sentiment_score <= -0.2 then 4 when sentiment_score >= 0.2 then 12 else 8 end
      + case when is_appearance then 2 else 0 end + case when in_ad then 1 else 0 end)::smallint) stored,
  add column words text not null generated always as (folded_words(quote)) stored;

create index mention_newest on mention (sorted_at, id);
create index mention_type on mention (entity_type, facet, sorted_at, id) include (entity_id);
create index mention_entity on mention (entity_id, facet, sorted_at, id);
create index mention_channel on mention (channel_id, entity_type, facet, sorted_at, id) include (entity_id);
create index mention_entity_channel on mention (entity_id, channel_id, facet, sorted_at, id);
create index mention_role on mention (entity_id, appearance_role, sorted_at, id) where is_appearance;
create index mention_channel_role on mention (entity_id, channel_id, appearance_role, sorted_at, id) where is_appearance;
-- without a pending list, which every probe of every month would have to read through
create index mention_words on mention using gin (mention_keys(sorted_at, words, entity_id, channel_id, facet)) with (fastupdate = off);

-- Entities whose mentions may carry another group in entity_type than their canonical entity's: merged with one of another group,
-- retyped, or mentioned by a writer who did not see that yet. Lists by type read the mentions of these apart until all are rewritten.
create table retyped_entity (
  entity_id bigint primary key references entity (id) on delete cascade,
  entity_type text collate "C" not null,
  -- the last mention that was rewritten, in the order of mention_entity
  after_facet smallint not null default -1,
  after_sorted_at timestamptz(3) not null default '-infinity',
  after_id bigint not null default 0
);

create function note_retyped_entity() returns trigger language plpgsql as $$
declare
  old_group text := group_of_type(coalesce((select type from entity where id = old.canonical_id), old.type));
  new_group text := group_of_type(coalesce((select type from entity where id = new.canonical_id), new.type));
begin
  if old_group = new_group then return null; end if;
  insert into retyped_entity (entity_id, entity_type)
    select new.id, new_group
    union
    select id, new_group from entity where canonical_id = new.id
    order by 1
  on conflict (entity_id) do update
    set entity_type = excluded.entity_type, after_facet = default, after_sorted_at = default, after_id = default;
  return null;
end $$;
create trigger entity_retyped after update on entity for each row
  when (old.type <> new.type or old.canonical_id is distinct from new.canonical_id) execute function note_retyped_entity();

-- Runs after count_mentions, which has locked the entities: a merge that commits later sees these mentions, one that committed earlier is
-- seen here.
create function note_stale_types() returns trigger language plpgsql as $$
begin
  insert into retyped_entity (entity_id, entity_type)
    select distinct added.entity_id, group_of_type(canonical.type)
    from added join entity on entity.id = added.entity_id join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    where added.entity_type <> group_of_type(canonical.type)
    order by 1
  on conflict (entity_id) do update
    set entity_type = excluded.entity_type, after_facet = default, after_sorted_at = default, after_id = default;
  return null;
end $$;
create trigger mention_typed after insert on mention referencing new table as added for each statement execute function note_stale_types();
create trigger mention_typed_anew after update on mention referencing new table as added for each statement execute function note_stale_types();

-- What `words` is like where it holds all of the pieces (folded words; of a prefix piece the last word is a beginning).
create function search_patterns(pieces text[], prefix_pieces text[]) returns text[] language sql immutable parallel safe
  return array(select '%' || piece || '%' from unnest(pieces) as piece)
    || array(select '%' || rtrim(piece) || '%' from unnest(prefix_pieces) as piece);

-- Mentions that hold all of the pieces, newest first, before a position and
-- not before `oldest`: month by month until there are `wanted`, so that the work is that of the months which the page spans.
-- The plan is made once, for any month: a search probes up to hundreds of them.
create function mentions_with_words(
  pieces text[], prefix_pieces text[], in_entity_ids bigint[], in_channel_id text, in_facets smallint[], in_type text,
  before_sorted_at timestamptz, before_id bigint, oldest timestamptz, wanted integer
) returns table (id bigint, sorted_at timestamptz) language plpgsql stable rows 20 set plan_cache_mode = force_generic_plan as $$
declare
  patterns text[] := search_patterns(pieces, prefix_pieces);
  retyped_ids bigint[] := array(select entity_id from retyped_entity where in_type is not null);
  retyped_into_ids bigint[] := array(select entity_id from retyped_entity where entity_type = in_type);
  -- a line's end stands for the month: no key holds one
  query text := concat_ws(' & ',
    (select string_agg(format(E'''\n %s''', word), ' & ') from unnest(pieces) as piece, unnest(string_to_array(btrim(piece), ' ')) as word),
    (select string_agg(format(E'''\n %s'':*', replace(btrim(piece), ' ', E''' & ''\n ')), ' & ') from unnest(prefix_pieces) as piece),
    (select '(' || string_agg(format(E'''\n #e%s''', entity_id), ' | ') || ')' from unnest(in_entity_ids) as entity_id),
    E'''\n #c' || replace(replace(in_channel_id, '\', '\\'), '''', '''''') || '''',
    (select '(' || string_agg(format(E'''\n #f%s''', facet), ' | ') || ')' from unnest(in_facets) as facet));
  keys tsquery;
  month timestamptz;
  found_rows integer;
begin
  while wanted > 0 loop
    select date_trunc('month', mention.sorted_at, 'UTC') into month from mention
      where (mention.sorted_at, mention.id) < (before_sorted_at, before_id) and mention.sorted_at >= oldest
      order by mention.sorted_at desc, mention.id desc limit 1;
    exit when not found;
    keys := replace(query, E'\n', month_number(month)::text)::tsquery;
    return query
      with candidates as materialized (
        select mention.id, mention.sorted_at, mention.words, mention.entity_id, mention.entity_type from mention
        where mention_keys(mention.sorted_at, mention.words, mention.entity_id, mention.channel_id, mention.facet) @@ keys
      )
      select candidates.id, candidates.sorted_at from candidates
      where (candidates.sorted_at, candidates.id) < (before_sorted_at, before_id) and candidates.sorted_at >= oldest
        and candidates.words like all (patterns)
        and (in_type is null or case when candidates.entity_id = any (retyped_ids) then candidates.entity_id = any (retyped_into_ids)
          else candidates.entity_type = in_type end)
      order by candidates.sorted_at desc, candidates.id desc limit wanted;
    get diagnostics found_rows = row_count;
    wanted := wanted - found_rows;
    before_sorted_at := month;
    before_id := 0;
  end loop;
end $$;

-- Down Migration

drop function mentions_with_words, search_patterns;
drop trigger entity_retyped on entity;
drop trigger mention_typed on mention;
drop trigger mention_typed_anew on mention;
drop function note_retyped_entity, note_stale_types;
drop table retyped_entity;
drop index mention_words, mention_channel_role, mention_role, mention_entity_channel, mention_channel, mention_entity, mention_type, mention_newest;
alter table mention drop column words, drop column facet;
drop function mention_keys, month_number, folded_words, cut_words, group_of_type;
