import { z } from "zod";
import type { Speaker } from "../domain/corrections/types.ts";
import { appearanceRoles } from "../domain/evidence.ts";
import { type Queryable, sql, type Transaction } from "./pool.ts";

/** A `speakers_of`: everybody who is told apart in a transcript, merges of the persons resolved, in the order in which they were added. */
export const speakerRows = z
  .array(z.tuple([z.string(), z.string(), z.number().nullable(), z.enum(appearanceRoles).nullable()]))
  .transform((speakers) => speakers.map(([id, label, entityId, role]): Speaker => ({ id, label, entityId, role })));

export async function readSpeakers(db: Queryable, videoId: string): Promise<readonly Speaker[]> {
  return db.oneFirst(sql.type(z.object({ speakers: speakerRows }))`select speakers_of(${videoId}) as speakers`);
}

export async function saveSpeaker(transaction: Transaction, videoId: string, speaker: Speaker): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into transcript_speaker (video_id, id, label, entity_id, role)
    values (${videoId}, ${speaker.id}, ${speaker.label}, ${speaker.entityId}, ${speaker.role})
    on conflict (video_id, id) do update set label = excluded.label, entity_id = excluded.entity_id, role = excluded.role`);
}

export async function deleteSpeaker(transaction: Transaction, videoId: string, speakerId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    delete from transcript_speaker where video_id = ${videoId} and id = ${speakerId}`);
}

/** Whether somebody speaks who is this speaker, in the transcript or in what a withdrawal could bring back, other than by the entry `seq`. */
export async function isSpeakerUsed(
  db: Queryable,
  videoId: string,
  { speakerId, seq }: { speakerId: string; seq: number },
): Promise<boolean> {
  return db.exists(sql.typeAlias("void")`
    select from transcript_segment where video_id = ${videoId} and speaker_id = ${speakerId} and made_seq <> ${seq}
    union all
    select from transcript_segment_history as past
      join transcript_correction as replacing on replacing.video_id = past.video_id and replacing.seq = past.to_seq
    where past.video_id = ${videoId} and past.speaker_id = ${speakerId} and past.made_seq <> ${seq} and replacing.kind <> 'withdrawal'
      and not exists (select from transcript_correction as undone where undone.withdraws_id = replacing.id)`);
}

const spokenRow = z
  .object({ speaker_id: z.string(), start_seconds: z.number(), end_seconds: z.number(), seconds: z.number() })
  .transform((row) => ({
    speakerId: row.speaker_id,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    speakingSeconds: Math.round(row.seconds * 1000) / 1000,
  }));
/** From when to when somebody speaks, and how long in all. */
export type SpokenTime = z.output<typeof spokenRow>;

/** Those of the speakers who speak. */
export async function readSpokenTimes(
  db: Queryable,
  videoId: string,
  speakerIds: readonly string[],
): Promise<readonly SpokenTime[]> {
  if (speakerIds.length === 0) return [];
  return db.any(sql.type(spokenRow)`
    select speaker_id, min(start_seconds) as start_seconds, max(end_seconds) as end_seconds, sum(end_seconds - start_seconds) as seconds
    from transcript_segment where video_id = ${videoId} and speaker_id = any(${sql.array([...speakerIds], "text")})
    group by speaker_id`);
}

/** Writes who a speaker is to the mentions that the speaker makes. */
export async function nameSpeakerOfMentions(
  transaction: Transaction,
  videoId: string,
  speaker: Pick<Speaker, "id" | "label" | "entityId">,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update mention set speaker_name = ${speaker.label}, speaker_entity_id = ${speaker.entityId}
    where video_id = ${videoId} and speaker_id = ${speaker.id} and segment_id is not null and not is_appearance
      and (speaker_name, speaker_entity_id) is distinct from (${speaker.label}, ${speaker.entityId}::int8)`);
}
