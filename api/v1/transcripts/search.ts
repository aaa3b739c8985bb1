import { z } from "zod";
import { parseFreeText } from "../../../domain/freeText.ts";
import { searchPhrases } from "../../../domain/transcriptSearch.ts";
import { type FoundSegment, searchTranscript } from "../../../services/transcripts/search.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { videoPath } from "../transcriptions/schema.ts";
import { segmentFields } from "./schema.ts";

const highlight = z.object({
  charStart: z.int().min(0).meta({ description: "First UTF-16 code unit in `text`." }),
  charEnd: z.int().min(1).meta({ description: "Code unit after the last." }),
});

const hit = z
  .object({
    ...segmentFields,
    highlights: z.array(highlight).meta({ description: "Where in `text`, in order, never overlapping." }),
    deepLink: z.string().meta({ description: "The moment on the video platform." }),
  })
  .meta({ id: "TranscriptHit" });

const hitList = listOf(hit)
  .extend({ total: z.int().min(0).meta({ description: "Segments that fit, on all pages together." }) })
  .meta({ id: "TranscriptHitList" });

const position = z
  .tuple([z.string(), z.number()])
  .transform(([segmentId, startSeconds]) => ({ segmentId, startSeconds }));

export const search = operation({
  id: "searchTranscript",
  method: "get",
  path: "/v1/transcripts/{video_id}/search",
  tag: "Transcripts",
  summary: "Find where words are said",
  description:
    "Free. The segments of an unlocked transcript in which all that is asked for is said, in the order of the video. A phrase may run over the end of a segment: both are found, each with its part.",
  access: keyAccess("read"),
  params: videoPath,
  query: z.strictObject({
    q: z
      .string()
      .max(200)
      .transform((text) => searchPhrases(parseFreeText(text) ?? []))
      .refine((phrases) => phrases !== null, "must hold a word")
      .meta({
        description:
          'Words that a segment holds, all of them, whatever their case and accents; `"words in a row"`, and `begin*` for beginnings.',
        example: '"machine learning" open*',
        override: ({ jsonSchema }) => {
          for (const key of Object.keys(jsonSchema))
            if (key !== "description" && key !== "example") delete jsonSchema[key];
          Object.assign(jsonSchema, { type: "string", maxLength: 200 });
        },
      }),
    ...pageParameters,
  }),
  errors: ["invalid_video_id", "transcript_locked", "transcript_not_found"],
  responses: { 200: { description: "A page of segments.", json: hitList } },
  async handle({ context, caller, cursors, params, query: { q, limit, cursor } }) {
    const videoId = params.video_id;
    const binding = { operation: "searchTranscript", account: caller.accountId, videoId, q: JSON.stringify(q) };
    const { hits, total, next } = await searchTranscript(context, caller, videoId, {
      phrases: q ?? [],
      limit,
      after: cursors.open(binding, cursor, position),
    });
    const { videoMomentUrl } = context.settings;
    return {
      status: 200,
      json: {
        data: hits.map((found) => shapeHit(found, videoMomentUrl.replaceAll("{video_id}", videoId))),
        has_more: next !== null,
        next_cursor: next === null ? null : cursors.seal(binding, [next.segmentId, next.startSeconds]),
        total,
      },
    };
  },
});

/** `momentUrl`: of the video, with a place for the seconds. */
function shapeHit({ segment, highlights }: FoundSegment, momentUrl: string): z.input<typeof hit> {
  const deepLink = momentUrl.replaceAll("{seconds}", String(Math.floor(segment.startSeconds)));
  return { ...segment, highlights, deepLink };
}
