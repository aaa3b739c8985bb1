-- Up Migration

-- Where an account's alerts go as chat messages.
create table chat_integration (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  kind text not null check (kind in ('slack-webhook', 'slack-bot')),
  name text not null,
  -- the webhook's address or the bot's token, sealed by the key vault
  sealed_secret bytea not null,
  created_at timestamptz(3) not null default now()
);
create index chat_integration_account on chat_integration (account_id, id);

create table monitor (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  name text not null,
  paused_at timestamptz(3),
  notify_email boolean not null,
  -- empty: the account's own
  email_addresses text[] not null,
  notify_chat boolean not null,
  chat_integration_id text collate "C" references chat_integration (id) on delete set null,
  chat_channel_id text,
  notify_webhook boolean not null,
  webhook_url text,
  -- from when to when failures count: those of attempts begun before the webhook was last enabled never do
  webhook_enabled_at timestamptz(3),
  webhook_failure_count integer not null default 0 check (webhook_failure_count >= 0),
  -- the first failure since the last success
  webhook_failing_since timestamptz(3),
  webhook_disabled_at timestamptz(3),
  webhook_disabled_reason text,
  last_notified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((webhook_disabled_at is null) = (webhook_disabled_reason is null))
) with (fillfactor = 80);
create index monitor_account on monitor (account_id, id);
create index monitor_chat_integration on monitor (chat_integration_id) where chat_integration_id is not null;

-- What a monitor's webhooks are signed with: both secrets sealed by the key vault. Deleting the monitor erases them.
create table monitor_webhook_secret (
  monitor_id text primary key collate "C" references monitor (id) on delete cascade,
  sealed_secret bytea not null,
  -- its last four characters
  hint text not null,
  -- signs beside the new one until it expires; erased then
  sealed_previous bytea,
  previous_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  check ((sealed_previous is null) = (previous_expires_at is null))
);

create table tracker (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  -- as it was resolved: merges never rewrite it, reads and matching follow them
  entity_id bigint not null references entity (id),
  monitor_id text collate "C" references monitor (id) on delete set null,
  display_name text,
  -- of these six, null inherits the monitor's
  notify_email boolean,
  notify_webhook boolean,
  notify_chat boolean,
  webhook_url text,
  chat_channel_id text,
  chat_integration_id text collate "C" references chat_integration (id) on delete set null,
  filters jsonb not null,
  paused_at timestamptz(3),
  last_notified_at timestamptz(3),
  email_delivery_count integer not null default 0,
  webhook_delivery_count integer not null default 0,
  chat_delivery_count integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint tracker_once unique (account_id, entity_id)
) with (fillfactor = 80);
-- what matching looks up
create index tracker_entity on tracker (entity_id, id) where paused_at is null;
create index tracker_account on tracker (account_id, id);
create index tracker_monitor on tracker (monitor_id, id) where monitor_id is not null;
create index tracker_chat_integration on tracker (chat_integration_id) where chat_integration_id is not null;

-- One alert that fired: of a tracker on a video, once for ever. What it says is kept as it was; monitors, trackers and mentions come and go.
create table alert_occurrence (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  tracker_id text collate "C" not null,
  tracker_name text not null,
  monitor_id text collate "C",
  monitor_name text,
  video_id text collate "C" not null references video (id),
  -- canonical when it fired
  entity_id bigint not null references entity (id),
  entity_name text not null,
  entity_type text not null,
  -- names the event in every delivery, retry and redelivery
  event_id text collate "C" not null,
  kind text not null check (kind in ('mention', 'appearance')),
  -- the first matching mention, and how many matched
  mention_id bigint not null,
  mention_count integer not null check (mention_count > 0),
  start_seconds double precision not null,
  end_seconds double precision not null,
  quote text not null,
  sentiment_score double precision,
  confidence double precision not null,
  appearance_role text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'suppressed')),
  rows_billed bigint not null default 0 check (rows_billed >= 0),
  fired_at timestamptz(3) not null default now(),
  constraint alert_once unique (tracker_id, video_id)
) with (fillfactor = 80);
create index alert_occurrence_monitor on alert_occurrence (monitor_id, fired_at desc, id desc) where monitor_id is not null;
create index alert_occurrence_account on alert_occurrence (account_id, fired_at desc, id desc);

-- One thing to deliver on one channel: an alert, an alert again, or a test.
create table alert_delivery (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  -- null: a test
  occurrence_id text collate "C" references alert_occurrence (id),
  monitor_id text collate "C",
  channel text not null check (channel in ('email', 'chat', 'webhook')),
  purpose text not null check (purpose in ('alert', 'redelivery', 'test')),
  event_id text collate "C" not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'skipped')),
  -- why it was skipped or given up
  reason text,
  attempts integer not null default 0 check (attempts >= 0),
  response_status integer,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((purpose = 'test') = (occurrence_id is null))
) with (fillfactor = 70);
create unique index alert_delivery_once on alert_delivery (occurrence_id, channel) where purpose = 'alert';
create index alert_delivery_occurrence on alert_delivery (occurrence_id, id) where occurrence_id is not null;

-- Every attempt, append-only.
create table delivery_attempt (
  id bigint generated always as identity primary key,
  delivery_id text collate "C" not null references alert_delivery (id),
  -- as it was at the attempt
  monitor_id text collate "C",
  channel text not null check (channel in ('email', 'chat', 'webhook')),
  -- 1 for the first of its delivery
  number integer not null check (number > 0),
  outcome text not null check (outcome in ('succeeded', 'failed', 'skipped')),
  at timestamptz(3) not null,
  latency_milliseconds integer,
  response_status integer,
  response_excerpt text,
  -- what went wrong where no answer came: a closed list of the product, never a message with an address or a secret in it
  error_kind text,
  constraint delivery_attempt_once unique (delivery_id, number)
);
create index delivery_attempt_monitor on delivery_attempt (monitor_id, at desc, id desc) where monitor_id is not null;

-- Down Migration

drop table delivery_attempt, alert_delivery, alert_occurrence, tracker, monitor_webhook_secret, monitor, chat_integration;
delete from outbox where kind in ('alert.start', 'rotation.start');
