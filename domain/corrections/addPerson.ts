import { refuseRepeat } from "./anchor.ts";
import { newSpeaker } from "./speakers.ts";
import type { AddPerson, Change, Scene } from "./types.ts";

/** Says that a person takes part: one who is among the speakers is given the role, another one is added. Throws `AnchorMismatch` where that is known. */
export function addPerson(scene: Scene, { person, role }: AddPerson): Change {
  const { name, entityId } = person;
  // Several where a person was heard as more than one speaker.
  const theirs = scene.speakers.filter((speaker) =>
    entityId === null ? speaker.label === name : speaker.entityId === entityId,
  );
  if (theirs.some((speaker) => speaker.role === role)) return refuseRepeat(scene);
  const [known] = theirs;
  const after = { ...(known ?? { ...newSpeaker(scene, name), entityId }), role };
  return { before: [], after: [], speaker: { before: known ?? null, after } };
}
