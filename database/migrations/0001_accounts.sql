-- Up Migration

create table account (
  id text primary key collate "C",
  email text not null,
  tier text not null check (tier in ('free', 'pro', 'pro_plus', 'ultra', 'teams', 'enterprise')),
  api_enabled boolean not null default true,
  -- null: the pool of the tier
  monthly_rows bigint check (monthly_rows >= 0),
  on_demand boolean not null default false,
  spend_cap_cents integer check (spend_cap_cents >= 0),
  created_at timestamptz not null default now()
);

create table api_key (
  id text primary key collate "C",
  -- null: an internal key, which belongs to the installation
  account_id text collate "C" references account (id),
  name text not null,
  secret_sha256 bytea not null unique,
  secret_prefix text not null,
  secret_last4 text not null,
  scopes text[] not null,
  state text not null default 'active' check (state in ('active', 'disabled', 'deleted')),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  created_at timestamptz not null default now()
);
create index api_key_account on api_key (account_id);

-- What an account has used in a UTC month. Always the sum of the ledger's rows of that account and month.
create table usage_counter (
  account_id text collate "C" not null references account (id),
  period date not null,
  rows_used bigint not null check (rows_used >= 0),
  primary key (account_id, period)
) with (fillfactor = 50);

-- Append-only. A hold debits the price before the work; its capture settles the difference, its refund gives all back.
create table ledger_entry (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references account (id),
  period date not null,
  rows bigint not null,
  kind text not null check (kind in ('debit', 'hold', 'capture', 'refund')),
  reason text not null,
  -- what was bought: a job, an alert occurrence, a video
  subject text,
  request_id text,
  created_at timestamptz not null default now()
);
create index ledger_entry_account on ledger_entry (account_id, period, id);
create function ledger_is_append_only() returns trigger language plpgsql as
  $$ begin raise exception 'the ledger is append-only'; end $$;
create trigger ledger_append_only before update or delete on ledger_entry
  for each row execute function ledger_is_append_only();

create table idempotency_key (
  account_id text collate "C" not null references account (id),
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- One fixed window a key. Unlogged: losing it in a crash only opens a new window.
create unlogged table rate_window (
  key_id text primary key collate "C",
  started_at timestamptz not null,
  requests integer not null
) with (fillfactor = 50);

-- Down Migration

drop table rate_window, idempotency_key, ledger_entry, usage_counter, api_key, account;
drop function ledger_is_append_only;
