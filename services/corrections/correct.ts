import { insertCorrection, type LockedTranscript, lockTranscript } from "../../database/corrections.ts";
import type { Transaction } from "../../database/pool.ts";
import { listVerdicts } from "../../database/judgedWords.ts";
import { listNamedIn, type NamedPlace } from "../../database/segmentEvidence.ts";
import { measureRange, readNextPosition, readPresent, readRange } from "../../database/transcriptParts.ts";
import { readSegmentsById } from "../../database/transcripts.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import { AnchorMismatch, StaleSequence } from "../../domain/bareRefusals.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { applyCorrection } from "../../domain/corrections/applyCorrection.ts";
import { mostRewrittenCharacters, mostRewrittenSegments } from "../../domain/corrections/limits.ts";
import type { Change, Correction, CorrectionKind, Scene, Segment } from "../../domain/corrections/types.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller } from "../context.ts";
import type { TranscriptSegment } from "../transcripts/readText.ts";
import { learnNames } from "../teaching/learn.ts";
import { commitChange } from "./commitChange.ts";
import { pairApart } from "./pairApart.ts";
import { type CorrectionRequest, resolveRequest } from "./request.ts";

export interface CorrectionOrder {
  correction: CorrectionRequest;
  /** Of the transcript that the writer had before them; null: not checked. */
  seq: number | null;
  note: string | null;
  /** JSON, as it was asked for. */
  asked: string;
}

export interface AppliedCorrection {
  id: string;
  kind: CorrectionKind;
  videoId: string;
  revision: number;
  seq: number;
  /** Those that the correction made as they are. */
  segments: readonly TranscriptSegment[];
  createdAt: Date;
}

/**
 * Puts a transcript right, in the caller's transaction, one correction of a transcript after the other: the log, the text, the evidence
 * that follows it, and what is to be learnt of names. Throws `transcript_not_found`, `transcript_locked`, `StaleSequence`, `AnchorMismatch` and what does not fit the transcript
 * (`invalid_body`, `entity_not_found`, `appearances_person_only`).
 */
export async function correctTranscript(
  transaction: Transaction,
  caller: Caller,
  videoId: string,
  order: CorrectionOrder,
): Promise<AppliedCorrection> {
  const head = await lockUnlocked(transaction, videoId, caller);
  if (order.seq !== null && order.seq !== head.seq) throw new StaleSequence(head.seq);
  const made = await commitCorrection(transaction, { videoId, head, accountId: caller.accountId }, order);
  const { id, correction, change, named, revision, seq, createdAt } = made;
  await learnNames(transaction, { correctionId: id, correction, change, named });
  const segments = await readServed(transaction, videoId, change, named);
  return { id, kind: correction.kind, videoId, revision, seq, segments, createdAt };
}

/**
 * The same on behalf of a reviewer, who needs no unlock and teaches nothing by it. Returns the correction's id. Throws
 * `transcript_not_found`, `AnchorMismatch` and what does not fit the transcript.
 */
export async function correctAsReviewer(
  transaction: Transaction,
  videoId: string,
  order: Omit<CorrectionOrder, "seq">,
): Promise<string> {
  const head = await lockTranscript(transaction, videoId, null);
  if (head === null) throw new ApiError("transcript_not_found");
  const { id } = await commitCorrection(transaction, { videoId, head, accountId: null }, order);
  return id;
}

interface Writer {
  videoId: string;
  head: LockedTranscript;
  /** Null: a reviewer. */
  accountId: string | null;
}

async function commitCorrection(
  transaction: Transaction,
  { videoId, head, accountId }: Writer,
  order: Omit<CorrectionOrder, "seq">,
) {
  const correction = await resolveRequest(transaction, order.correction);
  const [seq, revision] = [head.seq + 1, head.revision + 1];
  const scene = await readScene(transaction, videoId, head, correction);
  const change = applyCorrection({ ...scene, pairs: await pairApart(scene.segments, correction) }, correction);
  const id = newId("correction");
  const createdAt = await insertCorrection(transaction, {
    id,
    videoId,
    seq,
    revision,
    kind: correction.kind,
    accountId,
    asked: order.asked,
    note: order.note,
    speaker: change.speaker,
    positions: positionsOf(change),
  });
  await commitChange(transaction, { videoId, seq, revision, withdrawsSeq: null }, change);
  const named = await listNamedIn(
    transaction,
    videoId,
    change.after.map((segment) => segment.id),
  );
  return { id, correction, change, named, revision, seq, createdAt };
}

/** Holds a transcript that the account may read. Throws `transcript_not_found` and `transcript_locked`. */
export async function lockUnlocked(
  transaction: Transaction,
  videoId: string,
  { accountId }: Pick<Caller, "accountId">,
): Promise<LockedTranscript> {
  const head = await lockTranscript(transaction, videoId, accountId);
  if (head === null) throw new ApiError("transcript_not_found", "There is no transcript of this video to correct.");
  if (!head.isUnlocked) throw new ApiError("transcript_locked");
  return head;
}

async function readScene(
  transaction: Transaction,
  videoId: string,
  head: LockedTranscript,
  correction: Correction,
): Promise<Scene> {
  const segments = await readConcerned(transaction, videoId, head, correction);
  const last = segments.at(-1);
  const isRewrite = correction.kind === "segment_rewrite";
  const tagged = correction.kind === "entity_tag" ? segments : [];
  return {
    revision: head.revision,
    seq: head.seq + 1,
    segments,
    nextPosition: isRewrite && last ? await readNextPosition(transaction, videoId, last.position) : null,
    speakers: await readSpeakers(transaction, videoId),
    named: await listNamedIn(
      transaction,
      videoId,
      tagged.map(({ id }) => id),
    ),
    reviewed: await listVerdicts(
      transaction,
      videoId,
      tagged.map(({ id }) => id),
    ),
  };
}

async function readConcerned(
  transaction: Transaction,
  videoId: string,
  { revision }: LockedTranscript,
  correction: Correction,
): Promise<readonly Segment[]> {
  switch (correction.kind) {
    case "speaker_identify":
    case "add_person":
      return [];
    case "line_edit":
    case "speaker_reassign":
    case "entity_tag":
      return readPresent(transaction, videoId, [correction.anchor.segmentId]);
    case "segment_rewrite": {
      const { fromSegmentId, toSegmentId } = correction.range;
      if (correction.anchor.segmentId !== fromSegmentId)
        throw new ApiError("invalid_body", "The body field `anchor.segmentId` must be `range.fromSegmentId`.");
      const ends = await readPresent(transaction, videoId, [fromSegmentId, toSegmentId]);
      const from = ends.find(({ id }) => id === fromSegmentId);
      const to = ends.find(({ id }) => id === toSegmentId);
      if (from === undefined || to === undefined) throw new AnchorMismatch("segment_not_found", revision);
      if (to.position < from.position)
        throw new ApiError("invalid_body", "The segment `range.toSegmentId` comes before `range.fromSegmentId`.");
      const range = { from: from.position, to: to.position };
      const { segments, characters } = await measureRange(transaction, videoId, range);
      if (characters > mostRewrittenCharacters || segments > mostRewrittenSegments)
        throw new ApiError(
          "invalid_body",
          `The body field \`range\` takes in ${characters} characters in ${segments} segments; at most ${mostRewrittenCharacters} in ${mostRewrittenSegments} are rewritten at once. Send several rewrites of shorter ranges.`,
        );
      return readRange(transaction, videoId, range);
    }
  }
}

function positionsOf({ before }: Change): { from: string; to: string } | null {
  const [first] = before;
  const last = before.at(-1);
  return first === undefined || last === undefined ? null : { from: first.position, to: last.position };
}

async function readServed(
  transaction: Transaction,
  videoId: string,
  { after }: Change,
  named: readonly NamedPlace[],
): Promise<TranscriptSegment[]> {
  const places = Map.groupBy(named, ({ segmentId }) => segmentId);
  const rows = await readSegmentsById(
    transaction,
    videoId,
    after.map(({ id }) => id),
  );
  return rows.map((row) =>
    Object.assign({}, row, {
      places: places.get(row.id) ?? [],
      speakerLabel: null,
      contentHash: contentHash(row.text),
    }),
  );
}
