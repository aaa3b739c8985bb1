import { z } from "zod";
import { entityId } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import type { Speaker } from "../../../domain/corrections/types.ts";
import { textFormats } from "../../../domain/transcriptFormats.ts";
import type { TranscriptView } from "../../../services/transcripts/read.ts";
import type { TranscriptSegment } from "../../../services/transcripts/readText.ts";
import { booleanParameter, numberParameter } from "../../http/parameters.ts";
import { quote } from "../quote.ts";
import { retryAfterWhileRunning } from "../transcriptions/schema.ts";
import { dryRun, dryRunBody } from "../meteredRead.ts";

const seconds = (description: string) => numberParameter({ min: 0, max: 100_000 }).optional().meta({ description });

export const transcriptQuery = z
  .strictObject({
    unlock: booleanParameter({
      default: false,
      description: "Buy a `locked` transcript, once and for ever; free and ignored otherwise.",
    }),
    format: z
      .enum(["json", ...textFormats])
      .default("json")
      .meta({ description: "Subtitles and plain text need an unlocked transcript." }),
    include: z
      .enum(["words"])
      .optional()
      .meta({ description: "`words` adds word times and confidences; of `format=json` only." }),
    speaker: z.string().min(1).max(64).optional().meta({ description: "Only segments of the speaker with this id." }),
    start: seconds("Only segments that end after this second."),
    end: seconds("Only segments that start before this second."),
    dry_run: dryRun,
  })
  .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
    message: "must be less than end",
    path: ["start"],
  })
  .refine(({ format, include }) => include === undefined || format === "json", {
    message: "is of `format=json` only: leave one of the two out",
    path: ["include"],
  });
export type TranscriptQuery = z.output<typeof transcriptQuery>;

const moment = (description: string) => z.number().meta({ description, example: 12.5 });

const word = z
  .object({
    text: z.string().meta({ description: "As it is written in the segment." }),
    startSeconds: moment("Where it begins."),
    endSeconds: moment("Where it ends."),
    confidence: z.number().meta({ description: "The engine's, from 0 to 1; 1 for what a person wrote." }),
  })
  .meta({ id: "TranscriptWord" });

const mentioned = z.object({
  entityId: z.string().meta({ description: "`ent_` id of the entity." }),
  mentionId: z.string().meta({ description: "`men_` id of the mention." }),
  charStart: z.int().meta({ description: "First UTF-16 code unit in the text." }),
  charEnd: z.int().meta({ description: "Code unit after the last." }),
});

/** A segment itself, without what is named in it. */
export const segmentFields = {
  id: z.string().meta({ description: "Stays the same across revisions.", example: "seg_12" }),
  index: z.int().meta({ description: "Place in the whole transcript, from 0." }),
  startSeconds: moment("Where it begins."),
  endSeconds: moment("Where it ends."),
  speakerId: z.string().nullable().meta({ description: "One of `speakers`; null while nobody is told apart." }),
  text: z.string().meta({ description: "What was said." }),
  confidence: z.number().min(0).max(1).meta({ description: "The engine's, from 0 to 1." }),
  contentHash: z
    .string()
    .meta({ description: "djb2 of the text in base 36; the anchor of corrections.", example: "eslcxt" }),
  edited: z.boolean().meta({ description: "Whether a correction changed it." }),
};

export const segment = z
  .object({
    ...segmentFields,
    entities: z.array(mentioned).meta({ description: "Entities named in the text." }),
    words: z.array(word).optional().meta({ description: "With `include=words`." }),
  })
  .meta({ id: "TranscriptSegment" });

const transcriptExample = {
  videoId: "dQw4w9WgXcQ",
  access: "locked",
  revision: 3,
  seq: 2,
  title: "A conversation",
  durationSeconds: 2520,
  language: "en",
  source: "folder",
  channel: { id: "UC1", name: "Some Channel" },
  publishedAt: "2026-11-20T18:00:00.000Z",
  speakers: [],
  segments: null,
  preliminaryScan: null,
  quote: { rows: 150, blocks: 3, rowsPerBlock: 50, durationSeconds: 2520, rowsRemaining: 9200 },
  unlockedAt: null,
};

const access = ["unlocked", "locked", "premium_pending", "not_transcribed", "unauthenticated"] as const;
const counted = (type: string) => z.int().meta({ description: `Entities of the type ${type}.` });
const entityCounts = z
  .object({
    person: counted("person"),
    organization: counted("organization"),
    product: counted("product"),
    topic: counted("topic"),
    channel: counted("channel"),
  })
  .meta({ description: "By type." });

const speaker = z.object({
  id: z.string().meta({ description: "What `speakerId` refers to.", example: "spk_3" }),
  label: z.string().meta({ description: "How to show them." }),
  entityId: z.string().nullable().meta({ description: "`ent_` id, once they are identified." }),
  role: z.string().nullable().meta({ description: "Such as host or guest, where it is known." }),
});

const transcript = z
  .object({
    videoId: z.string().meta({ description: "The video.", example: "dQw4w9WgXcQ" }),
    access: z.enum(access).meta({
      description:
        "Switch on this. `unlocked`: segments; `locked` and `not_transcribed`: a quote; `premium_pending`: wait.",
    }),
    revision: z
      .int()
      .nullable()
      .meta({ description: "Rises with every correction; null until there is a transcript." }),
    seq: z.int().nullable().meta({ description: "Number of corrections so far; null until there is a transcript." }),
    title: z.string().nullable().meta({ description: "Of the video, where it is known." }),
    durationSeconds: z.number().nullable().meta({ description: "Length of the video, where it is known." }),
    language: z.string().nullable().meta({ description: "What is spoken, as a BCP 47 tag.", example: "en" }),
    source: z.string().nullable().meta({ description: "Where the audio came from." }),
    channel: z
      .object({
        id: z.string().meta({ description: "The platform's id." }),
        name: z.string().meta({ description: "Its name." }),
      })
      .nullable()
      .meta({ description: "Who published the video, where it is known." }),
    publishedAt: z.iso.datetime().nullable().meta({ description: "When the video was published, where it is known." }),
    speakers: z.array(speaker).meta({ description: "Everybody who is told apart." }),
    segments: z.array(segment).nullable().meta({ description: "What was said; null unless `access` is `unlocked`." }),
    preliminaryScan: z
      .object({
        entityCounts,
        totalEntities: z.int().meta({ description: "Of all types, those not classified included." }),
      })
      .nullable()
      .meta({
        description:
          "How many different entities are spoken of, of a video whose text you cannot read; null where nobody has looked yet.",
      }),
    quote: quote.nullable(),
    unlockedAt: z.iso.datetime().nullable().meta({ description: "When this account got to read it; null before." }),
    etaSeconds: z.int().optional().meta({ description: "While `premium_pending`." }),
    nextPollSeconds: z.int().optional().meta({ description: "While `premium_pending`." }),
  })
  .meta({ id: "Transcript", example: transcriptExample });

const sample = (example: string) => z.string().meta({ example });

/** The 200 of a transcript read, in all its formats. */
export const transcriptResponse = {
  description: "The transcript as the account may see it.",
  json: z.union([transcript, dryRunBody]),
  texts: {
    "application/x-subrip": sample("1\n00:00:00,000 --> 00:00:02,500\nHello world.\n"),
    "text/vtt": sample("WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nHello world.\n"),
    "text/plain": sample("Hello world.\n"),
  },
  headers: {
    ETag: z.string().optional().meta({
      description: "For `If-None-Match`; changes with the revision, the access, and all else that the answer says.",
      example: 'W/"tsh0JEg1rXn5YkW2mzD4Xw"',
    }),
    "Cache-Control": z.string().meta({ description: "Kept by the caller alone, and checked at each use." }),
    Vary: z.string().meta({ description: "Answers differ by coding.", example: "Accept-Encoding" }),
    "Content-Encoding": z
      .enum(["gzip", "br"])
      .optional()
      .meta({ description: "How a text is compressed, where `Accept-Encoding` asks for it." }),
    "Retry-After": retryAfterWhileRunning,
  },
} as const;

/** A transcript as the API shows it, but for its segments. */
export function shapeHead(view: TranscriptView): Omit<z.input<typeof transcript>, "segments"> {
  const { access, revision, seq, title, durationSeconds, language, source, channel } = view;
  return {
    videoId: view.videoId,
    access,
    revision,
    seq,
    title,
    durationSeconds,
    language,
    source,
    channel,
    publishedAt: view.publishedAt?.toISOString() ?? null,
    speakers: view.access === "unlocked" ? view.speakers.map(shapeSpeaker) : [],
    ...shapeOffer(view),
  };
}

function shapeOffer(view: TranscriptView) {
  if (view.access === "unlocked")
    return { preliminaryScan: null, quote: null, unlockedAt: view.unlockedAt.toISOString() };
  const { entityCounts, quote: offered, etaSeconds, nextPollSeconds } = view;
  return {
    preliminaryScan: entityCounts === null ? null : shapeScan(entityCounts),
    quote: offered,
    unlockedAt: null,
    etaSeconds,
    nextPollSeconds,
  };
}

function shapeSpeaker({ id, label, entityId: person, role }: Speaker): z.input<typeof speaker> {
  return { id, label, entityId: person === null ? null : entityId(person), role };
}

function shapeScan(counts: ReadonlyMap<string, number>) {
  return {
    entityCounts: {
      person: counts.get("person") ?? 0,
      organization: counts.get("organization") ?? 0,
      product: counts.get("product") ?? 0,
      topic: counts.get("topic") ?? 0,
      channel: counts.get("channel") ?? 0,
    },
    totalEntities: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** A segment as the API shows it. */
export function shapeSegment({ places, words, ...row }: TranscriptSegment): z.input<typeof segment> {
  const { id, index, startSeconds, endSeconds, speakerId, text, confidence, contentHash, edited } = row;
  return {
    id,
    index,
    startSeconds,
    endSeconds,
    speakerId,
    text,
    confidence,
    contentHash,
    edited,
    entities: places.map((place) => ({
      entityId: entityId(place.entityId),
      mentionId: mentionId(place.mentionId),
      charStart: place.charStart,
      charEnd: place.charEnd,
    })),
    ...(words !== undefined && {
      words: words.map(([text, startSeconds, endSeconds, confidence]) => ({
        text,
        startSeconds,
        endSeconds,
        confidence,
      })),
    }),
  };
}
