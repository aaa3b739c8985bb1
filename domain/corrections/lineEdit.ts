import { align } from "./alignment.ts";
import { anchoredSegment, holdAnchor, refuseRepeat } from "./anchor.ts";
import { carryTags } from "./carryTags.ts";
import { carryWords } from "./carryWords.ts";
import type { Change, LineEdit, Scene } from "./types.ts";

/** Says what was said in a segment; its times stay, and those of all words that stay. Throws `AnchorMismatch`. */
export function lineEdit(scene: Scene, edit: LineEdit): Change {
  const segment = anchoredSegment(scene);
  if (segment.text === edit.text) return refuseRepeat(scene);
  holdAnchor(scene, edit);
  const alignment = align([segment], [edit.text], scene.pairs);
  const [words = []] = carryWords(alignment, [segment]);
  const [tags = []] = carryTags(alignment);
  const after = { ...segment, text: edit.text, words, tags, madeSeq: scene.seq };
  return { before: [segment], after: [after], speaker: null, pairs: alignment.forward };
}
