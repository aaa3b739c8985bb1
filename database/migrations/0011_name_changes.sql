-- Up Migration

-- Which entities' names changed: read by every process that keeps an index of names in memory. Kept for a day.
create table entity_name_change (
  seq bigint generated always as identity primary key,
  -- rows become visible in the order of commits, not of seq: readers go by transactions
  xid xid8 not null default pg_current_xact_id(),
  entity_ids bigint[] not null,
  changed_at timestamptz(3) not null default now()
);
create index entity_name_change_xid on entity_name_change (xid);

-- One row a statement, however many names it touches.
create function note_name_changes() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct entity_id) into ids from removed;
  else
    select array_agg(distinct entity_id) into ids from added;
  end if;
  if ids is not null then
    insert into entity_name_change (entity_ids) values (ids);
  end if;
  return null;
end $$;
create trigger name_added after insert on entity_name referencing new table as added for each statement execute function note_name_changes();
create trigger name_changed after update on entity_name referencing new table as added for each statement execute function note_name_changes();
create trigger name_removed after delete on entity_name referencing old table as removed for each statement execute function note_name_changes();

-- Down Migration

drop trigger name_added on entity_name;
drop trigger name_changed on entity_name;
drop trigger name_removed on entity_name;
drop function note_name_changes;
drop table entity_name_change;
