-- Up Migration

-- The places that a correction put right: who takes it back alone, has it said there.
create index taught_name_place_correction on taught_name_place using gin (correction_ids);

-- Down Migration

drop index taught_name_place_correction;
