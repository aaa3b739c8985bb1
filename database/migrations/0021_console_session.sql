-- Up Migration

-- Who is signed in to the console. The cookie's token is only kept as its hash.
create table console_session (
  token_sha256 bytea primary key,
  key_id text collate "C" not null references api_key (id),
  -- what the next page says once, such as that a step was taken
  flash text,
  created_at timestamptz(3) not null,
  used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

-- Down Migration

drop table console_session;
