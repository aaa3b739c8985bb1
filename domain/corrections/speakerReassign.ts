import { anchoredSegment, holdAnchor, refuseRepeat } from "./anchor.ts";
import { newSpeaker, requireSpeaker } from "./speakers.ts";
import type { Change, Scene, SpeakerReassign } from "./types.ts";

/** Says who speaks in a segment: one of the speakers, or a new one, unless one is labelled so already. Throws `AnchorMismatch`, and `invalid_body` for a speaker that is not there. */
export function speakerReassign(scene: Scene, { to, ...edit }: SpeakerReassign): Change {
  const segment = anchoredSegment(scene);
  const known =
    "speakerId" in to
      ? requireSpeaker(scene, to.speakerId)
      : scene.speakers.find(({ label }) => label === to.newSpeakerLabel);
  if (known !== undefined && known.id === segment.speakerId) return refuseRepeat(scene);
  holdAnchor(scene, edit);
  const speaker = known ?? newSpeaker(scene, "newSpeakerLabel" in to ? to.newSpeakerLabel : "");
  return {
    before: [segment],
    after: [{ ...segment, speakerId: speaker.id, madeSeq: scene.seq }],
    speaker: known === undefined ? { before: null, after: speaker } : null,
  };
}
