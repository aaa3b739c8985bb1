-- Up Migration

-- What somebody reported about the answer to a query.
create table feedback (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references account (id),
  -- whose reputation it counts for
  key_id text collate "C" not null,
  type text collate "C" not null check (type in ('recommendations', 'channel_sponsors', 'mentions', 'entities_search', 'entities', 'channels',
    'monitor_alert', 'appearances', 'search')),
  -- as it was submitted, decoded
  query json not null,
  notes text,
  -- rolled up from the corrections' (domain/review/states.ts)
  status text collate "C" not null,
  -- counts its changes: of two readings the one with the higher version is newer
  version integer not null default 1,
  request_id text,
  created_at timestamptz(3) not null default now()
);
create index feedback_status on feedback (status, id);
create index feedback_type on feedback (type, status, id);
create index feedback_account on feedback (account_id, status, id);
create index feedback_key on feedback (key_id, status, id);

create table feedback_correction (
  id bigint generated always as identity primary key,
  feedback_id bigint not null references feedback (id),
  -- from 0, in the order of the submission
  position integer not null,
  -- a copy of the feedback's, for the key's reputation
  key_id text collate "C" not null,
  item_kind text collate "C" not null,
  item_id text collate "C" not null,
  issue_type text collate "C" not null,
  reason text,
  suggested_change json,
  notes text,
  observed_rank integer,
  status text collate "C" not null default 'pending_review' check (status in ('pending_review', 'needs_information', 'accepted',
    'accepted_with_changes', 'rejected', 'withdrawn', 'applied', 'reverted')),
  -- how a reviewer resolves it, where not as it was suggested
  resolved_issue_type text collate "C",
  resolved_change json,
  resolution_note text,
  created_at timestamptz(3) not null default now(),
  unique (feedback_id, position)
);
create index feedback_correction_key on feedback_correction (key_id, status);

-- What people did with a feedback: written before it is carried out, once for its id, and its history ever after.
create table review_command (
  id text primary key collate "C",
  feedback_id bigint not null references feedback (id),
  verb text not null check (verb in ('accept', 'accept_with_changes', 'reject', 'request_information', 'supply_information', 'withdraw',
    'apply', 'revert')),
  -- null: all that can take the step
  correction_ids bigint[],
  note text,
  change json,
  -- id of a key, or 'command line' or 'temporal'
  actor text not null,
  requested_at timestamptz(3) not null default now(),
  -- null: not carried out yet
  outcome text check (outcome in ('done', 'repeated', 'refused')),
  refusal text,
  moved_ids bigint[],
  carried_at timestamptz(3),
  check ((outcome is null) = (carried_at is null)),
  check ((outcome = 'refused') = (refusal is not null))
);
create index review_command_feedback on review_command (feedback_id, requested_at, id);

-- What applying a correction changed, row by row in that order, so that reverting restores exactly that. Of rows that were changed, the
-- columns that were; of rows that came or went, all.
create table review_row (
  id bigint generated always as identity primary key,
  correction_id bigint not null references feedback_correction (id),
  table_name text not null,
  row_key jsonb not null,
  before jsonb,
  after jsonb,
  applied_at timestamptz(3) not null default now(),
  -- null: it is in force
  reverted_at timestamptz(3)
);
create index review_row_correction on review_row (correction_id, id) where reverted_at is null;

-- What reviewers settled of a video's evidence, which detection leaves alone from then on: a row that stands as it is, or a place where
-- nothing of an entity is to be found.
create table reviewed_evidence (
  id bigint generated always as identity primary key,
  correction_id bigint not null references feedback_correction (id),
  video_id text collate "C" not null references video (id),
  kind text not null check (kind in ('mention', 'appearance', 'commercial')),
  row_id bigint,
  entity_id bigint references entity (id),
  start_seconds double precision,
  end_seconds double precision,
  check ((row_id is null) = (entity_id is not null))
);
create index reviewed_evidence_video on reviewed_evidence (video_id);
create index reviewed_evidence_correction on reviewed_evidence (correction_id);

-- What reviewers found that changes no row: what ranking is judged by, and what is to be looked into.
create table review_finding (
  correction_id bigint primary key references feedback_correction (id),
  issue_type text not null,
  item_id text not null,
  details json not null,
  recorded_at timestamptz(3) not null default now()
);

-- Entities that a search for exactly these words (folded, domain/names.ts) lists first, or not at all.
create table search_review (
  key text collate "C" not null,
  entity_id bigint not null references entity (id),
  verdict text not null check (verdict in ('pinned', 'hidden')),
  primary key (key, entity_id)
);

-- An alert that a reviewer took back: kept, so that it never fires again, and not shown.
alter table alert_occurrence add column retracted_at timestamptz(3);
-- which alerts show a mention that a review changes
create index alert_occurrence_video on alert_occurrence (video_id);

-- What reviewers say of a channel's sponsor, over what its commercial rows add up to.
create table sponsor_review (
  channel_id text collate "C" not null references channel (id),
  entity_id bigint not null references entity (id),
  is_sponsor boolean not null default true,
  -- how many ad reads there are beside those that were found; less than 0: fewer
  ad_reads_added integer not null default 0,
  status text check (status in ('active', 'lapsed', 'known')),
  -- when the status was said: what is heard later counts again
  status_at timestamptz(3),
  primary key (channel_id, entity_id),
  check ((status is null) = (status_at is null))
);

alter function sum_sponsors(text[], bigint[]) rename to sum_sponsors_as_found;

-- Brings the sponsors (channel, canonical entity) to what reviewers say of them, after they were summed up. Of entities that were merged,
-- the canonical one's review goes before the others'. 90 days: as in domain/sponsors.ts.
create function review_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql as $$
begin
  with pair as materialized (
    select distinct channel_id collate "C" as channel_id, entity_id from unnest(channel_ids, entity_ids) as pair (channel_id, entity_id)
  ), review as materialized (
    select distinct on (pair.channel_id, pair.entity_id) pair.channel_id, pair.entity_id, said.is_sponsor, said.ad_reads_added, said.status,
      said.status_at
    from pair
      join entity as member on (member.id = pair.entity_id and member.canonical_id is null) or member.canonical_id = pair.entity_id
      join sponsor_review as said on said.channel_id = pair.channel_id and said.entity_id = member.id
    order by pair.channel_id, pair.entity_id, member.id <> pair.entity_id, member.id
  ), reviewed as materialized (
    select review.*, found.row_count, found.ad_read_count, found.endorsement_count, greatest(found.ad_read_count + review.ad_reads_added, 0) as reads,
      case when review.status = 'active' then greatest(found.last_seen_at, review.status_at)
        when review.status is not null and found.last_seen_at <= review.status_at
          then least(found.last_seen_at, review.status_at - interval '90 days 1 minute')
        else found.last_seen_at end as seen_at,
      case review.status when 'known' then true when 'lapsed' then false else found.is_known end as known
    from review join channel_sponsor as found using (channel_id, entity_id)
  ), gone as (
    delete from channel_sponsor using reviewed where channel_sponsor.channel_id = reviewed.channel_id
      and channel_sponsor.entity_id = reviewed.entity_id and not reviewed.is_sponsor
  ), changed as (
    update channel_sponsor set ad_read_count = reads, is_known = known, last_seen_at = seen_at,
      first_seen_at = least(channel_sponsor.first_seen_at, seen_at), sorted_at = coalesce(seen_at, '0001-01-01Z')
    from reviewed where channel_sponsor.channel_id = reviewed.channel_id and channel_sponsor.entity_id = reviewed.entity_id and reviewed.is_sponsor
  ), difference as (
    select channel_id,
      sum((is_sponsor and reads >= 3)::int - (ad_read_count >= 3)::int) as frequent_sponsor_count,
      sum(case when is_sponsor then 0 else -row_count end) as row_count,
      sum(case when is_sponsor then reads else 0 end - ad_read_count) as ad_read_count,
      sum(case when is_sponsor then 0 else -endorsement_count end) as endorsement_count
    from reviewed group by channel_id
  )
  update channel_commerce as commerce set frequent_sponsor_count = commerce.frequent_sponsor_count + difference.frequent_sponsor_count,
    row_count = commerce.row_count + difference.row_count, ad_read_count = commerce.ad_read_count + difference.ad_read_count,
    endorsement_count = commerce.endorsement_count + difference.endorsement_count
  from difference where commerce.channel_id = difference.channel_id;
end $$;

create function sum_sponsors(channel_ids text[], entity_ids bigint[]) returns void language plpgsql as $$
begin
  perform sum_sponsors_as_found(channel_ids, entity_ids);
  if exists (select from sponsor_review where channel_id = any (channel_ids)) then
    perform review_sponsors(channel_ids, entity_ids);
  end if;
end $$;

create function follow_sponsor_reviews() returns trigger language plpgsql as $$
declare
  told sponsor_review := case when tg_op = 'DELETE' then old else new end;
begin
  perform lock_entities(array[told.entity_id]);
  perform sum_sponsors(array[told.channel_id], array(select coalesce(canonical_id, id) from entity where id = told.entity_id));
  return null;
end $$;
create trigger sponsor_reviewed after insert or update or delete on sponsor_review for each row execute function follow_sponsor_reviews();

-- Down Migration

drop table sponsor_review;
drop function follow_sponsor_reviews, sum_sponsors, review_sponsors;
alter function sum_sponsors_as_found(text[], bigint[]) rename to sum_sponsors;
drop index alert_occurrence_video;
alter table alert_occurrence drop column retracted_at;
drop table search_review, review_finding, reviewed_evidence, review_row, review_command, feedback_correction, feedback;
delete from outbox where kind = 'review.start';
