import { z } from "zod";
import type { CarriedPlace } from "../../../database/taughtPlaces.ts";
import { correctionKinds } from "../../../domain/corrections/types.ts";
import { placeReasons, placeStates, taughtNameStatuses } from "../../../domain/teaching/states.ts";
import type { UndoneName } from "../../../services/teaching/decide.ts";
import type { PreviewedPlace } from "../../../services/teaching/preview.ts";
import type { OfferedName, TaughtNameDetails } from "../../../services/teaching/read.ts";
import { entityReference, media, shapeEntityReference, shapeMedia } from "../../v1/evidence/schema.ts";

const time = z.iso.datetime();

export const taughtNamePath = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, "must be the number of a taught name")
    .transform(Number)
    .meta({ description: "Its number.", example: "12" }),
});

/** Position of a page among places. */
export const placePosition = z
  .tuple([z.string(), z.string()])
  .transform(([videoId, position]) => ({ videoId, position }));

const segments = (what: string) => z.int().meta({ description: `Segments ${what}.` });
const fields = {
  id: z.int().meta({ description: "Its number.", example: 12 }),
  status: z.enum(taughtNameStatuses).meta({
    description:
      "`offered` waits for a decision; `withdrawn`: what taught it was taken back; `carrying` and `undoing`: its workflow is at work.",
  }),
  entity: entityReference.meta({ description: "Who or what is called so." }),
  wrong_words: z.string().meta({ description: "As they stood where they were corrected.", example: "Ada Quilfeather" }),
  right_words: z.string().nullable().meta({
    description: "What took their place; null: the words are right, and a correction told whom they name.",
    example: "Ada Quillfeather",
  }),
  lesson_count: z.int().meta({ description: "Corrections that taught it and stand." }),
  risks: z
    .object({
      common_words: z.boolean().meta({ description: "All of the words are ordinary English." }),
      namesakes: z.array(entityReference).meta({ description: "Other entities with that name." }),
    })
    .meta({ description: "What to look at before it is accepted." }),
  progress: z
    .object({
      unseen: segments("with all of the words, which may not stand together"),
      pending: segments("that are still to be corrected"),
      corrected: segments("that are corrected"),
      skipped: segments("that were left alone; the places say why"),
      withdrawn: segments("whose corrections were taken back, by an undo or alone"),
      kept: segments("whose corrections an undo left, as they were edited since"),
    })
    .meta({ description: "All 0 before it is accepted." }),
  alias: z.boolean().nullable().meta({ description: "Whether it was accepted as an alias; null: not accepted." }),
  video_ids: z.array(z.string()).nullable().meta({ description: "Where it was last accepted for; null: everywhere." }),
  offered_at: time.meta({ description: "When it was first taught." }),
  decided_by: z.string().nullable().meta({ description: "Id of the key that accepted or dismissed it." }),
  decided_at: time.nullable().meta({ description: "When it did." }),
};

export const taughtName = z.object(fields).meta({ id: "TaughtName" });

export const undoneName = z
  .object({
    ...fields,
    left: z
      .object({
        data: z
          .array(
            z.object({
              correction_id: z.string().meta({ description: "The correction." }),
              video_id: z.string().meta({ description: "The video." }),
              segment_id: z.string().meta({ description: "The segment.", example: "seg_12" }),
            }),
          )
          .meta({ description: "The first 20." }),
        complete: z.boolean().meta({ description: "false: there are more; the places list all as `kept`." }),
      })
      .meta({ description: "Corrections that stay, as later edits sit on them." }),
  })
  .meta({ id: "TaughtNameUndone" });

export const taughtNameDetails = z
  .object({
    ...fields,
    lessons: z
      .array(
        z.object({
          correction_id: z.string().meta({ description: "The correction." }),
          video_id: z.string().meta({ description: "The video whose transcript it corrected." }),
          kind: z.enum(correctionKinds).meta({ description: "What was corrected." }),
          seq: z.int().meta({ description: "Its number in the transcript's log." }),
          withdrawn: z.boolean().meta({ description: "Whether it was taken back." }),
          created_at: time.meta({ description: "When it was made." }),
        }),
      )
      .meta({ description: "The newest 20 corrections that taught it." }),
    standing: z
      .object({
        video_count: z.int().meta({ description: "Videos in which the wrong words stand now." }),
        segment_count: z.int().meta({ description: "Segments in which they do." }),
        complete: z.boolean().meta({ description: "false: there are more, only the first 10,000 were looked at." }),
      })
      .meta({ description: "How much accepting it everywhere would change." }),
  })
  .meta({ id: "TaughtNameDetails" });

const place = {
  media: media.meta({ description: "The video." }),
  segment_id: z.string().meta({ description: "The segment.", example: "seg_12" }),
};
const reason = z.enum(placeReasons).nullable();
const namedEntities = (description: string) =>
  z
    .array(
      z.object({
        entity: entityReference.meta({ description: "Who or what is mentioned." }),
        words: z.string().meta({ description: "The words of the mention." }),
      }),
    )
    .meta({ description });

export const previewedPlace = z
  .object({
    ...place,
    start_seconds: z.number().meta({ description: "When the segment begins." }),
    text: z.string().meta({ description: "What it says now." }),
    marks: z
      .array(
        z.object({
          start: z.int().meta({ description: "First UTF-16 code unit in the text." }),
          end: z.int().meta({ description: "Code unit after the last." }),
        }),
      )
      .meta({ description: "The wrong words." }),
    becomes: z.string().meta({ description: "What it would say." }),
    reason: reason.meta({ description: "Why it would be left alone; null: it would be corrected." }),
    mentions_added: namedEntities("Mentions that would appear in it."),
    mentions_removed: namedEntities("Mentions that would disappear."),
  })
  .meta({ id: "TaughtNamePreview" });

export const carriedPlace = z
  .object({
    ...place,
    state: z.enum(placeStates).meta({ description: "What became of it." }),
    reason: reason.meta({ description: "Why it was skipped, or its correction kept, or `taken_back` alone." }),
    start_seconds: z.number().nullable().meta({ description: "When the segment begins; null: it is gone." }),
    text: z.string().nullable().meta({ description: "What it says now; null: it is gone." }),
    correction_ids: z
      .array(z.string())
      .meta({ description: "Corrections that were made; each can also be undone alone." }),
  })
  .meta({ id: "TaughtNamePlace" });

export function shapeTaughtName({ name, risks, counts }: OfferedName): z.input<typeof taughtName> {
  const { candidate, ...known } = counts;
  return {
    id: name.id,
    status: name.status,
    entity: shapeEntityReference(name.entity),
    wrong_words: name.wrongWords,
    right_words: name.rightWords,
    lesson_count: name.lessonCount,
    risks: { common_words: risks.areCommonWords, namesakes: risks.namesakes.map(shapeEntityReference) },
    progress: { unseen: candidate, ...known },
    alias: name.withAlias,
    video_ids: name.videoIds,
    offered_at: name.offeredAt.toISOString(),
    decided_by: name.decidedBy,
    decided_at: name.decidedAt?.toISOString() ?? null,
  };
}

export function shapeUndone({ left, ...offer }: UndoneName): z.input<typeof undoneName> {
  const data = left.corrections.map(({ correctionId, videoId, segmentId }) => ({
    correction_id: correctionId,
    video_id: videoId,
    segment_id: segmentId,
  }));
  return { ...shapeTaughtName(offer), left: { data, complete: left.isWhole } };
}

export function shapeDetails({ lessons, standing, ...offer }: TaughtNameDetails): z.input<typeof taughtNameDetails> {
  return {
    ...shapeTaughtName(offer),
    lessons: lessons.map((lesson) => ({
      correction_id: lesson.correctionId,
      video_id: lesson.videoId,
      kind: lesson.kind,
      seq: lesson.seq,
      withdrawn: lesson.isWithdrawn,
      created_at: lesson.createdAt.toISOString(),
    })),
    standing: { video_count: standing.videos.length, segment_count: standing.segments, complete: standing.isWhole },
  };
}

export function shapePreviewed(found: PreviewedPlace, videoUrl: string): z.input<typeof previewedPlace> {
  return {
    media: shapeMedia(found.media, videoUrl),
    segment_id: found.segmentId,
    start_seconds: found.startSeconds,
    text: found.text,
    marks: found.hits.map(({ charStart, charEnd }) => ({ start: charStart, end: charEnd })),
    becomes: found.becomes,
    reason: found.reason,
    mentions_added: found.added.map(shapeNamed),
    mentions_removed: found.removed.map(shapeNamed),
  };
}

function shapeNamed({ entity, words }: PreviewedPlace["added"][number]) {
  return { entity: shapeEntityReference(entity), words };
}

export function shapeCarried(carried: CarriedPlace, videoUrl: string): z.input<typeof carriedPlace> {
  return {
    media: shapeMedia(carried.media, videoUrl),
    segment_id: carried.segmentId,
    state: carried.state,
    reason: carried.reason,
    start_seconds: carried.startSeconds,
    text: carried.text,
    correction_ids: carried.correctionIds,
  };
}
