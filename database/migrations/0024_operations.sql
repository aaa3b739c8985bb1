-- Up Migration

-- What operators list and search: jobs of an account, monitors and accounts by the beginning of their name, webhooks that are off.
create index transcription_job_account on transcription_job (account_id, status, id);
create index monitor_name on monitor ((lower(name) collate "C"), id);
create index monitor_disabled on monitor (id) where webhook_disabled_at is not null;
create index account_email on account ((lower(email) collate "C"), id);
-- What was held for a job, charged and given back; reads, which are most of the ledger, are not in it.
create index ledger_entry_settlement on ledger_entry (subject, id) where kind <> 'debit';

-- Down Migration

drop index ledger_entry_settlement, account_email, monitor_disabled, monitor_name, transcription_job_account;
