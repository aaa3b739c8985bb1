-- Up Migration

-- The words of a segment, folded as those of mentions are. What folded_words cuts off is read in further parts, which overlap by the longest
-- word that it keeps, so that no word is lost.
create function said_words(said text) returns text[] language sql immutable parallel safe strict
  return case
    when length(said) <= 2000 then string_to_array(btrim(folded_words(said)), ' ')
    else array(
      select distinct word from generate_series(1, length(said), 1900) as part (start),
        unnest(string_to_array(btrim(folded_words(substr(said, start, 2000))), ' ')) as word)
  end;

-- In which transcripts words stand. With a pending list: a correction adds to its end and does not pay for every word.
create index transcript_segment_said on transcript_segment using gin (said_words(text));

-- A name that corrections taught: how an entity is called where it was not known to be.
create table taught_name (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entity (id),
  -- folded words (domain/spokenWords.ts); right_key is '' where the words are right and only name the entity
  wrong_key text not null collate "C",
  right_key text not null collate "C",
  wrong_words text not null,
  right_words text,
  status text not null collate "C" check (status in ('offered', 'withdrawn', 'dismissed', 'carrying', 'carried', 'undoing', 'undone')),
  offered_at timestamptz(3) not null default now(),
  -- the last decision: id of a key, or 'command line'
  decided_by text,
  decided_at timestamptz(3),
  with_alias boolean,
  -- null: all videos
  video_ids text[],
  -- the entity that got the alias by it
  alias_of bigint references entity (id),
  -- the places to correct are all listed
  planned_at timestamptz(3),
  unique (entity_id, wrong_key, right_key),
  check ((right_words is null) = (right_key = ''))
);
create index taught_name_status on taught_name (status, id);

-- The corrections that taught it.
create table taught_name_lesson (
  taught_name_id bigint not null references taught_name (id),
  correction_id text not null collate "C" references transcript_correction (id) on delete cascade,
  primary key (taught_name_id, correction_id)
);
create index taught_name_lesson_correction on taught_name_lesson (correction_id);

-- The segments that say the words, from when the name was accepted, and what became of them.
create table taught_name_place (
  taught_name_id bigint not null references taught_name (id),
  video_id text not null collate "C" references video (id),
  position text not null collate "C",
  segment_id text not null collate "C",
  -- of the segment when the name was accepted: one that was edited since is left alone
  made_seq integer not null,
  state text not null collate "C" default 'candidate' check (state in ('candidate', 'pending', 'corrected', 'skipped', 'withdrawn', 'kept')),
  reason text collate "C",
  -- in the order in which they were made
  correction_ids text[] not null default '{}',
  primary key (taught_name_id, video_id, position)
);
create index taught_name_place_state on taught_name_place (taught_name_id, state, video_id, position);

-- Down Migration

drop table taught_name_place, taught_name_lesson, taught_name;
drop index transcript_segment_said;
drop function said_words;
