import { z } from "zod";
import type { TranscriptView } from "../../../services/transcripts/read.ts";
import { booleanParameter, numberParameter } from "../../http/parameters.ts";
import { quote } from "../quote.ts";
import { retryAfterHeader } from "../transcriptions/schema.ts";

const seconds = (description: string) => numberParameter({ min: 0, max: 100_000 }).optional().meta({ description });

export const transcriptQuery = z
  .strictObject({
    unlock: booleanParameter({
      default: false,
      description: "Buy a `locked` transcript, once and for ever; free and ignored otherwise.",
    }),
    format: z
      .enum(["json", "srt", "vtt", "txt"])
      .default("json")
      .meta({ description: "Subtitles and plain text need an unlocked transcript." }),
    include: z.enum(["words"]).optional().meta({ description: "`words` adds word times and confidences." }),
    speaker: z.string().min(1).max(64).optional().meta({ description: "Only segments of the speaker with this id." }),
    start: seconds("Only segments that end after this second."),
    end: seconds("Only segments that start before this second."),
  })
  .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
    message: "must be less than end",
    path: ["start"],
  });
export type TranscriptQuery = z.output<typeof transcriptQuery>;

const word = z
  .object({ text: z.string(), startSeconds: z.number(), endSeconds: z.number(), confidence: z.number() })
  .meta({ id: "TranscriptWord" });

const segment = z
  .object({
    id: z.string().meta({ example: "seg_12" }),
    index: z.int(),
    startSeconds: z.number(),
    endSeconds: z.number(),
    speakerId: z.string().nullable(),
    text: z.string(),
    confidence: z.number().min(0).max(1),
    contentHash: z
      .string()
      .meta({ description: "djb2 of the text in base 36; the anchor of corrections.", example: "eslcxt" }),
    edited: z.boolean(),
    entities: z.array(z.object({ entityId: z.string(), mentionId: z.string(), charStart: z.int(), charEnd: z.int() })),
    words: z.array(word).optional(),
  })
  .meta({ id: "TranscriptSegment" });

const access = ["unlocked", "locked", "premium_pending", "not_transcribed", "unauthenticated"] as const;
const entityCounts = z.object({
  person: z.int(),
  organization: z.int(),
  product: z.int(),
  topic: z.int(),
  channel: z.int(),
});

const transcript = z
  .object({
    videoId: z.string().meta({ example: "dQw4w9WgXcQ" }),
    access: z.enum(access).meta({
      description:
        "Switch on this. `unlocked`: segments; `locked` and `not_transcribed`: a quote; `premium_pending`: wait.",
    }),
    revision: z
      .int()
      .nullable()
      .meta({ description: "Rises with every correction; null until there is a transcript." }),
    seq: z.int().nullable(),
    title: z.string().nullable(),
    durationSeconds: z.number().nullable(),
    language: z.string().nullable(),
    source: z.string().nullable(),
    channel: z.object({ id: z.string(), name: z.string() }).nullable(),
    publishedAt: z.iso.datetime().nullable(),
    speakers: z.array(
      z.object({ id: z.string(), label: z.string(), entityId: z.string().nullable(), role: z.string().nullable() }),
    ),
    segments: z.array(segment).nullable(),
    preliminaryScan: z.object({ entityCounts, totalEntities: z.int() }).nullable(),
    quote: quote.nullable(),
    unlockedAt: z.iso.datetime().nullable(),
    etaSeconds: z.int().optional().meta({ description: "While `premium_pending`." }),
    nextPollSeconds: z.int().optional().meta({ description: "While `premium_pending`." }),
  })
  .meta({ id: "Transcript" });

const sample = (example: string) => z.string().meta({ example });

/** The 200 of a transcript read, in all its formats. */
export const transcriptResponse = {
  description: "The transcript as the account may see it.",
  json: transcript,
  texts: {
    "application/x-subrip": sample("1\n00:00:00,000 --> 00:00:02,500\nHello world.\n"),
    "text/vtt": sample("WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nHello world.\n"),
    "text/plain": sample("Hello world.\n"),
  },
  headers: {
    ETag: z.string().meta({ description: "For `If-None-Match`; changes with the revision and the access." }),
    "Cache-Control": z.string().meta({ description: "Kept by the caller alone, and checked at each use." }),
    "Retry-After": retryAfterHeader.optional(),
  },
} as const;

/** A view as the API shows it; speakers, entities and scan counts come with indexing. */
export function shapeTranscript(view: TranscriptView): z.input<typeof transcript> {
  return {
    ...view,
    publishedAt: view.publishedAt?.toISOString() ?? null,
    unlockedAt: view.unlockedAt?.toISOString() ?? null,
    speakers: [],
    preliminaryScan: null,
    segments: view.segments?.map((segment) => ({ ...segment, entities: [] })) ?? null,
  };
}
