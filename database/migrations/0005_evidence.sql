-- Up Migration

-- What an entity is called: its name and its aliases, as written and folded (domain/names.ts).
create table entity_name (
  entity_id bigint not null references entity (id),
  key text collate "C" not null,
  name text not null,
  is_alias boolean not null,
  primary key (entity_id, key)
);
create index entity_name_key on entity_name (key, entity_id);
create index entity_platform_id on entity (platform_id) where platform_id is not null;
create index entity_owner on entity (owner_id) where owner_id is not null;

-- One place in a video where an entity is spoken of, or where a person appears.
create table mention (
  id bigint generated always as identity primary key,
  video_id text collate "C" not null references video (id),
  -- as it was detected or imported: merges never rewrite it, reads resolve it
  entity_id bigint not null references entity (id),
  -- copies of what lists are ordered and narrowed by: the video's channel, its published_at (year 1 where unknown), the group of the entity's type
  channel_id text collate "C" not null,
  sorted_at timestamptz(3) not null,
  entity_type text collate "C" not null check (entity_type in ('person', 'organization', 'product', 'topic', 'channel', 'unknown')),
  start_seconds double precision not null check (start_seconds >= 0),
  end_seconds double precision not null,
  quote text not null,
  context_before text,
  context_after text,
  surface_form text,
  speaker_id text,
  speaker_name text,
  speaker_entity_id bigint references entity (id),
  is_appearance boolean not null default false,
  appearance_role text check (appearance_role in ('host', 'co_host', 'guest', 'panelist', 'correspondent', 'audience', 'soundbite')),
  speaking_seconds double precision,
  in_ad boolean not null default false,
  sentiment_score double precision check (sentiment_score between -1 and 1),
  confidence double precision not null check (confidence between 0 and 1),
  -- where it comes from: 'import', 'speech' or 'captions', and for the last two the place in the transcript and the detector
  source text not null,
  transcript_revision integer,
  segment_id text collate "C",
  char_start integer,
  char_end integer,
  detector_version text,
  created_at timestamptz(3) not null default now(),
  check (end_seconds >= start_seconds),
  -- what is the same mention when it is told twice
  constraint mention_place unique (video_id, entity_id, start_seconds, end_seconds, is_appearance)
);

-- One commercial passage about an entity.
create table recommendation (
  id bigint generated always as identity primary key,
  video_id text collate "C" not null references video (id),
  -- as in mention
  entity_id bigint not null references entity (id),
  channel_id text collate "C" not null,
  sorted_at timestamptz(3) not null,
  mention_class text collate "C" not null check (mention_class in ('ad_read', 'endorsement', 'mention')),
  -- both 0: the full episode
  start_seconds integer check (start_seconds >= 0),
  end_seconds integer,
  verbatim_quote text,
  promo_code text,
  offer text,
  sentiment_score double precision check (sentiment_score between -1 and 1),
  confidence double precision not null check (confidence between 0 and 1),
  speaker_role text,
  conflict_status text collate "C" not null default 'none' check (conflict_status in ('none', 'disputed', 'resolved')),
  resolution text,
  source text not null,
  transcript_revision integer,
  segment_id text collate "C",
  char_start integer,
  char_end integer,
  detector_version text,
  created_at timestamptz(3) not null default now(),
  check (end_seconds >= start_seconds),
  constraint recommendation_place unique nulls not distinct (video_id, entity_id, mention_class, start_seconds, end_seconds)
);

-- Advertisers that are known to sponsor a channel, curated.
create table known_advertiser (
  channel_id text collate "C" not null references channel (id),
  entity_id bigint not null references entity (id),
  primary key (channel_id, entity_id)
);
create index known_advertiser_entity on known_advertiser (entity_id);

-- The group of a type, as callers filter by it (domain/evidence.ts entityGroup).
create function group_of_type(type text) returns text language sql immutable parallel safe
  return case when type in ('company', 'brand') then 'organization' else type end;

-- Locks the entities and what they were merged into, all in one pass and in one order everywhere, so that statements which share some of them
-- never wait for each other in a circle, and before anything of them is read: a merge that commits meanwhile is then seen.
create function lock_entities(ids bigint[]) returns void language plpgsql as $$
declare
  locked bigint[];
begin
  loop
    begin
      locked := array(select unnest(ids) union select canonical_id from entity where id = any (ids) and canonical_id is not null);
      perform from entity where id = any (locked) order by id for no key update;
      exit when not exists (select from entity where id = any (ids) and canonical_id <> all (locked));
      -- a merge that committed while this waited leads on to another entity: what is locked is let go, or the order would be lost
      raise sqlstate 'MI001';
    exception when sqlstate 'MI001' then null;
    end;
  end loop;
end $$;

-- Counts follow the mentions in the same statement, whoever writes them; those of a merged entity are its canonical entity's.
create function count_mentions() returns trigger language plpgsql as $$
declare
  entity_ids bigint[];
  mentions bigint[];
  appearances bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(entity_id), array_agg(n), array_agg(a) into entity_ids, mentions, appearances
      from (select entity_id, count(*) as n, count(*) filter (where is_appearance) as a from added group by entity_id) as sums;
  elsif tg_op = 'DELETE' then
    select array_agg(entity_id), array_agg(-n), array_agg(-a) into entity_ids, mentions, appearances
      from (select entity_id, count(*) as n, count(*) filter (where is_appearance) as a from removed group by entity_id) as sums;
  else
    select array_agg(entity_id), array_agg(n), array_agg(a) into entity_ids, mentions, appearances from (
      select entity_id, sum(n)::bigint as n, sum(a)::bigint as a from (
        select entity_id, 1 as n, is_appearance::int as a from added union all select entity_id, -1, -is_appearance::int from removed
      ) as changes group by entity_id having sum(n) <> 0 or sum(a) <> 0
    ) as sums;
  end if;
  perform lock_entities(entity_ids);
  update entity set mention_count = mention_count + changed.n, appearance_count = appearance_count + changed.a
    from (
      select coalesce(entity.canonical_id, entity.id) as id, sum(change.n)::bigint as n, sum(change.a)::bigint as a
      from unnest(entity_ids, mentions, appearances) as change (id, n, a) join entity on entity.id = change.id
      group by 1
    ) as changed
    where entity.id = changed.id;
  return null;
end $$;
create trigger mention_added after insert on mention referencing new table as added for each statement execute function count_mentions();
create trigger mention_removed after delete on mention referencing old table as removed for each statement execute function count_mentions();
create trigger mention_changed after update on mention referencing old table as removed new table as added
  for each statement execute function count_mentions();

-- Down Migration

drop table known_advertiser, recommendation, mention, entity_name;
drop function count_mentions, lock_entities, group_of_type;
drop index entity_platform_id, entity_owner;
