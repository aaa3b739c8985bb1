import type { AppearanceRole } from "../evidence.ts";

/** As it is written in its segment, with seconds from the start of the video and the engine's confidence (1 for what a person wrote). */
export type TimedWord = readonly [text: string, startSeconds: number, endSeconds: number, confidence: number];

type TagAction = "add" | "remove";

/** What people say of the characters `[charStart, charEnd)` (UTF-16) of a segment: that an entity is named there, or that it is not. */
export interface EntityTag {
  entityId: number;
  charStart: number;
  charEnd: number;
  action: TagAction;
  /** The entity that it was said of, where that one was merged into `entityId` since; the tag is its own again if the merge is taken back. */
  mergedFromId?: number;
}

/** A stretch of a transcript as it stands. */
export interface Segment {
  id: string;
  /** Segments are in the order of their positions, in byte order; between any two there is room for more. */
  position: string;
  startSeconds: number;
  endSeconds: number;
  speakerId: string | null;
  text: string;
  confidence: number;
  /** Empty where the engine gave no times of words. */
  words: readonly TimedWord[];
  tags: readonly EntityTag[];
  /** The `seq` of the correction that made it as it is; 0 for the engine's own. Withdrawing a correction brings back the number of what was before. */
  madeSeq: number;
}

/** Somebody who is told apart in a transcript. */
export interface Speaker {
  id: string;
  label: string;
  entityId: number | null;
  role: AppearanceRole | null;
}

/** A piece of text that takes the place of others, with times where the writer knows them. */
export interface Replacement {
  text: string;
  speakerId: string | null;
  startSeconds: number | null;
  endSeconds: number | null;
}

interface Anchored {
  /** Of the transcript that the writer had before them. */
  revision: number;
  anchor: { segmentId: string; contentHash: string };
}

export type LineEdit = { kind: "line_edit"; text: string } & Anchored;
export type SpeakerReassign = {
  kind: "speaker_reassign";
  to: { speakerId: string } | { newSpeakerLabel: string };
} & Anchored;
export type EntityTagging = { kind: "entity_tag"; tag: EntityTag } & Anchored;
export type SegmentRewrite = {
  kind: "segment_rewrite";
  range: { fromSegmentId: string; toSegmentId: string };
  replacements: readonly Replacement[];
} & Anchored;
export interface SpeakerIdentify {
  kind: "speaker_identify";
  speakerId: string;
  entityId: number;
}
export interface AddPerson {
  kind: "add_person";
  person: { name: string; entityId: number | null };
  role: AppearanceRole;
}

/** The closed union of what people can put right in a transcript (specification, "Transcripts"). */
export type Correction = LineEdit | SpeakerReassign | EntityTagging | SegmentRewrite | SpeakerIdentify | AddPerson;

export const correctionKinds = [
  "line_edit",
  "speaker_reassign",
  "speaker_identify",
  "add_person",
  "entity_tag",
  "segment_rewrite",
] as const satisfies readonly Correction["kind"][];
export type CorrectionKind = (typeof correctionKinds)[number];

/** For each word of a text the number of the word of another text that it goes on in; null where it does not. */
export type Pairs = readonly (number | null)[];

/** What of a transcript a correction is about. */
export interface Scene {
  revision: number;
  /** Of the correction that is being made. */
  seq: number;
  /** What stands in the range of the correction, in order; empty where its segments are not there. */
  segments: readonly Segment[];
  /** The next position after the range that is taken, also by what a withdrawal could bring back; null at the end. */
  nextPosition: string | null;
  /** All of them. */
  speakers: readonly Speaker[];
  /** Where the anchored segment is known to name entities, merges resolved. */
  named: readonly { entityId: number; charStart: number; charEnd: number }[];
  /** The words that stay, where they have been found before; null where that is quickly done. */
  pairs?: Pairs | null;
  /** What reviewers say of its words, merges resolved: that they name an entity, or that they do not. */
  reviewed: readonly { entityId: number; charStart: number; charEnd: number; isNamed: boolean }[];
}

/** What a correction does: `after` takes the place of `before`. Its inverse is the same the other way round. */
export interface Change {
  before: readonly Segment[];
  after: readonly Segment[];
  speaker: { before: Speaker | null; after: Speaker | null } | null;
  /** The words of `before` that stay in `after`, where they were looked for. */
  pairs?: Pairs;
}
