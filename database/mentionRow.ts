import { z } from "zod";
import { appearanceRoles } from "../domain/evidence.ts";
import { entityReferenceColumns, entityReferenceFields, shapeEntityReference } from "./entityReference.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { count, sql, timestamp } from "./pool.ts";

/** Columns of a mention with its entity, its video and its speaker, for statements that read `mention` with `mentionJoins`. */
export const mentionColumns = sql.fragment`mention.id as mention_id, ${entityReferenceColumns}, ${mediaColumns}, mention.start_seconds, mention.end_seconds,
  mention.quote, mention.context_before, mention.context_after, mention.surface_form, mention.speaker_id, mention.speaker_name,
  coalesce(speaker.canonical_id, speaker.id) as speaker_entity_id, mention.is_appearance, mention.appearance_role, mention.speaking_seconds,
  mention.in_ad, mention.sentiment_score, mention.confidence, mention.transcript_revision, mention.source, mention.created_at`;

export const mentionJoins = sql.fragment`
  join entity as detected on detected.id = mention.entity_id
  join entity on entity.id = coalesce(detected.canonical_id, detected.id)
  join video on video.id = mention.video_id
  join channel on channel.id = mention.channel_id
  left join entity as speaker on speaker.id = mention.speaker_entity_id`;

export const mentionFields = {
  mention_id: count,
  ...entityReferenceFields,
  ...mediaFields,
  start_seconds: z.number(),
  end_seconds: z.number(),
  quote: z.string(),
  context_before: z.string().nullable(),
  context_after: z.string().nullable(),
  surface_form: z.string().nullable(),
  speaker_id: z.string().nullable(),
  speaker_name: z.string().nullable(),
  speaker_entity_id: count.nullable(),
  is_appearance: z.boolean(),
  appearance_role: z.enum(appearanceRoles).nullable(),
  speaking_seconds: z.number().nullable(),
  in_ad: z.boolean(),
  sentiment_score: z.number().nullable(),
  confidence: z.number(),
  transcript_revision: z.number().nullable(),
  source: z.string(),
  created_at: timestamp,
};

const mentionRow = z.object(mentionFields);

/** A mention with the canonical entity and the video that it is about. */
export const shapeMention = (row: z.output<typeof mentionRow>) => ({
  mentionId: row.mention_id,
  entity: shapeEntityReference(row),
  media: shapeMedia(row),
  startSeconds: row.start_seconds,
  endSeconds: row.end_seconds,
  quote: row.quote,
  contextBefore: row.context_before,
  contextAfter: row.context_after,
  surfaceForm: row.surface_form,
  /** Null where nothing is known of who speaks. */
  speaker:
    row.speaker_id === null && row.speaker_name === null && row.speaker_entity_id === null
      ? null
      : { id: row.speaker_id, name: row.speaker_name, entityNumericId: row.speaker_entity_id },
  isAppearance: row.is_appearance,
  appearanceRole: row.appearance_role,
  speakingSeconds: row.speaking_seconds,
  inAd: row.in_ad,
  sentimentScore: row.sentiment_score,
  confidence: row.confidence,
  transcriptRevision: row.transcript_revision,
  source: row.source,
  createdAt: row.created_at,
});
