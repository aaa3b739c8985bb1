-- Up Migration

-- The place of a segment among those of its transcript: byte order, and room for any number of others between two (the keys of the package
-- fractional-indexing). The engine's own stand at the integers.
create function engine_position(index integer) returns text language sql immutable parallel safe
  return 'd' || (
    select string_agg(
      substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', index / (62 ^ (3 - digit))::integer % 62 + 1, 1), '' order by digit)
    from generate_series(0, 3) as digit);

-- From here on the table holds the transcript as it stands: one indexed read serves it. What a correction replaces moves to
-- transcript_segment_history, so the engine's output is the rows of both with from_seq 0, and nothing of it is ever rewritten.
alter table transcript_segment
  add column position text collate "C",
  add column speaker_id text collate "C",
  -- what people say is named in it, and what not: [[entityId, charStart, charEnd, action], ...]
  add column tags jsonb not null default '[]',
  -- since which entry of the log it stands here
  add column from_seq integer not null default 0,
  -- the correction that made it so: what a withdrawal brings back keeps the number that it had
  add column made_seq integer not null default 0;
update transcript_segment set position = engine_position(index);
alter table transcript_segment drop constraint transcript_segment_pkey;
alter table transcript_segment drop column index, add primary key (video_id, position);
create unique index transcript_segment_id on transcript_segment (video_id, id);
create index transcript_segment_speaker on transcript_segment (video_id, speaker_id) include (start_seconds, end_seconds)
  where speaker_id is not null;
create index transcript_segment_from on transcript_segment (video_id, from_seq) where from_seq > 0;

create table transcript_segment_history (
  video_id text collate "C" not null references transcript (video_id) on delete cascade,
  position text collate "C" not null,
  id text collate "C" not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  text text not null,
  confidence real not null,
  words jsonb not null,
  speaker_id text collate "C",
  tags jsonb not null,
  from_seq integer not null,
  made_seq integer not null,
  -- the entry of the log that replaced it
  to_seq integer not null,
  primary key (video_id, to_seq, position)
);
create index transcript_segment_history_position on transcript_segment_history (video_id, position);
create index transcript_segment_history_from on transcript_segment_history (video_id, from_seq) where from_seq > 0;
create index transcript_segment_history_speaker on transcript_segment_history (video_id, speaker_id) where speaker_id is not null;

create table transcript_speaker (
  video_id text collate "C" not null references transcript (video_id) on delete cascade,
  id text collate "C" not null,
  label text not null,
  entity_id bigint references entity (id),
  role text check (role in ('host', 'co_host', 'guest', 'panelist', 'correspondent', 'audience', 'soundbite')),
  primary key (video_id, id)
);

-- Everybody who is told apart, merges resolved, in the order in which they were added: [[id, label, entityId, role], ...]
create function speakers_of(in_video_id text) returns json language sql stable
  return (
    select coalesce(json_agg(json_build_array(speaker.id, label, coalesce(entity.canonical_id, entity.id), role)
      order by length(speaker.id), speaker.id), '[]')
    from transcript_speaker as speaker left join entity on entity.id = speaker.entity_id where video_id = in_video_id);

-- The log. It is only ever added to: what is taken back is taken back by an entry of its own.
create table transcript_correction (
  id text primary key collate "C",
  video_id text collate "C" not null references transcript (video_id) on delete cascade,
  seq integer not null,
  revision integer not null,
  kind text not null check (kind in (
    'line_edit', 'speaker_reassign', 'speaker_identify', 'add_person', 'entity_tag', 'segment_rewrite', 'withdrawal')),
  -- what the entry takes back, once at most
  withdraws_id text collate "C" unique references transcript_correction (id) on delete cascade,
  -- who asked for it; null: a reviewer
  account_id text collate "C" references account (id),
  -- as it was asked for
  asked jsonb not null,
  note text,
  -- {before, after} of the speaker that it is about
  speaker jsonb,
  -- the places of what it replaced
  from_position text collate "C",
  to_position text collate "C",
  created_at timestamptz(3) not null default now(),
  constraint transcript_correction_seq unique (video_id, seq),
  check ((kind = 'withdrawal') = (withdraws_id is not null))
);
create index transcript_correction_rewrite on transcript_correction (video_id, from_position) where kind = 'segment_rewrite';

-- evidence of some segments, whatever the length of the transcript; imported rows have none
create index mention_segment on mention (video_id, segment_id) where segment_id is not null;
create index mention_appearance on mention (video_id) where is_appearance and source <> 'import';
create index recommendation_segment on recommendation (video_id, start_seconds) where segment_id is not null;

-- Down Migration

drop index recommendation_segment, mention_appearance, mention_segment;
drop function speakers_of;
drop table transcript_correction, transcript_speaker;
-- the engine's output comes back
insert into transcript_segment (video_id, position, id, start_seconds, end_seconds, text, confidence, words, tags, from_seq, made_seq)
  select video_id, '-' || position, '-' || id, start_seconds, end_seconds, text, confidence, words, '[]', 0, 0
  from transcript_segment_history where from_seq = 0;
delete from transcript_segment where from_seq > 0;
update transcript_segment set position = substr(position, 2), id = substr(id, 2) where position like '-%';
drop table transcript_segment_history;
drop index transcript_segment_from, transcript_segment_speaker, transcript_segment_id;
alter table transcript_segment drop constraint transcript_segment_pkey, add column index integer;
update transcript_segment set index = place.index from (
  select video_id, position, row_number() over (partition by video_id order by position) - 1 as index from transcript_segment
) as place where place.video_id = transcript_segment.video_id and place.position = transcript_segment.position;
alter table transcript_segment drop column position, drop column speaker_id, drop column tags, drop column from_seq, drop column made_seq,
  add primary key (video_id, index);
drop function engine_position;
