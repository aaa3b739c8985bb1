-- Up Migration

-- Whole ranges of alerts can be delivered again: what nobody waits for goes out behind what somebody does.
alter table outbox add column priority smallint not null default 0 check (priority in (0, 1));
create index outbox_turn on outbox (priority, id);
drop index outbox_due;

-- Down Migration

create index outbox_due on outbox (next_attempt_at, id);
drop index outbox_turn;
alter table outbox drop column priority;
delete from outbox where kind = 'delivery.start';
