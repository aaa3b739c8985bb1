import { refuseRepeat } from "./anchor.ts";
import { requireSpeaker } from "./speakers.ts";
import type { Change, Scene, SpeakerIdentify } from "./types.ts";

/** Says which person a speaker is. Throws `AnchorMismatch` where that is known, and `invalid_body` for a speaker that is not there. */
export function speakerIdentify(scene: Scene, { speakerId, entityId }: SpeakerIdentify): Change {
  const speaker = requireSpeaker(scene, speakerId);
  if (speaker.entityId === entityId) return refuseRepeat(scene);
  return { before: [], after: [], speaker: { before: speaker, after: { ...speaker, entityId } } };
}
