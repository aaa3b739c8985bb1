import { z } from "zod";
import { correctionKinds, type Segment } from "../../../domain/corrections/types.ts";
import type { AppliedCorrection } from "../../../services/corrections/correct.ts";
import type { LoggedCorrection } from "../../../services/corrections/list.ts";
import type { WithdrawnCorrection } from "../../../services/corrections/withdraw.ts";
import { anchorMismatchBody, staleSequenceBody } from "../../openapi/bareBodies.ts";
import { segment, shapeSegment } from "../transcripts/schema.ts";

const exampleId = "cor_01k4z8m3v9f0k8xqj7t2w5n6cd";
export const correctionId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "Id of a correction, as it was answered with.", example: exampleId });

const id = z.string().meta({ description: "The correction.", example: exampleId });
const kind = z.enum(correctionKinds).meta({ description: "As it was asked for." });
const videoId = z.string().meta({ description: "The video.", example: "dQw4w9WgXcQ" });
const revision = z.int().min(1).meta({ description: "Of the transcript, from then on.", example: 4 });
const seq = z.int().min(1).meta({ description: "The entry's number in the transcript's log.", example: 3 });
const createdAt = z.iso.datetime().meta({ description: "When it was made." });

const correctionExample = {
  id: exampleId,
  kind: "line_edit",
  videoId: "dQw4w9WgXcQ",
  status: "applied",
  revision: 4,
  seq: 3,
  segments: [
    {
      id: "seg_12",
      index: 12,
      startSeconds: 41.2,
      endSeconds: 44.9,
      speakerId: null,
      text: "hello world",
      confidence: 0.94,
      contentHash: "eslcxt",
      edited: true,
      entities: [],
    },
  ],
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const correction = z
  .object({
    id,
    kind,
    videoId,
    status: z.literal("applied").meta({ description: "Always this: corrections take effect at once." }),
    revision,
    seq,
    segments: z.array(segment).meta({ description: "The segments that it changed, as they are now." }),
    createdAt,
  })
  .meta({ id: "Correction", example: correctionExample });

const withdrawnStatus = z.literal("withdrawn").meta({ description: "Always this." });
export const withdrawnCorrection = z
  .object({ id, status: withdrawnStatus, revision, seq })
  .meta({ id: "WithdrawnCorrection", example: { id: exampleId, status: "withdrawn", revision: 5, seq: 4 } });
export const undoneCorrection = withdrawnCorrection.extend({ kind, videoId }).meta({
  id: "UndoneCorrection",
  example: { id: exampleId, kind: "line_edit", videoId: "dQw4w9WgXcQ", status: "withdrawn", revision: 5, seq: 4 },
});

const piece = z
  .object({
    id: z.string().meta({ description: "The segment.", example: "seg_12" }),
    startSeconds: z.number().meta({ description: "Where it begins.", example: 41.2 }),
    endSeconds: z.number().meta({ description: "Where it ends.", example: 44.9 }),
    speakerId: z.string().nullable().meta({ description: "Who speaks, where that is told apart." }),
    text: z.string().meta({ description: "What was said." }),
  })
  .meta({ id: "TranscriptPiece" });

export const loggedCorrection = z
  .object({
    id,
    kind,
    videoId,
    status: z.enum(["applied", "withdrawn"]).meta({ description: "Whether it stands." }),
    revision,
    seq,
    isOwn: z.boolean().meta({ description: "Whether your account made it." }),
    asked: z.record(z.string(), z.json()).meta({ description: "The body that it was asked for with." }),
    note: z.string().nullable().meta({ description: "Why it was made, where that was said." }),
    before: z.array(piece).meta({ description: "The segments that it changed, as they were." }),
    after: z.array(piece).meta({ description: "What it put in their place." }),
    createdAt,
    withdrawal: z
      .object({
        revision,
        seq,
        by: z.enum(["account", "reviewer"]).meta({ description: "Who took it back." }),
        createdAt,
      })
      .nullable()
      .meta({ description: "How it was taken back; null while it stands." }),
  })
  .meta({ id: "LoggedCorrection" });

export const correctionBareBodies = { 409: anchorMismatchBody, 412: staleSequenceBody };
export const withdrawalBareBodies = { 409: anchorMismatchBody };

export function shapeCorrection(made: AppliedCorrection): z.input<typeof correction> {
  return {
    ...made,
    status: "applied",
    segments: made.segments.map(shapeSegment),
    createdAt: made.createdAt.toISOString(),
  };
}

export function shapeWithdrawn({ id, revision, seq }: WithdrawnCorrection): z.input<typeof withdrawnCorrection> {
  return { id, status: "withdrawn", revision, seq };
}

export function shapeLogged(entry: LoggedCorrection, accountId: string): z.input<typeof loggedCorrection> {
  const { id, kind, videoId, revision, seq, note, withdrawal } = entry;
  return {
    id,
    kind,
    videoId,
    status: withdrawal === null ? "applied" : "withdrawn",
    revision,
    seq,
    isOwn: entry.accountId === accountId,
    asked: entry.asked,
    note,
    before: entry.before.map(shapePiece),
    after: entry.after.map(shapePiece),
    createdAt: entry.createdAt.toISOString(),
    withdrawal:
      withdrawal === null
        ? null
        : {
            revision: withdrawal.revision,
            seq: withdrawal.seq,
            by: withdrawal.isByReviewer ? "reviewer" : "account",
            createdAt: withdrawal.createdAt.toISOString(),
          },
  };
}

function shapePiece({ id, startSeconds, endSeconds, speakerId, text }: Segment): z.input<typeof piece> {
  return { id, startSeconds, endSeconds, speakerId, text };
}
