import { AnchorMismatch } from "../bareRefusals.ts";
import { isSameSpeaker } from "./speakers.ts";
import type { Change, Segment, Speaker } from "./types.ts";

/** What stands now where a correction once made its change. */
export interface WithdrawalScene {
  revision: number;
  /** Of the segments that the correction made those that are there, by id. */
  present: ReadonlyMap<string, Segment>;
  /** The speaker of the change as it is now. */
  speaker: Speaker | null;
  /** Whether another correction that stands has to do with a speaker that this one brought in. */
  isSpeakerUsed: boolean;
  /** Whether a later rewrite that stands spans the place of the change. */
  isSpanned: boolean;
}

/**
 * The change that takes back the one of the correction number `seq`: what it replaced comes back as it was, byte for byte. Throws
 * `AnchorMismatch` where later edits sit on it.
 */
export function withdraw(change: Change, seq: number, scene: WithdrawalScene): Change {
  const isUntouched = change.after.every(({ id }) => scene.present.get(id)?.madeSeq === seq);
  const isSpeakerAsMade = change.speaker === null || isSameSpeaker(change.speaker.after, scene.speaker);
  const isSpeakerFree = change.speaker === null || change.speaker.before !== null || !scene.isSpeakerUsed;
  if (!isUntouched || scene.isSpanned || !isSpeakerAsMade || !isSpeakerFree)
    throw new AnchorMismatch("content_hash_mismatch", scene.revision);
  return {
    before: change.after,
    after: change.before,
    speaker: change.speaker === null ? null : { before: change.speaker.after, after: change.speaker.before },
  };
}
