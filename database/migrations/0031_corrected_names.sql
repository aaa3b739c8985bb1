-- Up Migration

-- Whose names corrections in force took away: a line of an import may still know an entity by such a name.
create index review_row_name on review_row ((row_key ->> 'key') collate "C") where table_name = 'entity_name' and reverted_at is null;

-- Down Migration

drop index review_row_name;
