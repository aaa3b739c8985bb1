import {
  insertUnlock,
  readSegments,
  readTranscriptHead,
  type TranscriptHead,
  type TranscriptSegmentRow,
} from "../../database/transcripts.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import {
  countEntitiesOfVideo,
  isVideoIndexed,
  listMentionPlaces,
  type MentionPlace,
} from "../../database/videoEvidence.ts";
import { readVideo, type Video } from "../../database/videos.ts";
import { contentHash } from "../../domain/contentHash.ts";
import type { Speaker } from "../../domain/corrections/types.ts";
import { InsufficientRows } from "../../domain/bareRefusals.ts";
import { type Quote, unlockRows } from "../../domain/prices.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { generationQuote, unlockQuote } from "../transcriptions/quote.ts";
import { estimateJob } from "../transcriptions/record.ts";
import { chargeRows, readRowAccount } from "../usage/rowAccount.ts";

type TranscriptAccess = "unlocked" | "locked" | "premium_pending" | "not_transcribed" | "unauthenticated";

export interface TranscriptSegment {
  id: string;
  index: number;
  startSeconds: number;
  endSeconds: number;
  speakerId: string | null;
  text: string;
  confidence: number;
  contentHash: string;
  edited: boolean;
  entities: readonly MentionPlace[];
  words?: { text: string; startSeconds: number; endSeconds: number; confidence: number }[];
}

/** A transcript as one account may see it: the text only where it is unlocked, else what it would cost. */
export interface TranscriptView {
  videoId: string;
  access: TranscriptAccess;
  revision: number | null;
  seq: number | null;
  title: string | null;
  durationSeconds: number | null;
  language: string | null;
  source: string | null;
  channel: { id: string; name: string } | null;
  publishedAt: Date | null;
  speakers: readonly Speaker[];
  segments: TranscriptSegment[] | null;
  /** How many entities of each group were found; null where the text itself can be read or nobody has looked. */
  entityCounts: ReadonlyMap<string, number> | null;
  quote: Quote | null;
  unlockedAt: Date | null;
  etaSeconds?: number;
  nextPollSeconds?: number;
}

export interface ReadTranscriptOptions {
  unlock: boolean;
  words: boolean;
}

/**
 * Reads a transcript; never 404 for a valid id. `unlock` buys a locked one, once for ever and under any race, and is free and ignored
 * elsewhere. Throws `InsufficientRows<Quote>` when the pool cannot pay.
 */
export async function readTranscript(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  options: ReadTranscriptOptions,
): Promise<TranscriptView> {
  const video = await readVideo(context.pool, videoId);
  const head = await readTranscriptHead(context.pool, videoId, caller.accountId);
  if (head === null) return readUnfinished(context, caller, videoId, video);
  if (head.unlockedAt !== null) return unlockedView(context, video, head, options);
  if (!options.unlock) return lockedView(context, caller, video, head);
  await unlock(context, caller, head);
  const bought = await readTranscriptHead(context.pool, videoId, caller.accountId);
  return unlockedView(context, video, bought ?? head, options);
}

async function unlock(context: ServiceContext, caller: Caller, head: TranscriptHead): Promise<void> {
  const rows = unlockRows(head.durationSeconds, context.settings.prices);
  await context.pool.transaction(async (transaction) => {
    const isNew = await insertUnlock(transaction, { accountId: caller.accountId, videoId: head.videoId, rows });
    if (!isNew) return;
    const account = await readRowAccount(context, transaction, caller.accountId);
    const paid = await chargeRows(transaction, account, {
      rows,
      kind: "debit",
      reason: "transcript unlock",
      subject: head.videoId,
      requestId: caller.requestId,
    });
    if (!paid) throw new InsufficientRows<Quote>(unlockQuote(context, account, head.durationSeconds));
  });
}

async function readUnfinished(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  video: Video | null,
): Promise<TranscriptView> {
  const job = await readRunningJob(context.pool, videoId);
  const view = {
    ...describe(videoId, video),
    revision: null,
    seq: null,
    source: null,
    speakers: [],
    segments: null,
    entityCounts: await scanCounts(context, videoId),
    unlockedAt: null,
  };
  if (job !== null) {
    const { etaSeconds, nextPollSeconds } = await estimateJob(context, context.pool, job);
    return { ...view, access: "premium_pending", quote: null, etaSeconds, nextPollSeconds };
  }
  const account = await readRowAccount(context, context.pool, caller.accountId);
  return {
    ...view,
    access: "not_transcribed",
    quote: generationQuote(context, account, video?.durationSeconds ?? null),
  };
}

async function lockedView(
  context: ServiceContext,
  caller: Caller,
  video: Video | null,
  head: TranscriptHead,
): Promise<TranscriptView> {
  const account = await readRowAccount(context, context.pool, caller.accountId);
  return {
    ...describe(head.videoId, video),
    ...published(head),
    access: "locked",
    speakers: [],
    segments: null,
    entityCounts: await scanCounts(context, head.videoId),
    quote: unlockQuote(context, account, head.durationSeconds),
  };
}

async function unlockedView(
  context: ServiceContext,
  video: Video | null,
  head: TranscriptHead,
  options: ReadTranscriptOptions,
): Promise<TranscriptView> {
  const rows = await readSegments(context.pool, head.videoId, { words: options.words });
  const places = Map.groupBy(await listMentionPlaces(context.pool, head.videoId), ({ segmentId }) => segmentId);
  const segments = rows.map((row) => shapeSegment(row, places.get(row.id) ?? []));
  return {
    ...describe(head.videoId, video),
    ...published(head),
    access: "unlocked",
    speakers: await readSpeakers(context.pool, head.videoId),
    segments,
    entityCounts: null,
    quote: null,
  };
}

async function scanCounts(context: ServiceContext, videoId: string): Promise<ReadonlyMap<string, number> | null> {
  return (await isVideoIndexed(context.pool, videoId)) ? countEntitiesOfVideo(context.pool, videoId) : null;
}

/** A segment with what is known to be named in it. */
export function shapeSegment(row: TranscriptSegmentRow, entities: readonly MentionPlace[]): TranscriptSegment {
  const { id, index, startSeconds, endSeconds, speakerId, text, confidence, edited } = row;
  const segment = {
    id,
    index,
    startSeconds,
    endSeconds,
    speakerId,
    text,
    confidence,
    contentHash: contentHash(text),
    edited,
    entities,
  };
  const words = row.words?.map(([word, start, end, certainty]) => ({
    text: word,
    startSeconds: start,
    endSeconds: end,
    confidence: certainty,
  }));
  return words === undefined ? segment : { ...segment, words };
}

function describe(videoId: string, video: Video | null) {
  return {
    videoId,
    title: video?.title ?? null,
    durationSeconds: video?.durationSeconds ?? null,
    language: video?.language ?? null,
    channel: video?.channel ?? null,
    publishedAt: video?.publishedAt ?? null,
  };
}

function published(head: TranscriptHead) {
  return {
    revision: head.revision,
    seq: head.seq,
    language: head.language,
    durationSeconds: head.durationSeconds,
    source: head.source,
    unlockedAt: head.unlockedAt,
  };
}
