import { generateNKeysBetween } from "fractional-indexing";
import { applyCorrection } from "../../domain/corrections/applyCorrection.ts";
import { AnchorMismatch } from "../../domain/bareRefusals.ts";
import type { Change, Correction, Scene, Segment, Speaker } from "../../domain/corrections/types.ts";
import { ApiError } from "../../domain/errors.ts";
import { withdraw } from "../../domain/corrections/withdraw.ts";

interface Entry {
  kind: Correction["kind"];
  change: Change;
  isWithdrawn: boolean;
}

/** A transcript in memory under the rules of the domain: what the database is to do. */
export class TranscriptModel {
  segments: readonly Segment[];
  speakers: readonly Speaker[] = [];
  seq = 0;
  readonly #log = new Map<number, Entry>();
  readonly #positions: Set<string>;

  constructor(segments: readonly Segment[]) {
    this.segments = segments;
    this.#positions = new Set(segments.map(({ position }) => position));
  }

  get revision(): number {
    return this.seq + 1;
  }

  /** The numbers of the corrections that stand, the latest first. */
  get standing(): number[] {
    return [...this.#log]
      .filter(([, { isWithdrawn }]) => !isWithdrawn)
      .map(([seq]) => seq)
      .toReversed();
  }

  correct(correction: Correction): Change {
    const change = applyCorrection(this.#sceneOf(correction), correction);
    this.#make(change);
    this.#log.set(this.seq, { kind: correction.kind, change, isWithdrawn: false });
    return change;
  }

  withdraw(seq: number): void {
    const entry = this.#log.get(seq);
    if (entry === undefined) throw new Error(`no correction ${seq}`);
    const { change } = entry;
    const made = change.speaker?.after?.id;
    const inverse = withdraw(change, seq, {
      revision: this.revision,
      present: new Map(this.segments.map((segment) => [segment.id, segment])),
      speaker: this.speakers.find(({ id }) => id === made) ?? null,
      isSpeakerUsed: this.#isSpeakerUsed(made, seq),
      isSpanned: this.#isSpanned(seq, entry),
    });
    this.#make(inverse);
    entry.isWithdrawn = true;
  }

  #sceneOf(correction: Correction): Scene {
    const segments = this.#concerned(correction);
    const last = segments.at(-1)?.position ?? "";
    const next = [...this.#positions].filter((position) => position > last).toSorted((a, b) => (a < b ? -1 : 1))[0];
    return {
      revision: this.revision,
      seq: this.seq + 1,
      segments,
      nextPosition: next ?? null,
      speakers: this.speakers,
      reviewed: [],
      named: segments.flatMap(({ tags }) => tags.filter(({ action }) => action === "add")),
    };
  }

  #concerned(correction: Correction): readonly Segment[] {
    switch (correction.kind) {
      case "speaker_identify":
      case "add_person":
        return [];
      case "line_edit":
      case "speaker_reassign":
      case "entity_tag":
        return this.segments.filter(({ id }) => id === correction.anchor.segmentId);
      case "segment_rewrite": {
        const { fromSegmentId, toSegmentId } = correction.range;
        const from = this.segments.findIndex(({ id }) => id === fromSegmentId);
        const to = this.segments.findIndex(({ id }) => id === toSegmentId);
        return from < 0 || to < 0 ? [] : this.segments.slice(from, to + 1);
      }
    }
  }

  #make({ before, after, speaker }: Change): void {
    const gone = new Set(before.map(({ id }) => id));
    this.segments = [...this.segments.filter(({ id }) => !gone.has(id)), ...after].toSorted((a, b) =>
      a.position < b.position ? -1 : 1,
    );
    for (const { position } of after) this.#positions.add(position);
    if (speaker !== null) {
      const others = this.speakers.filter(({ id }) => id !== (speaker.before ?? speaker.after)?.id);
      // In the order in which they came: spk_2 before spk_10.
      const collator = new Intl.Collator("en", { numeric: true });
      this.speakers = (speaker.after === null ? others : [...others, speaker.after]).toSorted((a, b) =>
        collator.compare(a.id, b.id),
      );
    }
    this.seq += 1;
  }

  #isSpanned(seq: number, { kind, change: { before } }: Entry): boolean {
    const [first, last] = [before[0]?.position ?? "", before.at(-1)?.position ?? ""];
    return (
      kind === "segment_rewrite" &&
      [...this.#log].some(
        ([later, { kind, change, isWithdrawn }]) =>
          later > seq &&
          !isWithdrawn &&
          kind === "segment_rewrite" &&
          (change.before[0]?.position ?? "") < first &&
          (change.before.at(-1)?.position ?? "") > last,
      )
    );
  }

  #isSpeakerUsed(speakerId: string | undefined, seq: number): boolean {
    const isOther = (segment: Segment) => segment.speakerId === speakerId && segment.madeSeq !== seq;
    const restorable = [...this.#log.values()].filter(({ isWithdrawn }) => !isWithdrawn);
    return this.segments.some(isOther) || restorable.some(({ change }) => change.before.some(isOther));
  }
}

/** A transcript as an engine gives it: words with times, apart by 0.1 s within a segment and by a second between segments. */
export function spokenTranscript(
  texts: readonly string[],
  { words: hasWords = true, speakers = [] }: { words?: boolean; speakers?: readonly string[] } = {},
): Segment[] {
  const positions = generateNKeysBetween(null, null, texts.length);
  let seconds = 0;
  return texts.map((text, index): Segment => {
    const startSeconds = seconds;
    const words = text.split(" ").map((word) => {
      const start = seconds;
      seconds = Math.round((seconds + 0.1 * word.length) * 1000) / 1000;
      return [word, start, seconds, 0.9] as const;
    });
    const endSeconds = seconds;
    seconds += 1;
    return {
      id: `seg_${index}`,
      position: positions[index] ?? "",
      startSeconds,
      endSeconds,
      speakerId: speakers[index] ?? null,
      text,
      confidence: 0.9,
      words: hasWords ? words : [],
      tags: [],
      madeSeq: 0,
    };
  });
}

/** Why a correction is refused; null where it is not. */
export function reasonOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    if (error instanceof AnchorMismatch && "reason" in error.body) return error.body.reason;
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return null;
}
