-- Up Migration

-- Where in the text of a transcript the words of a mention stand that reviewers judged, whether they let the mention stand or took it out of
-- the index. Each entry of the log that changes the text moves it along.
create table judged_words (
  mention_id bigint primary key,
  video_id text collate "C" not null references video (id),
  segment_id text collate "C" not null,
  char_start integer not null,
  char_end integer not null,
  -- the words are not said any more: this is the last place that they had, and a mention of them is in mention_aside
  is_gone boolean not null default false
);
create index judged_words_segment on judged_words (video_id, segment_id) where not is_gone;

-- Where they stood before an entry of the log moved them or took them out: taking the entry back puts them there again.
create table judged_words_move (
  video_id text collate "C" not null,
  seq integer not null,
  mention_id bigint not null references judged_words (mention_id) on delete cascade,
  segment_id text collate "C" not null,
  char_start integer not null,
  char_end integer not null,
  primary key (video_id, seq, mention_id)
);
create index judged_words_move_mention on judged_words_move (mention_id);

-- Mentions whose words are gone, as they were: they are in no read and no count until the words are back.
create table mention_aside (
  mention_id bigint primary key references judged_words (mention_id),
  image jsonb not null
);

-- of a place where a reviewer lets no mention stand: the mention that stood there
alter table reviewed_evidence add column of_mention_id bigint;
create index reviewed_evidence_mention on reviewed_evidence (coalesce(row_id, of_mention_id)) where kind = 'mention';

update reviewed_evidence set of_mention_id = (
    select min((row_key ->> 'id')::bigint) from review_row
    where review_row.correction_id = reviewed_evidence.correction_id and table_name = 'mention' and reverted_at is null
  )
  where kind = 'mention' and row_id is null;
insert into judged_words (mention_id, video_id, segment_id, char_start, char_end)
  select distinct mention.id, mention.video_id, mention.segment_id, mention.char_start, mention.char_end
  from reviewed_evidence as settled join mention on mention.id = coalesce(settled.row_id, settled.of_mention_id)
    join transcript_segment as segment on segment.video_id = mention.video_id and segment.id = mention.segment_id
  where settled.kind = 'mention' and mention.source = 'speech' and not mention.is_appearance and mention.char_end > mention.char_start;
-- what was taken out is known as it was then: only where the words are still there is it known where they are
insert into judged_words (mention_id, video_id, segment_id, char_start, char_end)
  select distinct on (settled.of_mention_id) settled.of_mention_id, segment.video_id, segment.id,
    (removed.before ->> 'char_start')::integer, (removed.before ->> 'char_end')::integer
  from reviewed_evidence as settled
    join review_row as removed on removed.correction_id = settled.correction_id and removed.table_name = 'mention' and removed.after is null
      and removed.reverted_at is null and removed.before ->> 'source' = 'speech'
    join transcript_segment as segment on segment.video_id = settled.video_id and segment.id = removed.before ->> 'segment_id'
      and strpos(substr(segment.text, (removed.before ->> 'char_start')::integer + 1), removed.before ->> 'surface_form') = 1
  where settled.kind = 'mention' and settled.of_mention_id is not null
  on conflict do nothing;

-- Down Migration

-- what is aside comes back, without a place in the text, as it would have stayed
insert into mention (id, video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, context_before, context_after,
    surface_form, speaker_id, speaker_name, speaker_entity_id, is_appearance, appearance_role, speaking_seconds, in_ad, sentiment_score, confidence,
    source, transcript_revision, detector_version, created_at)
  overriding system value
  select id, video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, context_before, context_after,
    surface_form, speaker_id, speaker_name, speaker_entity_id, is_appearance, appearance_role, speaking_seconds, in_ad, sentiment_score, confidence,
    source, transcript_revision, detector_version, created_at
  from mention_aside, jsonb_populate_record(null::mention, image)
  on conflict do nothing;
drop index reviewed_evidence_mention;
alter table reviewed_evidence drop column of_mention_id;
drop table mention_aside, judged_words_move, judged_words;
