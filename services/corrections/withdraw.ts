import {
  type CorrectionRecord,
  insertWithdrawal,
  isSpanned,
  type LockedTranscript,
  lockTranscript,
  readCorrection,
} from "../../database/corrections.ts";
import { findEntityById } from "../../database/entityMembers.ts";
import type { Queryable, Transaction } from "../../database/pool.ts";
import { withdrawUntaught } from "../../database/taughtNames.ts";
import { settleTakenBack } from "../../database/taughtPlaces.ts";
import { readPresent, readSegmentChange } from "../../database/transcriptParts.ts";
import { isSpeakerUsed, readSpeakers } from "../../database/transcriptSpeakers.ts";
import type { Change, Speaker } from "../../domain/corrections/types.ts";
import { withdraw } from "../../domain/corrections/withdraw.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller } from "../context.ts";
import { commitChange } from "./commitChange.ts";
import { lockUnlocked } from "./correct.ts";

/** A correction that was taken back, with the numbers that the transcript had then. */
export interface WithdrawnCorrection {
  id: string;
  videoId: string;
  kind: CorrectionRecord["kind"];
  revision: number;
  seq: number;
}

/**
 * Takes back a segment rewrite: what it replaced is there again. Repeated, it answers the same. Throws `correction_not_found` where the id
 * is no rewrite's, `transcript_locked`, and `AnchorMismatch` where later edits sit on it.
 */
export async function withdrawRewrite(
  transaction: Transaction,
  caller: Caller,
  correctionId: string,
): Promise<WithdrawnCorrection> {
  const found = await readCorrection(transaction, correctionId);
  if (found?.kind !== "segment_rewrite") throw new ApiError("correction_not_found");
  const head = await lockUnlocked(transaction, found.videoId, caller);
  return takeBack(transaction, head, { correctionId, accountId: caller.accountId, note: null });
}

/** Takes back a correction of any kind, on behalf of a reviewer. Throws `correction_not_found`, and `AnchorMismatch` where later edits sit on it. */
export async function undoCorrection(
  transaction: Transaction,
  correctionId: string,
  note: string | null,
): Promise<WithdrawnCorrection> {
  const found = await readCorrection(transaction, correctionId);
  const head = found === null ? null : await lockTranscript(transaction, found.videoId, null);
  if (head === null) throw new ApiError("correction_not_found");
  return takeBack(transaction, head, { correctionId, accountId: null, note });
}

async function takeBack(
  transaction: Transaction,
  head: LockedTranscript,
  { correctionId, ...by }: { correctionId: string; accountId: string | null; note: string | null },
): Promise<WithdrawnCorrection> {
  // Read again: another may have taken it back while this one waited for the transcript.
  const correction = await readCorrection(transaction, correctionId);
  if (correction === null) throw new ApiError("correction_not_found");
  const { id, videoId, kind, withdrawal } = correction;
  if (withdrawal !== null) return { id, videoId, kind, revision: withdrawal.revision, seq: withdrawal.seq };
  const change = await readChange(transaction, correction);
  const inverse = withdraw(change, correction.seq, {
    revision: head.revision,
    ...(await readStanding(transaction, correction, change)),
  });
  const [seq, revision] = [head.seq + 1, head.revision + 1];
  await insertWithdrawal(transaction, { id: newId("correction"), withdrawsId: id, videoId, seq, revision, ...by });
  await commitChange(transaction, { videoId, seq, revision, withdrawsSeq: correction.seq }, inverse);
  await withdrawUntaught(transaction, id);
  // People's own corrections carry no name.
  if (correction.accountId === null) await settleTakenBack(transaction, id);
  return { id, videoId, kind, revision, seq };
}

/** What a correction did. */
async function readChange(db: Queryable, { videoId, seq, speaker }: CorrectionRecord): Promise<Change> {
  const { before, after } = await readSegmentChange(db, videoId, seq);
  if (speaker === null) return { before, after, speaker };
  return {
    before,
    after,
    speaker: { before: await resolved(db, speaker.before), after: await resolved(db, speaker.after) },
  };
}

/** As speakers are read: a person who was merged since is the one merged into. */
async function resolved(db: Queryable, speaker: Speaker | null): Promise<Speaker | null> {
  if (speaker?.entityId == null) return speaker;
  const found = await findEntityById(db, speaker.entityId);
  return { ...speaker, entityId: found?.entity.numericId ?? speaker.entityId };
}

/** What stands where the correction made its change. */
async function readStanding(db: Queryable, { videoId, seq, kind, positions }: CorrectionRecord, change: Change) {
  const present = await readPresent(
    db,
    videoId,
    change.after.map((segment) => segment.id),
  );
  const made = change.speaker?.after?.id;
  const speakers = made === undefined ? [] : await readSpeakers(db, videoId);
  return {
    present: new Map(present.map((segment) => [segment.id, segment])),
    speaker: speakers.find(({ id }) => id === made) ?? null,
    isSpeakerUsed: made !== undefined && (await isSpeakerUsed(db, videoId, { speakerId: made, seq })),
    isSpanned:
      kind === "segment_rewrite" && positions !== null && (await isSpanned(db, videoId, { seq, ...positions })),
  };
}
