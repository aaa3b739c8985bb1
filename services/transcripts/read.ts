import { type ReadingHead, readReadingHeads } from "../../database/transcriptHeads.ts";
import type { Pool } from "../../database/pool.ts";
import { insertUnlock } from "../../database/transcripts.ts";
import { readRunningJob, type TranscriptionJob } from "../../database/transcriptionJobs.ts";
import { countEntitiesOfVideo, isVideoIndexed } from "../../database/videoEvidence.ts";
import { InsufficientRows } from "../../domain/bareRefusals.ts";
import type { Speaker } from "../../domain/corrections/types.ts";
import { type Quote, unlockRows } from "../../domain/prices.ts";
import { createBatches } from "../batches.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { generationQuote, unlockQuote } from "../transcriptions/quote.ts";
import { estimateJob } from "../transcriptions/record.ts";
import { chargeRows, readRowAccount } from "../usage/rowAccount.ts";

/** What is known of a transcript before its text is read. */
interface Description {
  videoId: string;
  title: string | null;
  durationSeconds: number | null;
  language: string | null;
  channel: { id: string; name: string } | null;
  publishedAt: Date | null;
}

/** A transcript whose text the account may read: `readText`. */
interface UnlockedTranscript extends Description {
  access: "unlocked";
  revision: number;
  seq: number;
  source: string;
  /** Changes with the mentions in the text (`TextVersion`). */
  evidenceStamp: string;
  speakers: readonly Speaker[];
  unlockedAt: Date;
  /** What this very read paid for the unlock. */
  rowsCharged: number;
}

/** A transcript whose text the account may not read, or that is not there yet, and what is known and offered instead. */
export interface ClosedTranscript extends Description {
  access: "locked" | "premium_pending" | "not_transcribed";
  revision: number | null;
  seq: number | null;
  source: string | null;
  /** How many entities of each group were found; null where nobody has looked. */
  entityCounts: ReadonlyMap<string, number> | null;
  quote: Quote | null;
  etaSeconds?: number;
  nextPollSeconds?: number;
}

export type TranscriptView = UnlockedTranscript | ClosedTranscript;

interface Ask {
  videoId: string;
  accountId: string;
}

/** One queue a pool, so that a process's reads of one moment share a statement, and those of one account and video a row of it. */
const queues = new WeakMap<Pool, (ask: Ask) => Promise<ReadingHead>>();

function readHead({ pool }: ServiceContext, ask: Ask): Promise<ReadingHead> {
  let queue = queues.get(pool);
  if (queue === undefined) {
    queue = createBatches({
      run: (asks: readonly Ask[]) => readTogether(pool, asks),
      laneOf: ({ videoId }) => videoId,
    });
    queues.set(pool, queue);
  }
  return queue(ask);
}

async function readTogether(pool: Pool, asks: readonly Ask[]): Promise<ReadingHead[]> {
  const distinct = new Map(asks.map((ask) => [askedFor(ask), ask]));
  const heads = await readReadingHeads(pool, [...distinct.values()]);
  const byAsk = new Map([...distinct.keys()].map((key, index) => [key, heads[index]]));
  return asks.map((ask) => {
    const head = byAsk.get(askedFor(ask));
    if (head === undefined) throw new Error(`no head of ${ask.videoId} was read`);
    return head;
  });
}

/** Neither id has a space. */
function askedFor({ videoId, accountId }: Ask): string {
  return `${videoId} ${accountId}`;
}

/**
 * Opens a transcript; never 404 for a valid id. `unlock` buys a locked one, once for ever and under any race, and is free and ignored
 * elsewhere. Throws `InsufficientRows<Quote>` when the pool cannot pay.
 */
export async function readTranscript(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  { unlock }: { unlock: boolean },
): Promise<TranscriptView> {
  const ask = { videoId, accountId: caller.accountId };
  let head = await readHead(context, ask);
  if (head.transcript === null) {
    const job = await readRunningJob(context.pool, videoId);
    if (job !== null) return pendingView(context, videoId, head, job);
    // The job may have ended between the two looks, with a transcript.
    head = await readHead(context, ask);
    if (head.transcript === null) return offerView(context, caller, videoId, head);
  }
  if (head.unlocked !== null)
    return { ...published(videoId, head, head.transcript), ...granted(head.unlocked), rowsCharged: 0 };
  if (!unlock) return lockedView(context, caller, videoId, head, head.transcript);
  const rowsCharged = await buy(context, caller, videoId, head.transcript.durationSeconds);
  const bought = await readHead(context, ask);
  if (bought.transcript === null || bought.unlocked === null) throw new Error(`the unlock of ${videoId} is gone`);
  return { ...published(videoId, bought, bought.transcript), ...granted(bought.unlocked), rowsCharged };
}

/** Grants the transcript and debits its price; returns what was debited: nothing where another request of the account came first. */
async function buy(context: ServiceContext, caller: Caller, videoId: string, durationSeconds: number): Promise<number> {
  const rows = unlockRows(durationSeconds, context.settings.prices);
  return context.pool.transaction(async (transaction) => {
    const isNew = await insertUnlock(transaction, { accountId: caller.accountId, videoId, rows });
    if (!isNew) return 0;
    const account = await readRowAccount(context, transaction, caller.accountId);
    const paid = await chargeRows(transaction, account, {
      rows,
      kind: "debit",
      reason: "transcript unlock",
      subject: videoId,
      requestId: caller.requestId,
    });
    if (paid) return rows;
    // Read anew: a purchase that came first is what left too little.
    const left = await readRowAccount(context, transaction, caller.accountId);
    throw new InsufficientRows<Quote>(unlockQuote(context, left, durationSeconds));
  });
}

async function pendingView(
  context: ServiceContext,
  videoId: string,
  head: ReadingHead,
  job: TranscriptionJob,
): Promise<ClosedTranscript> {
  const { etaSeconds, nextPollSeconds } = await estimateJob(context, context.pool, job);
  const view = await unfinished(context, videoId, head);
  return { ...view, access: "premium_pending", quote: null, etaSeconds, nextPollSeconds };
}

async function offerView(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  head: ReadingHead,
): Promise<ClosedTranscript> {
  const account = await readRowAccount(context, context.pool, caller.accountId);
  const view = await unfinished(context, videoId, head);
  return { ...view, access: "not_transcribed", quote: generationQuote(context, account, head.durationSeconds) };
}

async function unfinished(context: ServiceContext, videoId: string, head: ReadingHead) {
  const entityCounts = await scanCounts(context, videoId);
  return { ...described(videoId, head), revision: null, seq: null, source: null, entityCounts };
}

async function lockedView(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  head: ReadingHead,
  transcript: NonNullable<ReadingHead["transcript"]>,
): Promise<ClosedTranscript> {
  const account = await readRowAccount(context, context.pool, caller.accountId);
  return {
    ...published(videoId, head, transcript),
    access: "locked",
    entityCounts: await scanCounts(context, videoId),
    quote: unlockQuote(context, account, transcript.durationSeconds),
  };
}

async function scanCounts(context: ServiceContext, videoId: string): Promise<ReadonlyMap<string, number> | null> {
  return (await isVideoIndexed(context.pool, videoId)) ? countEntitiesOfVideo(context.pool, videoId) : null;
}

function described(videoId: string, head: ReadingHead): Description {
  const { title, durationSeconds, language, channel, publishedAt } = head;
  return { videoId, title, durationSeconds, language, channel, publishedAt };
}

function published(videoId: string, head: ReadingHead, transcript: NonNullable<ReadingHead["transcript"]>) {
  return { ...described(videoId, head), ...transcript };
}

function granted({ at, evidenceStamp, speakers }: NonNullable<ReadingHead["unlocked"]>) {
  return { access: "unlocked" as const, unlockedAt: at, evidenceStamp, speakers };
}
