-- Up Migration

alter table alert_occurrence
  -- when it was paid for and what is to be delivered was written down; never for one that is suppressed
  add column begun_at timestamptz(3);

alter table alert_delivery
  -- of a mail to several: who has it already
  add column taken_by text[] not null default '{}';
-- what stops when a webhook is disabled
create index alert_delivery_webhook_pending on alert_delivery (monitor_id) where status = 'pending' and channel = 'webhook';

-- Pays for an occurrence once, whoever asks however often: `begun` where this very call has paid, `known` where an earlier one has,
-- `suppressed` where the account cannot pay, null where there is no such occurrence. What goes out on no channel is there to be read, which is
-- all that it can be. Locks first, so that what it then reads is of today.
create function begin_alert(
  for_alert text, channels integer, price bigint, for_period date, pool_rows bigint, on_demand_limit_rows bigint, now_is timestamptz
) returns text language plpgsql as $$
declare
  alert alert_occurrence;
  debit record;
begin
  select * into alert from alert_occurrence where id = for_alert for no key update;
  if not found then return null; end if;
  if alert.status = 'suppressed' then return 'suppressed'; end if;
  if alert.begun_at is not null then return 'known'; end if;
  if price > 0 then
    select * into strict debit from debit_rows(alert.account_id, for_period, pool_rows, on_demand_limit_rows, array[price]);
    if debit.debited_rows < price then
      update alert_occurrence set status = 'suppressed' where id = for_alert;
      return 'suppressed';
    end if;
    insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, subject)
      values (alert.account_id, for_period, price,
        greatest(debit.rows_used_before + price - greatest(debit.rows_used_before, pool_rows), 0), 'debit', 'alert', for_alert);
  end if;
  update alert_occurrence set begun_at = now_is, rows_billed = price, status = case when channels = 0 then 'delivered' else status end
    where id = for_alert;
  return 'begun';
end $$;

-- What the owner of a failing webhook is told, once each time.
create table webhook_notice (
  id text primary key collate "C",
  account_id text collate "C" not null references account (id),
  monitor_id text collate "C" not null,
  monitor_name text not null,
  consequence text not null check (consequence in ('warn', 'disable')),
  failures integer not null check (failures >= 0),
  -- in the product's own words: never an address, a header or a body
  last_error text not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index webhook_notice_monitor on webhook_notice (monitor_id, id);

-- Down Migration

drop table webhook_notice;
delete from outbox where kind = 'notice.start';
drop function begin_alert;
drop index alert_delivery_webhook_pending;
alter table alert_delivery drop column taken_by;
alter table alert_occurrence drop column begun_at;
