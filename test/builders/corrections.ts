import fc from "fast-check";
import { contentHash } from "../../domain/contentHash.ts";
import type { Correction, Segment, Speaker } from "../../domain/corrections/types.ts";

/** What a correction of any transcript could be; it is about whatever stands at the places when it is made. */
export type Intent =
  | { do: "edit"; at: number; text: string }
  | { do: "speak"; at: number; who: number; label: string }
  | { do: "identify"; who: number; entityId: number }
  | { do: "add"; entityId: number }
  | { do: "tag"; at: number; from: number; length: number; entityId: number; action: "add" | "remove" }
  | { do: "rewrite"; at: number; length: number; texts: string[]; pins: boolean }
  | { do: "withdraw"; nth: number };

const word = fc.constantFrom(
  "ada",
  "built",
  "engines",
  "the",
  "first",
  "of",
  "Engines,",
  "你好",
  "B-52",
  "naïve",
  "it's",
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" ")) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter(isLine) },
);
function isLine(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- what the API refuses
  return text.trim() !== "" && !/[\x00-\x1f\x7f]/.test(text) && text.isWellFormed();
}

/** Intents of all kinds, over a transcript with some segments and `entityIds` to name. */
export function intentsOver(entityIds: readonly number[]): fc.Arbitrary<Intent> {
  const at = fc.nat(30);
  const entityId = fc.constantFrom(...entityIds);
  return fc.oneof(
    fc.record({ do: fc.constant("edit" as const), at, text: line }),
    fc.record({ do: fc.constant("speak" as const), at, who: fc.nat(5), label: fc.constantFrom("Host", "Guest") }),
    fc.record({ do: fc.constant("identify" as const), who: fc.nat(5), entityId }),
    fc.record({ do: fc.constant("add" as const), entityId }),
    fc.record({
      do: fc.constant("tag" as const),
      at,
      from: fc.nat(30),
      length: fc.integer({ min: 1, max: 12 }),
      entityId,
      action: fc.constantFrom("add" as const, "remove" as const),
    }),
    fc.record({
      do: fc.constant("rewrite" as const),
      at,
      length: fc.nat(3),
      texts: fc.array(line, { maxLength: 4 }),
      pins: fc.boolean(),
    }),
    fc.record({ do: fc.constant("withdraw" as const), nth: fc.nat(8) }),
  );
}

/** The correction that an intent is, of a transcript as it stands; null where there is nothing to correct. */
export function correctionOf(
  intent: Exclude<Intent, { do: "withdraw" }>,
  { segments, speakers, revision }: { segments: readonly Segment[]; speakers: readonly Speaker[]; revision: number },
): Correction | null {
  const at = "at" in intent ? intent.at % Math.max(1, segments.length) : 0;
  const segment = segments[at];
  const speaker = "who" in intent ? speakers[intent.who] : undefined;
  if (intent.do === "identify")
    return speaker === undefined
      ? null
      : { kind: "speaker_identify", speakerId: speaker.id, entityId: intent.entityId };
  if (intent.do === "add")
    return {
      kind: "add_person",
      person: { name: `Person ${intent.entityId}`, entityId: intent.entityId },
      role: "guest",
    };
  if (segment === undefined) return null;
  const anchored = { revision, anchor: { segmentId: segment.id, contentHash: contentHash(segment.text) } };
  switch (intent.do) {
    case "edit":
      return { kind: "line_edit", ...anchored, text: intent.text };
    case "speak":
      return {
        kind: "speaker_reassign",
        ...anchored,
        to: speaker === undefined ? { newSpeakerLabel: intent.label } : { speakerId: speaker.id },
      };
    case "tag": {
      const charStart = intent.from % segment.text.length;
      const charEnd = Math.min(segment.text.length, charStart + intent.length);
      const { entityId, action } = intent;
      return { kind: "entity_tag", ...anchored, tag: { entityId, charStart, charEnd, action } };
    }
    case "rewrite": {
      const range = segments.slice(at, at + intent.length + 1);
      const last = range.at(-1) ?? segment;
      return {
        kind: "segment_rewrite",
        revision,
        anchor: { segmentId: segment.id, contentHash: contentHash(range.map(({ text }) => text).join("\n")) },
        range: { fromSegmentId: segment.id, toSegmentId: last.id },
        replacements: intent.texts.map((text, n) => ({
          text,
          speakerId: null,
          startSeconds: intent.pins && n === 1 ? (segment.startSeconds + last.endSeconds) / 2 : null,
          endSeconds: null,
        })),
      };
    }
  }
}
