import { AnchorMismatch } from "../bareRefusals.ts";
import { contentHash } from "../contentHash.ts";
import type { Scene, Segment } from "./types.ts";

/**
 * Holds a correction to what its writer had before them: the texts of the range, joined by "\n", must still have the hash. An older revision
 * whose hash matches is taken, so that edits of other segments do not get in each other's way (decisions.md, "Corrections"). Throws
 * `AnchorMismatch`.
 */
export function holdAnchor(
  scene: Scene,
  { revision, anchor }: { revision: number; anchor: { segmentId: string; contentHash: string } },
): void {
  const isServed = revision <= scene.revision;
  const hash = contentHash(scene.segments.map(({ text }) => text).join("\n"));
  if (!isServed || hash !== anchor.contentHash) throw new AnchorMismatch("content_hash_mismatch", scene.revision);
}

/** The one segment of a correction. Throws `AnchorMismatch` where it is gone. */
export function anchoredSegment(scene: Scene): Segment {
  const [segment] = scene.segments;
  if (segment === undefined) throw new AnchorMismatch("segment_not_found", scene.revision);
  return segment;
}

/** Throws `AnchorMismatch`: the correction would leave everything as it is. */
export function refuseRepeat(scene: Scene): never {
  throw new AnchorMismatch("already_applied", scene.revision);
}
