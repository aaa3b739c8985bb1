-- Up Migration

-- A key whose effect is committed elsewhere is kept before it, with the one id that the effect is carried out under, however often it is
-- asked for; the answer follows.
alter table idempotency_key
  alter column status drop not null,
  alter column headers drop not null,
  alter column body drop not null,
  add column effect_id text collate "C",
  -- until then somebody is at it
  add column leased_until timestamptz,
  add constraint idempotency_key_answered check (num_nulls(status, headers, body) in (0, 3)),
  add constraint idempotency_key_carried check (status is not null or num_nulls(effect_id, leased_until) = 0);

-- A reviewer said which image is right, or that none is: what looks for images leaves it alone.
alter table entity add column image_settled boolean not null default false;

-- Down Migration

alter table entity drop column image_settled;
delete from idempotency_key where status is null;
alter table idempotency_key
  drop constraint idempotency_key_carried,
  drop constraint idempotency_key_answered,
  drop column leased_until,
  drop column effect_id,
  alter column body set not null,
  alter column headers set not null,
  alter column status set not null;
