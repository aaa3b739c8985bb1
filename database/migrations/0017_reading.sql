-- Up Migration

-- Where entities are named in the texts of transcripts, merges resolved; appearances are no words of a text.
create view transcript_mention as
  select mention.id, mention.video_id, coalesce(entity.canonical_id, entity.id) as entity_id, mention.segment_id, mention.char_start,
    mention.char_end, mention.start_seconds
  from mention join entity on entity.id = mention.entity_id
  where mention.source = 'speech' and not mention.is_appearance;

-- What the mentions in a transcript come down to: another number whenever one comes, goes or moves, or an entity is merged. Made from the
-- mentions themselves, so that nothing that changes them has to know of it.
create function evidence_stamp(in_video_id text) returns bigint language plpgsql stable strict
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(bit_xor(hash_record_extended(row(id, entity_id, segment_id, char_start, char_end, start_seconds), 0)), 0)
    from transcript_mention where video_id = in_video_id);
end $$;

-- What each account may know of a video's transcript before its text is read: planned once, as it is asked with every read. The stamp is
-- only of transcripts that the account may read, and made once however many ask.
create function reading_heads(video_ids text[], account_ids text[]) returns table (
  n integer, title text, channel_id text, channel_name text, published_at timestamptz, video_language text, video_duration_seconds double precision,
  revision integer, seq integer, language text, source text, duration_seconds double precision, unlocked_at timestamptz, evidence_stamp bigint,
  speakers json
) language plpgsql stable rows 10
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select ordinality::integer as n, video_id, account_id
      from unnest(video_ids, account_ids) with ordinality as asked (video_id, account_id, ordinality)
    ), stamped as materialized (
      select video_id, evidence_stamp(video_id) as evidence_stamp, speakers_of(video_id) as speakers
      from (select distinct video_id from asked join transcript_unlock using (video_id, account_id)) as opened
    )
    select asked.n, video.title, video.channel_id, channel.name, video.published_at, video.language, video.duration_seconds,
      transcript.revision, transcript.seq, transcript.language, transcript.source, transcript.duration_seconds,
      transcript_unlock.unlocked_at, stamped.evidence_stamp, stamped.speakers
    from asked
    left join video on video.id = asked.video_id
    left join channel on channel.id = video.channel_id
    left join transcript on transcript.video_id = asked.video_id
    left join transcript_unlock on transcript_unlock.video_id = asked.video_id and transcript_unlock.account_id = asked.account_id
    left join stamped on stamped.video_id = asked.video_id
    order by asked.n;
end $$;

-- Down Migration

drop function reading_heads, evidence_stamp;
drop view transcript_mention;
