-- Up Migration

-- Live keys by the hashes of their secrets, with all that decides on a request, after counting requests against their windows of 60
-- seconds. A function, because every request runs it and planning it costs three times what it does.
create function admit_requests(secret_hashes bytea[], request_counts integer[], in_period date) returns table (
  n integer, key_id text, scopes text[], account_id text, tier text, api_enabled boolean, monthly_rows bigint, on_demand boolean,
  spend_cap_cents integer, rows_used bigint, on_demand_rows bigint, requests integer, reset_seconds integer
) language plpgsql rows 10
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with live_key as materialized (
      select asked.n::integer as n, api_key.id, api_key.account_id, api_key.scopes, asked.requests
      from unnest(secret_hashes, request_counts) with ordinality as asked (secret_sha256, requests, n)
        join api_key on api_key.secret_sha256 = asked.secret_sha256
      where api_key.state = 'active' and (api_key.expires_at is null or api_key.expires_at > now())
    ), counted as (
      -- in one order everywhere, so that processes that count several keys never wait for each other in a circle
      insert into rate_window as open (key_id, started_at, requests)
      select id, clock_timestamp(), requests from live_key where account_id is not null order by id
      on conflict on constraint rate_window_pkey do update set
        requests = case when open.started_at + interval '60 s' <= excluded.started_at then 0 else open.requests end + excluded.requests,
        started_at = case when open.started_at + interval '60 s' <= excluded.started_at then excluded.started_at else open.started_at end
      returning key_id, requests, greatest(1, ceil(extract(epoch from started_at + interval '60 s' - clock_timestamp())))::int4 as reset_seconds
    )
    select live_key.n, live_key.id, live_key.scopes, account.id, account.tier, account.api_enabled, account.monthly_rows,
      account.on_demand, account.spend_cap_cents, coalesce(usage_counter.rows_used, 0), coalesce(usage_counter.on_demand_rows, 0),
      counted.requests, counted.reset_seconds
    from live_key
      left join account on account.id = live_key.account_id
      left join usage_counter on usage_counter.account_id = live_key.account_id and usage_counter.period = in_period
      left join counted on counted.key_id = live_key.id;
end $$;

-- Down Migration

drop function admit_requests;
