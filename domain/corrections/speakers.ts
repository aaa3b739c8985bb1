import { ApiError } from "../errors.ts";
import type { Scene, Speaker } from "./types.ts";

/** Throws `invalid_body` for one that is not there; `field`: of the body, where it is asked for. */
export function requireSpeaker({ speakers }: Scene, speakerId: string, field = "speakerId"): Speaker {
  const speaker = speakers.find(({ id }) => id === speakerId);
  if (speaker === undefined)
    throw new ApiError("invalid_body", `The body field \`${field}\` is none of the transcript's \`speakers\`.`);
  return speaker;
}

/** A speaker that a correction brings in; at most one each, so that its number tells them apart. */
export function newSpeaker({ seq }: Scene, label: string): Speaker {
  return { id: `spk_${seq}`, label, entityId: null, role: null };
}

export function isSameSpeaker(a: Speaker | null, b: Speaker | null): boolean {
  return a?.id === b?.id && a?.label === b?.label && a?.entityId === b?.entityId && a?.role === b?.role;
}
