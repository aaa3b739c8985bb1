import { z } from "zod";
import { mostRewrittenCharacters, mostRewrittenSegments } from "../../../domain/corrections/limits.ts";
import { entityId } from "../../../domain/entities.ts";
import { appearanceRoles } from "../../../domain/evidence.ts";
import type { CorrectionOrder } from "../../../services/corrections/correct.ts";
import type { CorrectionRequest } from "../../../services/corrections/request.ts";
import { entityIdParameter, nameParameter } from "../entities/schema.ts";

const maxTextCharacters = 10_000;
const maxReplacements = 500;
const maxNumber = 2_147_483_647;

// A segment is one line of subtitles, whatever their reader takes for the end of one.
// oxlint-disable-next-line no-control-regex
const oneLine = /^[^\x00-\x1f\x7f-\x9f\u2028\u2029\p{L}\p{N}]*[\p{L}\p{N}][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$/u;
const text = z
  .string()
  .max(maxTextCharacters)
  .regex(oneLine, "must be one line with a letter or a figure at least")
  .meta({ description: "What was said.", example: "Hello, world." });
const anyId = (description: string, example: string) => z.string().min(1).max(64).meta({ description, example });
const speakerId = anyId("One of the transcript's `speakers`.", "spk_3");
const person = entityIdParameter.meta({ description: "The person.", example: "ent_42" });

const common = {
  seq: z
    .int()
    .min(0)
    .max(maxNumber)
    .optional()
    .meta({ description: "The transcript's `seq` as you know it; another one is refused. Unset: not checked." }),
  note: z.string().max(2000).optional().meta({ description: "Why, for those who read the log." }),
};
const anchored = {
  ...common,
  revision: z.int().min(1).max(maxNumber).meta({
    description: "Of the transcript that you read. An older one will do while the segment is as it was.",
    example: 3,
  }),
  anchor: z
    .strictObject({
      segmentId: anyId("The segment; of a range, the first one.", "seg_12"),
      contentHash: anyId(
        "Its `contentHash`; of a range, the same hash of all its texts joined by line feeds.",
        "eslcxt",
      ),
    })
    .meta({ description: "What the correction is about, as you read it." }),
};

const lineEdit = z
  .strictObject({
    kind: z.literal("line_edit").meta({ description: "Says what was said in a segment." }),
    ...anchored,
    text,
  })
  .meta({ id: "LineEdit" });
const speakerReassign = z
  .strictObject({
    kind: z.literal("speaker_reassign").meta({ description: "Says who speaks in a segment." }),
    ...anchored,
    speakerId: speakerId.optional().meta({
      description: "One of the transcript's `speakers`; needs either this or `newSpeakerLabel`.",
      example: "spk_3",
    }),
    newSpeakerLabel: nameParameter.optional().meta({
      description:
        "Instead of `speakerId`: how to show a speaker who is not told apart yet; the same label is the same speaker.",
      example: "Ada Lovelace",
    }),
  })
  .refine(({ speakerId: known, newSpeakerLabel }) => (known === undefined) !== (newSpeakerLabel === undefined), {
    message: "needs either `speakerId` or `newSpeakerLabel`",
  })
  .meta({ id: "SpeakerReassign" });
const speakerIdentify = z
  .strictObject({
    kind: z.literal("speaker_identify").meta({ description: "Says which person a speaker is." }),
    ...common,
    speakerId,
    entityId: person,
  })
  .meta({ id: "SpeakerIdentify" });
const addPerson = z
  .strictObject({
    kind: z.literal("add_person").meta({ description: "Says that a person takes part in the video." }),
    ...common,
    entityId: person.optional().meta({ description: "The person; needs either this or `name`.", example: "ent_42" }),
    name: nameParameter.optional().meta({
      description: "Instead of `entityId`: the best known person of this name, or one whom the index does not know.",
      example: "Ada Lovelace",
    }),
    role: z.enum(appearanceRoles).meta({ description: "The part that the person plays." }),
  })
  .refine(({ entityId: known, name }) => (known === undefined) !== (name === undefined), {
    message: "needs either `entityId` or `name`",
  })
  .meta({ id: "AddPerson" });
const entityTag = z
  .strictObject({
    kind: z.literal("entity_tag").meta({ description: "Says that words name an entity, or that they do not." }),
    ...anchored,
    entityId: entityIdParameter.meta({ description: "The entity.", example: "ent_42" }),
    charStart: z.int().min(0).max(maxNumber).meta({ description: "First UTF-16 code unit in the text." }),
    charEnd: z.int().min(1).max(maxNumber).meta({ description: "Code unit after the last." }),
    action: z.enum(["add", "remove"]).meta({ description: "`remove`: the entity is not named there." }),
  })
  .refine(({ charStart, charEnd }) => charStart < charEnd, {
    message: "must be less than charEnd",
    path: ["charStart"],
  })
  .meta({ id: "EntityTag" });
const pin = (description: string) => z.number().min(0).max(100_000).optional().meta({ description, example: 12.5 });
const segmentRewrite = z
  .strictObject({
    kind: z.literal("segment_rewrite").meta({ description: "Puts texts in the place of a range of segments." }),
    ...anchored,
    range: z
      .strictObject({
        fromSegmentId: anyId("The first segment.", "seg_12"),
        toSegmentId: anyId("The last one; it belongs to the range.", "seg_14"),
      })
      .meta({
        description: `What is replaced: at most ${mostRewrittenCharacters} characters in ${mostRewrittenSegments} segments.`,
      }),
    replacements: z
      .array(
        z.strictObject({
          text,
          speakerId: speakerId.optional(),
          start: pin("Where it begins, in seconds within the range; unset: worked out."),
          end: pin("Where it ends, in seconds within the range; unset: worked out."),
        }),
      )
      .max(maxReplacements)
      .refine((all) => all.reduce((sum, one) => sum + one.text.length, 0) <= mostRewrittenCharacters, {
        message: `must have at most ${mostRewrittenCharacters} characters in all; send longer ones as several rewrites of shorter ranges`,
      })
      .meta({
        description: `In order; none deletes the range. At most ${mostRewrittenCharacters} characters in all.`,
      }),
  })
  .meta({ id: "SegmentRewrite" });

export const correctionBody = z
  .discriminatedUnion("kind", [lineEdit, speakerReassign, speakerIdentify, addPerson, entityTag, segmentRewrite])
  .meta({
    id: "CorrectionRequest",
    example: {
      kind: "line_edit",
      revision: 3,
      anchor: { segmentId: "seg_12", contentHash: "eslcxt" },
      text: "Hello, world.",
    },
  });
type CorrectionBody = z.output<typeof correctionBody>;

/** What a body asks for. */
export function orderOf(body: CorrectionBody): CorrectionOrder {
  const { seq, note, ...asked } = body;
  const shown = "entityId" in asked && asked.entityId !== undefined ? { entityId: entityId(asked.entityId) } : {};
  return {
    correction: requestOf(body),
    seq: seq ?? null,
    note: note ?? null,
    asked: JSON.stringify({ ...asked, ...shown }),
  };
}

function requestOf(body: CorrectionBody): CorrectionRequest {
  switch (body.kind) {
    case "line_edit":
    case "speaker_identify":
      return body;
    case "speaker_reassign": {
      const { kind, revision, anchor } = body;
      const to =
        body.speakerId === undefined ? { newSpeakerLabel: body.newSpeakerLabel ?? "" } : { speakerId: body.speakerId };
      return { kind, revision, anchor, to };
    }
    case "add_person": {
      const asked = body.entityId === undefined ? { name: body.name ?? "" } : { entityId: body.entityId };
      return { kind: body.kind, person: asked, role: body.role };
    }
    case "entity_tag": {
      const { kind, revision, anchor, charStart, charEnd, action } = body;
      return { kind, revision, anchor, tag: { entityId: body.entityId, charStart, charEnd, action } };
    }
    case "segment_rewrite": {
      const { kind, revision, anchor, range } = body;
      const replacements = body.replacements.map((one) => ({
        text: one.text,
        speakerId: one.speakerId ?? null,
        startSeconds: one.start ?? null,
        endSeconds: one.end ?? null,
      }));
      return { kind, revision, anchor, range, replacements };
    }
  }
}
