import type { EntityType } from "../entities.ts";
import type { EntityTag } from "../corrections/types.ts";
import type { AppearanceRole, MentionClass } from "../evidence.ts";

/** Of the rules that evidence was found by; raised whenever they find something else. */
export const detectorVersion = "1.1.0";

/** A stretch of speech with its times in seconds from the start of the video. */
export interface SpokenSegment {
  id: string;
  startSeconds: number;
  endSeconds: number;
  text: string;
  /** Who speaks, where that is told apart; `label` as captions give it. */
  speaker: { id: string; label: string | null } | null;
  /** In order, as they are in the text; empty or absent where the times of words are not known. */
  words?: readonly { text: string; startSeconds: number; endSeconds: number }[];
  told?: readonly ToldName[];
}

/** What is known before anybody looks: that characters of the segment name an entity, as surely as `confidence` says, or that they do not. */
export interface ToldName extends EntityTag {
  confidence: number;
}

/** How an entity is called in the parts of the video that are not looked at. */
export interface NamedElsewhere {
  entityId: number;
  surfaceForm: string;
  mentions: number;
  /** Of the surest of them. */
  confidence: number;
}

export interface DetectionInput {
  segments: readonly SpokenSegment[];
  elsewhere?: readonly NamedElsewhere[];
  title: string | null;
  description: string | null;
  channel: {
    name: string;
    /** The entities that stand for the channel itself. */
    entityIds: readonly number[];
    /** In how many videos of the channel each entity was mentioned so far. */
    mentionedIn: ReadonlyMap<number, number>;
  } | null;
}

/** What is known of an entity that may be meant. */
export interface EntityProfile {
  /** At the end of its chain of merges. */
  entityId: number;
  name: string;
  type: EntityType;
  ownerId: number | null;
  mentionCount: number;
  description: string | null;
}

/** Characters `[charStart, charEnd)` (UTF-16) of a segment's text, and the times of the words there. */
export interface Place {
  segmentId: string;
  charStart: number;
  charEnd: number;
  startSeconds: number;
  endSeconds: number;
}

export interface DetectedMention extends Place {
  entityId: number;
  /** The sentence. */
  quote: string;
  contextBefore: string | null;
  contextAfter: string | null;
  /** As it was said; a name that goes on in the next segment is whole here, though its place ends with the segment. */
  surfaceForm: string;
  speakerId: string | null;
  inAd: boolean;
  /** −1 to 1; null in ads. */
  sentimentScore: number | null;
  confidence: number;
}

/** A person who speaks in the video. */
export interface DetectedAppearance extends Place {
  entityId: number;
  role: AppearanceRole;
  /** What tells of it. */
  quote: string;
  speakerId: string | null;
  /** Null where nothing tells apart who speaks. */
  speakingSeconds: number | null;
  confidence: number;
}

export interface DetectedCommercial extends Place {
  entityId: number;
  mentionClass: MentionClass;
  verbatimQuote: string;
  /** In capitals, without spaces. */
  promoCode: string | null;
  offer: string | null;
  speakerRole: AppearanceRole | null;
  /** −1 to 1; null for ad reads. */
  sentimentScore: number | null;
  confidence: number;
}

export interface DetectedEvidence {
  mentions: DetectedMention[];
  appearances: DetectedAppearance[];
  commercials: DetectedCommercial[];
}
