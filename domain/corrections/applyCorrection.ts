import { addPerson } from "./addPerson.ts";
import { entityTag } from "./entityTag.ts";
import { lineEdit } from "./lineEdit.ts";
import { segmentRewrite } from "./segmentRewrite.ts";
import { speakerIdentify } from "./speakerIdentify.ts";
import { speakerReassign } from "./speakerReassign.ts";
import type { Change, Correction, Scene } from "./types.ts";

/**
 * What a correction does to the part of the transcript that it is about. Throws `AnchorMismatch` where that is not as its writer had it, or
 * would stay as it is, and `invalid_body` for what does not fit it.
 */
export function applyCorrection(scene: Scene, correction: Correction): Change {
  switch (correction.kind) {
    case "line_edit":
      return lineEdit(scene, correction);
    case "speaker_reassign":
      return speakerReassign(scene, correction);
    case "speaker_identify":
      return speakerIdentify(scene, correction);
    case "add_person":
      return addPerson(scene, correction);
    case "entity_tag":
      return entityTag(scene, correction);
    case "segment_rewrite":
      return segmentRewrite(scene, correction);
  }
}
