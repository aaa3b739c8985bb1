-- Up Migration

-- What the entity that a correction is about read as when it was submitted. Null: it is about no entity, or from before.
alter table feedback_correction add column item_canonical_id bigint references entity (id);

-- A reviewer said what it is called: what sources say of it leaves its name alone.
alter table channel add column name_settled boolean not null default false;

-- Down Migration

alter table channel drop column name_settled;
alter table feedback_correction drop column item_canonical_id;
