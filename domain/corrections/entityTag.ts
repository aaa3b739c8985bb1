import { entityId } from "../entities.ts";
import { ApiError } from "../errors.ts";
import { anchoredSegment, holdAnchor, refuseRepeat } from "./anchor.ts";
import type { Change, EntityTag, EntityTagging, Scene } from "./types.ts";

/**
 * Says that characters of a segment name an entity, or that they do not, whatever is detected there. Throws `AnchorMismatch`, also where the
 * index says so already, `ReviewedWords` where it could not change what the index says, and `invalid_body` for characters that are not in the
 * text or hold no word.
 */
export function entityTag(scene: Scene, { tag, ...edit }: EntityTagging): Change {
  const segment = anchoredSegment(scene);
  holdAnchor(scene, edit);
  const surface = segment.text.slice(tag.charStart, tag.charEnd);
  if (tag.charEnd > segment.text.length || !/[\p{L}\p{N}]/u.test(surface))
    throw new ApiError("invalid_body", "The body fields `charStart` and `charEnd` must hold words of the segment.");
  if (segment.tags.some((one) => isSameTag(one, tag)) || saysSo(scene, tag)) return refuseRepeat(scene);
  const verdict = scene.reviewed.find((one) => one.entityId === tag.entityId && overlap(one, tag));
  if (verdict !== undefined && (verdict.isNamed || tag.action === "add")) throw new ReviewedWords(verdict);
  const others = segment.tags.filter((one) => one.entityId !== tag.entityId || !overlap(one, tag));
  const tags = [...others, tag].sort((a, b) => a.charStart - b.charStart || a.entityId - b.entityId);
  return { before: [segment], after: [{ ...segment, tags, madeSeq: scene.seq }], speaker: null };
}

/** What a reviewer settled of words is not the transcript's readers' to change. */
export class ReviewedWords extends ApiError {
  constructor({ entityId: id, charStart, charEnd, isNamed }: Scene["reviewed"][number]) {
    super(
      "invalid_body",
      `A reviewer settled that the characters ${charStart} to ${charEnd} of the segment ${isNamed ? "name" : "do not name"} ${entityId(id)}. ` +
        `Report an error of that with POST /v1/feedback, as type \`mentions\` with the issue \`${isNamed ? "not_mentioned" : "missing"}\`.`,
    );
  }
}

function isSameTag(a: EntityTag, b: EntityTag): boolean {
  return a.entityId === b.entityId && a.action === b.action && a.charStart === b.charStart && a.charEnd === b.charEnd;
}

function saysSo({ named }: Scene, tag: EntityTag): boolean {
  const there = named.filter((one) => one.entityId === tag.entityId && overlap(one, tag));
  switch (tag.action) {
    case "add":
      return there.some(({ charStart, charEnd }) => charStart === tag.charStart && charEnd === tag.charEnd);
    case "remove":
      return there.length === 0;
  }
}

interface Characters {
  charStart: number;
  charEnd: number;
}

function overlap(a: Characters, b: Characters): boolean {
  return a.charStart < b.charEnd && b.charStart < a.charEnd;
}
