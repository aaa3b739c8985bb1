-- Up Migration

-- What is said in a video, as captions have it: the platform's or imported.
create table caption_track (
  video_id text primary key collate "C" references video (id),
  language text,
  source text not null check (source in ('import', 'manual', 'automatic')),
  -- [{start, end, text, speaker?, turn?, words?: [[text, start, end], ...]}, ...]
  segments jsonb not null,
  created_at timestamptz not null default now()
);

-- The preliminary scan of a video that nobody paid for: the one that is wanted or under way, and what the last one heard.
create table scan (
  video_id text primary key collate "C" references video (id),
  -- counts what was asked for, so that a workflow knows whether it is the one
  run integer not null default 1,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
  failure_reason text,
  source text check (source in ('captions', 'speech')),
  language text,
  -- what the fast pass heard, as in caption_track; null with captions, which are there. Never served
  segments jsonb,
  -- whether the detector has seen what the last run found
  indexed boolean not null default false,
  requested_at timestamptz not null default now(),
  completed_at timestamptz
);

-- Work in progress: a scan's chunks go when it ends.
create table scan_chunk (
  video_id text collate "C" not null references scan (video_id) on delete cascade,
  run integer not null,
  index integer not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  segments jsonb,
  recognised_at timestamptz,
  primary key (video_id, run, index)
);

create table followed_channel (
  channel_id text primary key collate "C",
  every_seconds integer not null check (every_seconds > 0),
  followed_at timestamptz not null default now(),
  first_polled_at timestamptz,
  last_polled_at timestamptz
);

-- What polls have found, each video once, whoever follows the channel later.
create table channel_video (
  video_id text primary key collate "C" references video (id),
  channel_id text collate "C" not null,
  first_seen_at timestamptz not null default now(),
  -- null: it was there before the channel was followed
  scan_started_at timestamptz
);
create index channel_video_channel on channel_video (channel_id, first_seen_at desc);

-- A message that is refused waits, so that others get their turn.
alter table outbox
  add column attempts integer not null default 0,
  add column next_attempt_at timestamptz not null default now();
create index outbox_due on outbox (next_attempt_at, id);

-- Down Migration

drop index outbox_due;
alter table outbox drop column attempts, drop column next_attempt_at;
drop table channel_video, followed_channel, scan_chunk, scan, caption_track;
