import { saveRevision } from "../../database/corrections.ts";
import type { Transaction } from "../../database/pool.ts";
import { replaceSegments } from "../../database/transcriptParts.ts";
import { deleteSpeaker, nameSpeakerOfMentions, readSpeakers, saveSpeaker } from "../../database/transcriptSpeakers.ts";
import { align } from "../../domain/corrections/alignment.ts";
import type { Change, Segment } from "../../domain/corrections/types.ts";
import { indexPeople } from "../indexing/indexPeople.ts";
import { indexSegments } from "../indexing/indexSegments.ts";
import { moveAllJudgedWords } from "../indexing/moveJudgedWords.ts";
import { pairTextsApart } from "./pairApart.ts";

/** Which entry of which log a change is; the transcript is locked by the transaction. */
export interface Commit {
  videoId: string;
  seq: number;
  revision: number;
  /** The entry that it takes back; null: it is a correction of its own. */
  withdrawsSeq: number | null;
}

/** Makes a change that is in the log already: the text, who speaks, the numbers of the transcript, and the evidence, which follows both. */
export async function commitChange(transaction: Transaction, commit: Commit, change: Change): Promise<void> {
  const { videoId, revision, seq } = commit;
  const { before, after, speaker } = change;
  if (speaker?.after != null) await saveSpeaker(transaction, videoId, speaker.after);
  const hasText = before.length > 0 || after.length > 0;
  if (hasText) await replaceSegments(transaction, videoId, seq, change);
  if (speaker?.before != null && speaker.after === null) await deleteSpeaker(transaction, videoId, speaker.before.id);
  await saveRevision(transaction, videoId, { revision, seq });
  const speakers = await readSpeakers(transaction, videoId);
  const entityIds = new Set<number>();
  if (hasText) {
    const texts = after.map(({ text }) => text);
    const alignment = align(before, texts, change.pairs ?? (await pairTextsApart(before, texts)));
    await moveAllJudgedWords(transaction, commit, { alignment, after });
    const concerned = await indexSegments(transaction, { videoId, revision, alignment, after, speakers });
    for (const entityId of concerned) entityIds.add(entityId);
  }
  for (const person of [speaker?.before?.entityId, speaker?.after?.entityId]) if (person != null) entityIds.add(person);
  const speakerIds = movedSpeakers(before, after);
  if (speaker !== null) for (const one of [speaker.before, speaker.after]) if (one !== null) speakerIds.add(one.id);
  await indexPeople(transaction, {
    videoId,
    revision,
    entityIds,
    speakerIds,
    speakers,
  });
  const renamed = speakers.find(({ id }) => id === speaker?.after?.id);
  if (renamed !== undefined) await nameSpeakerOfMentions(transaction, videoId, renamed);
}

/** Those of whom it changes when they speak. */
function movedSpeakers(before: readonly Segment[], after: readonly Segment[]): Set<string> {
  const [was, is] = [new Set(before.map(turnOf)), new Set(after.map(turnOf))];
  const moved = [...before, ...after].filter((segment) => was.has(turnOf(segment)) !== is.has(turnOf(segment)));
  return new Set(moved.flatMap(({ speakerId }) => speakerId ?? []));
}

function turnOf({ speakerId, startSeconds, endSeconds }: Segment): string {
  return JSON.stringify([speakerId, startSeconds, endSeconds]);
}
