-- Up Migration

create extension if not exists pg_trgm;

-- Text as `q` of lists is compared: without case, accents and compatibility forms (Unicode NFKD).
create function folded(words text) returns text language sql immutable strict parallel safe as $$
  select translate(replace(replace(replace(
    lower(normalize(regexp_replace(normalize(words, nfkd), '[\u0300-\u036f]+', '', 'g'), nfc)), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđı', 'oldi')
$$;
-- What `like` finds `words` with, anywhere in a folded text.
create function folded_pattern(words text) returns text language sql immutable strict parallel safe as $$
  select '%' || regexp_replace(folded(words), '([\\%_])', '\\\1', 'g') || '%'
$$;
-- What related lists are ordered by name with; short enough for a cursor.
create function name_order(name text) returns text language sql immutable strict parallel safe as $$
  select left(folded(name), 64)
$$;

-- When evidence came to read as another entity's, or as one's of another kind: a set that is being counted meanwhile is told by it.
create table identity_change (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('merge', 'unmerge', 'retype')),
  from_id bigint not null references entity (id),
  into_id bigint not null references entity (id),
  changed_at timestamptz not null default now()
);
create index identity_change_transaction on identity_change (transaction_id);
create index identity_change_recent on identity_change (changed_at);
create index entity_merged_into on entity (merged_into_id) where merged_into_id is not null;

-- Of an entity with much evidence: the entities of a group that it shares videos with, counted.
create table relation_set (
  id bigint generated always as identity primary key,
  subject_id bigint not null references entity (id),
  row_group text collate "C" not null check (row_group in ('person', 'product', 'topic', 'channel')),
  state text not null check (state in ('wanted', 'ready', 'gone')),
  -- whether reads count live until it is there
  urgent boolean not null default false,
  -- the changes of evidence that were counted when it was built: those that this sees
  snapshot pg_snapshot,
  changed_at timestamptz not null default now(),
  check (state <> 'ready' or snapshot is not null)
);
create unique index relation_set_state on relation_set (subject_id, row_group, state) where state in ('wanted', 'ready');
create index relation_set_group on relation_set (row_group) where state = 'ready';
create index relation_set_wanted on relation_set (urgent desc, id) where state = 'wanted';
create index relation_set_gone on relation_set (changed_at) where state = 'gone';

create table relation (
  set_id bigint not null,
  related_id bigint not null,
  name_order text collate "C" not null,
  mention_count bigint not null,
  media_count bigint not null,
  -- null: no video with a known date; year 1 likewise
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3) not null,
  primary key (set_id, related_id)
);
create index relation_by_date on relation (set_id, last_seen_at, related_id);
create index relation_by_name on relation (set_id, name_order, related_id);
create index relation_by_mentions on relation (set_id, mention_count, related_id);
create index relation_related on relation (related_id);

-- What `q` looks through: the texts of the entities that stand in a set.
create table relation_text (
  entity_id bigint primary key,
  name text not null,
  description text
);
create index relation_text_name on relation_text using gin (name gin_trgm_ops);
create index relation_text_description on relation_text using gin (description gin_trgm_ops);

-- When an entity was first and last spoken of in the videos of another is found at one end of this.
create index mention_entity_date on mention (entity_id, sorted_at, id);

-- Mentions that came and went since the sets were last brought up to date: what a video had before is what it has now, less these.
create table evidence_change (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  video_id text collate "C" not null,
  entity_id bigint not null,
  channel_id text collate "C" not null,
  sorted_at timestamptz(3) not null,
  mentions bigint not null
);
create index evidence_change_video on evidence_change (video_id);
create index evidence_change_entity on evidence_change (entity_id) where mentions < 0;
create index evidence_change_channel on evidence_change (channel_id) where mentions < 0;

create function note_evidence_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into evidence_change (video_id, entity_id, channel_id, sorted_at, mentions)
      select video_id, entity_id, channel_id, sorted_at, count(*) from added group by video_id, entity_id, channel_id, sorted_at;
  elsif tg_op = 'DELETE' then
    insert into evidence_change (video_id, entity_id, channel_id, sorted_at, mentions)
      select video_id, entity_id, channel_id, sorted_at, -count(*) from removed group by video_id, entity_id, channel_id, sorted_at;
  else
    insert into evidence_change (video_id, entity_id, channel_id, sorted_at, mentions)
      select video_id, entity_id, channel_id, sorted_at, sum(n) from (
        select video_id, entity_id, channel_id, sorted_at, 1 as n from added
        union all select video_id, entity_id, channel_id, sorted_at, -1 from removed
      ) as changes group by video_id, entity_id, channel_id, sorted_at having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger evidence_added after insert on mention referencing new table as added for each statement execute function note_evidence_change();
create trigger evidence_removed after delete on mention referencing old table as removed for each statement execute function note_evidence_change();
create trigger evidence_changed after update on mention referencing old table as removed new table as added
  for each statement execute function note_evidence_change();

-- Names in sets follow their entities.
create function rename_relations() returns trigger language plpgsql as $$
begin
  update relation_text set name = folded(new.name), description = folded(new.description) where entity_id = new.id;
  perform from relation where related_id = new.id order by set_id for no key update;
  update relation set name_order = name_order(new.name) where related_id = new.id and name_order <> name_order(new.name);
  return null;
end $$;
create trigger relations_renamed after update of name, description on entity for each row
  when (old.name is distinct from new.name or old.description is distinct from new.description) execute function rename_relations();

-- Lets sets be built again: at once unusable, or served as they are until then.
create function drop_relation_sets(set_ids bigint[]) returns void language sql as $$
  with gone as (
    update relation_set set state = 'gone', changed_at = now() where id = any (set_ids) and state = 'ready' returning subject_id, row_group
  )
  insert into relation_set (subject_id, row_group, state, urgent) select subject_id, row_group, 'wanted', true from gone
  on conflict (subject_id, row_group, state) where state in ('wanted', 'ready') do update set urgent = true;
$$;

-- An entity of another type stands in other lists; a channel that is tied to another platform channel takes part in other videos.
create function retype_relations() returns trigger language plpgsql as $$
declare
  platform_ids text[] := array[]::text[];
begin
  if new.type = 'channel' and new.platform_id is not null then platform_ids := platform_ids || new.platform_id; end if;
  if tg_op = 'UPDATE' then
    if old.type = 'channel' and old.platform_id is not null then platform_ids := platform_ids || old.platform_id; end if;
    insert into identity_change (kind, from_id, into_id) values ('retype', new.id, new.id);
    if group_of_type(old.type) <> group_of_type(new.type) and new.canonical_id is null then
      perform drop_relation_sets(array(select id from relation_set where subject_id = new.id and state = 'ready'));
      delete from relation_set where subject_id = new.id and state = 'wanted';
      delete from relation where related_id = new.id;
      -- to the sets of its new group its mentions are new
      insert into evidence_change (video_id, entity_id, channel_id, sorted_at, mentions)
        select video_id, entity_id, channel_id, sorted_at, count(*) from mention
        where entity_id in (select new.id union all select member.id from entity as member where member.canonical_id = new.id)
        group by video_id, entity_id, channel_id, sorted_at;
    end if;
    if old.type = new.type and old.platform_id is not distinct from new.platform_id then return null; end if;
  end if;
  if exists (select from unnest(platform_ids) as platform_id, lateral (select from mention where channel_id = platform_id limit 1) as spoken) then
    insert into identity_change (kind, from_id, into_id) values ('retype', new.id, new.id);
    perform drop_relation_sets(array(
      select id from relation_set where subject_id = coalesce(new.canonical_id, new.id) and state = 'ready'));
    insert into relation_set (subject_id, row_group, state)
      select subject_id, row_group, 'wanted' from relation_set where row_group = 'channel' and state = 'ready'
      on conflict (subject_id, row_group, state) where state in ('wanted', 'ready') do nothing;
  end if;
  return null;
end $$;
create trigger relations_retyped after update of type, platform_id on entity for each row
  when (old.type <> new.type or old.platform_id is distinct from new.platform_id) execute function retype_relations();
create trigger relations_tied after insert on entity for each row
  when (new.type = 'channel' and new.platform_id is not null) execute function retype_relations();

-- As in 0005, but all rows are locked in one pass in one order, so that statements that share a merged entity and its canonical one never wait
-- for each other in a circle.
create or replace function count_mentions() returns trigger language plpgsql as $$
declare
  entity_ids bigint[];
  mentions bigint[];
  appearances bigint[];
  locked bigint[];
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
  loop
    begin
      select array_agg(distinct id) into locked from (
        select id from entity where id = any (entity_ids) union all select canonical_id from entity where id = any (entity_ids) and canonical_id is not null
      ) as concerned;
      perform from entity where id = any (locked) order by id for no key update;
      exit when not exists (select from entity where id = any (entity_ids) and canonical_id <> all (locked));
      -- a merge that committed while this waited leads on to another entity: what is locked is let go, or the order would be lost
      raise sqlstate 'MI001';
    exception when sqlstate 'MI001' then null;
    end;
  end loop;
  update entity set mention_count = mention_count + changed.n, appearance_count = appearance_count + changed.a
    from (
      select coalesce(entity.canonical_id, entity.id) as id, sum(change.n)::bigint as n, sum(change.a)::bigint as a
      from unnest(entity_ids, mentions, appearances) as change (id, n, a) join entity on entity.id = change.id
      group by 1
    ) as changed
    where entity.id = changed.id;
  return null;
end $$;

-- Down Migration

drop trigger relations_tied on entity;
drop trigger relations_retyped on entity;
drop trigger relations_renamed on entity;
drop trigger evidence_added on mention;
drop trigger evidence_removed on mention;
drop trigger evidence_changed on mention;
drop table evidence_change, relation_text, relation, relation_set, identity_change;
drop index entity_merged_into, mention_entity_date;
drop function note_evidence_change, rename_relations, retype_relations, drop_relation_sets, name_order, folded_pattern, folded;
