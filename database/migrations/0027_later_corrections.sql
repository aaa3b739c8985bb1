-- Up Migration

-- What later corrections changed of the same row.
create index review_row_in_force on review_row (table_name, row_key) where reverted_at is null;

-- Down Migration

drop index review_row_in_force;
