-- Up Migration

-- An account, or an internal key: whoever may use an Idempotency-Key.
alter table idempotency_key drop constraint idempotency_key_account_id_fkey;
alter table idempotency_key rename column account_id to owner;
-- The body is encrypted by the key vault, as it carries a secret.
alter table idempotency_key add column sealed boolean not null default false;

drop index api_key_account;
create index api_key_account on api_key (account_id, id);
create index transcription_job_status on transcription_job (status, id);

-- Down Migration

drop index transcription_job_status;
drop index api_key_account;
create index api_key_account on api_key (account_id);
delete from idempotency_key where owner not in (select id from account) or sealed;
alter table idempotency_key drop column sealed;
alter table idempotency_key rename column owner to account_id;
alter table idempotency_key add constraint idempotency_key_account_id_fkey foreign key (account_id) references account (id);
