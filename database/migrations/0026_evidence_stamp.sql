-- Up Migration

-- As before, another number whenever a mention in the transcript comes, goes or moves, or an entity is merged; but entities are looked up
-- once each and not once a mention, and values are hashed and not rows: two fifths of the time.
create or replace function evidence_stamp(in_video_id text) returns bigint language plpgsql stable strict
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(bit_xor(hashint8extended(coalesce(entity.canonical_id, entity.id), found.stamp)), 0)
    from (
      select entity_id, bit_xor(hashtextextended(coalesce(segment_id, ''), hashint4extended(coalesce(char_start, -1),
        hashint4extended(coalesce(char_end, -1), hashfloat8extended(start_seconds, id))))) as stamp
      from mention where video_id = in_video_id and source = 'speech' and not is_appearance
      group by entity_id
    ) as found join entity on entity.id = found.entity_id);
end $$;

-- Down Migration

create or replace function evidence_stamp(in_video_id text) returns bigint language plpgsql stable strict
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(bit_xor(hash_record_extended(row(id, entity_id, segment_id, char_start, char_end, start_seconds), 0)), 0)
    from transcript_mention where video_id = in_video_id);
end $$;
