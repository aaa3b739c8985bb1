-- Up Migration

-- What a video's detected evidence was made from, the last time.
create table video_index (
  video_id text primary key collate "C" references video (id),
  source text not null check (source in ('speech', 'captions')),
  -- null for a preliminary scan
  transcript_revision integer,
  detector_version text not null,
  indexed_at timestamptz not null default now()
);

-- Down Migration

drop table video_index;
