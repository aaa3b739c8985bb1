-- Up Migration

create table channel (
  id text primary key collate "C",
  name text not null
);

create table video (
  id text primary key collate "C",
  title text,
  channel_id text collate "C" references channel (id),
  published_at timestamptz,
  duration_seconds double precision check (duration_seconds >= 0),
  language text,
  -- the media source that described it; null until one has
  source text,
  created_at timestamptz not null default now()
);

create table transcription_job (
  id text primary key collate "C",
  video_id text collate "C" not null references video (id),
  -- the submitter, who pays
  account_id text collate "C" not null references account (id),
  status text not null check (status in ('queued', 'processing', 'completed', 'failed', 'canceled')),
  stage text not null check (stage in ('queued', 'describing', 'fetching', 'splitting', 'recognising', 'assembling', 'publishing', 'done')),
  language text,
  priority text not null check (priority in ('normal', 'high')),
  held_rows bigint not null check (held_rows >= 0),
  -- the month the hold was taken in, which a capture or refund goes to
  held_period date not null,
  duration_seconds double precision,
  chunk_count integer,
  failure_reason text,
  cancel_reason text check (cancel_reason in ('requested', 'insufficient_rows')),
  request_id text,
  -- time the engines worked on it in all, once completed: what ETAs are estimated from
  engine_seconds double precision,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz
);
-- one running job a video, whoever asks
create unique index transcription_job_running on transcription_job (video_id) where status in ('queued', 'processing');
create index transcription_job_queue on transcription_job (priority, created_at) where status in ('queued', 'processing');
create index transcription_job_completed on transcription_job (completed_at desc) where status = 'completed';
create index transcription_job_video on transcription_job (video_id, created_at desc);

-- The accounts that asked for a video: the submitter and those who joined the running job.
create table transcription_request (
  account_id text collate "C" not null references account (id),
  video_id text collate "C" not null references video (id),
  job_id text collate "C" not null references transcription_job (id),
  -- milliseconds, so that a page cursor can name it exactly
  created_at timestamptz(3) not null default now(),
  primary key (account_id, video_id)
);
create index transcription_request_account on transcription_request (account_id, created_at desc, video_id);

-- Work in progress: a job's chunks go when it ends.
create table transcription_chunk (
  job_id text collate "C" not null references transcription_job (id) on delete cascade,
  index integer not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  segments jsonb,
  -- how long the engine worked on it, once done
  engine_seconds double precision,
  engine text,
  recognised_at timestamptz,
  primary key (job_id, index)
);

create table transcript (
  video_id text primary key collate "C" references video (id),
  job_id text collate "C" not null references transcription_job (id),
  revision integer not null,
  seq integer not null,
  language text,
  source text not null,
  engine text not null,
  duration_seconds double precision not null,
  created_at timestamptz not null default now()
);

-- The engine's output: immutable.
create table transcript_segment (
  video_id text collate "C" not null references transcript (video_id) on delete cascade,
  index integer not null,
  id text collate "C" not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  text text not null,
  confidence real not null,
  -- [[text, startSeconds, endSeconds, confidence], ...]
  words jsonb not null,
  primary key (video_id, index)
);

create table transcript_unlock (
  account_id text collate "C" not null references account (id),
  video_id text collate "C" not null references video (id),
  rows bigint not null,
  unlocked_at timestamptz not null default now(),
  primary key (account_id, video_id)
);

-- What must be told to Temporal after a commit. A row lives until it has been told.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  created_at timestamptz not null default now()
);
create function outbox_notify() returns trigger language plpgsql as
  $$ begin notify outbox; return null; end $$;
create trigger outbox_wake after insert on outbox for each statement execute function outbox_notify();

-- Which workers live, what they serve and how fast their engine is: for health and for ETAs.
create table worker_heartbeat (
  worker_id text primary key collate "C",
  role text not null check (role in ('workflows', 'speech')),
  engine text,
  engine_ready boolean,
  engine_processes integer,
  engine_detail text,
  seen_at timestamptz not null
);

-- Down Migration

drop table worker_heartbeat, outbox, transcript_unlock, transcript_segment, transcript, transcription_chunk, transcription_request,
  transcription_job, video, channel;
drop function outbox_notify;
