import { LRUCache } from "lru-cache";
import type { Pool } from "../../../database/pool.ts";
import { type TextFormat, textForms, type WrittenForm } from "../../../domain/transcriptFormats.ts";
import type { ServiceContext } from "../../../services/context.ts";
import {
  readText,
  type SegmentSelection,
  type TextVersion,
  type TranscriptSegment,
} from "../../../services/transcripts/readText.ts";
import { SharedBytes } from "../../http/sharedBytes.ts";
import { shapeSegment } from "./schema.ts";

/** Which part of a text, and how it is written; `json` is the end of a JSON object, from `"segments"` on. */
export interface TextForm extends SegmentSelection {
  format: "json" | TextFormat;
  /** Null: of all. */
  speakerId: string | null;
}

/** A text as it is sent to everybody who may read it. */
export interface WrittenText {
  version: TextVersion;
  body: SharedBytes;
}

interface Wanted {
  context: ServiceContext;
  videoId: string;
  form: TextForm;
}

/** One a pool, that is, a process: whole texts by video, version and form, those that were asked for last. */
const kept = new WeakMap<Pool, LRUCache<string, WrittenText, Wanted>>();

/** For the compressed form, which comes later, and the entry itself. */
const sizeFactor = 1.25;

function keptOf({ pool, settings }: ServiceContext): LRUCache<string, WrittenText, Wanted> {
  let texts = kept.get(pool);
  if (texts === undefined) {
    texts = new LRUCache<string, WrittenText, Wanted>({
      maxSize: settings.transcripts.readyBytes,
      sizeCalculation: ({ body }) => Math.ceil((body.bytes.length + 1024) * sizeFactor),
      // Those who ask for the same at the same time wait for one that is being written.
      fetchMethod: (_key, _stale, { context }) => writeText(context),
      // They get it also when other texts have taken its place meanwhile.
      ignoreFetchAbort: true,
    });
    kept.set(pool, texts);
  }
  return texts;
}

/**
 * A text in a form, of the version asked for or of one that has come since; from memory where it was written before. What is cut out by
 * time or speaker is written anew each time. Throws `transcript_not_found`.
 */
export async function writtenText(
  context: ServiceContext,
  videoId: string,
  { revision, evidenceStamp }: Pick<TextVersion, "revision" | "evidenceStamp">,
  form: TextForm,
): Promise<WrittenText> {
  const wanted = { context, videoId, form };
  if (form.speakerId !== null || form.startSeconds !== null || form.endSeconds !== null) return writeText(wanted);
  const key = `${videoId} ${revision} ${evidenceStamp} ${form.format} ${form.words}`;
  return keptOf(context).forceFetch(key, { context: wanted });
}

async function writeText({ context, videoId, form }: Wanted): Promise<WrittenText> {
  const { opening, separator, closing, write } = formOf(form);
  const parts = [Buffer.from(opening)];
  let written = 0;
  const version = await readText(context, videoId, form, (segment) => {
    if (form.speakerId !== null && segment.speakerId !== form.speakerId) return;
    const text = write(segment, written);
    if (text === null) return;
    parts.push(Buffer.from(written === 0 ? text : separator + text));
    written += 1;
  });
  parts.push(Buffer.from(closing));
  return { version, body: new SharedBytes(Buffer.concat(parts)) };
}

const jsonForm: WrittenForm<TranscriptSegment> = {
  opening: '"segments":[',
  separator: ",",
  closing: "]}",
  write: (segment) => JSON.stringify(shapeSegment(segment)),
};

function formOf({ format }: TextForm): WrittenForm<TranscriptSegment> {
  if (format === "json") return jsonForm;
  const { write, ...around } = textForms[format];
  return { ...around, write: (segment, position) => write({ ...segment, speaker: segment.speakerLabel }, position) };
}
