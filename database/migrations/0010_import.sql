-- Up Migration

-- Advertises somewhere, as an operator knows; on which channels is known_advertiser.
alter table entity add column known_advertiser boolean not null default false;

-- Evidence carries copies of its video's channel and time: they follow in the statement that changes the video, whoever does.
-- The lock waits for transactions that are copying what the video had before; they hold it shared (database/videoCopies.ts).
create function update_video_copies() returns trigger language plpgsql as $$
begin
  if not exists (
    select from added join removed using (id) where (added.channel_id, added.published_at) is distinct from (removed.channel_id, removed.published_at)
  ) then
    return null;
  end if;
  perform pg_advisory_xact_lock(7428);
  update mention set channel_id = coalesce(added.channel_id, mention.channel_id), sorted_at = coalesce(added.published_at, '0001-01-01Z')
    from added where mention.video_id = added.id
      and (mention.channel_id, mention.sorted_at)
        is distinct from (coalesce(added.channel_id, mention.channel_id), coalesce(added.published_at, '0001-01-01Z')::timestamptz(3));
  update recommendation set channel_id = coalesce(added.channel_id, recommendation.channel_id), sorted_at = coalesce(added.published_at, '0001-01-01Z')
    from added where recommendation.video_id = added.id
      and (recommendation.channel_id, recommendation.sorted_at)
        is distinct from (coalesce(added.channel_id, recommendation.channel_id), coalesce(added.published_at, '0001-01-01Z')::timestamptz(3));
  return null;
end $$;
create trigger video_copies after update on video referencing old table as removed new table as added
  for each statement execute function update_video_copies();

-- Down Migration

drop trigger video_copies on video;
drop function update_video_copies;
alter table entity drop column known_advertiser;
