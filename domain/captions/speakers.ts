/** What stands before a line's words to say who speaks. */
export interface SpeakerMark {
  /** Whether somebody begins to speak here, known or not. */
  turn: boolean;
  /** The name, where there is one. */
  label: string | null;
  text: string;
}

/** `>>` of broadcast captions: another speaker. */
const chevrons = /^(?:>>|»|›)+\s*/u;
/** A dialogue dash; an em dash goes on with a sentence, and a minus stands before a number. */
const dash = /^[-‐‑–](?:\s+|(?=[\p{L}"'“‘¿¡]))/u;
const bracketed = /^[[(]([\p{Lu}][\p{L}\p{M}\p{N} .'’&-]{0,38})[\])]\s*:\s*/u;
const upperCase = /^(\p{Lu}[\p{Lu}\p{M}\p{N} .'’&#-]{0,38}[\p{Lu}\p{N}.]|\p{Lu})(?:\s*\([^)]{1,30}\))?\s*:\s+/u;
const nameCase =
  /^(\p{Lu}[\p{L}\p{M}'’.-]*(?: (?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{N}{1,2}|de|van|von|der|la|bin|al)){0,3})\s*:\s+/u;

/**
 * Reads the marks at the beginning of a line: `>>`, a dialogue dash, `NAME:`, `[Name]:`, and `Name:` where `isKnown` says that the
 * name is used as a label in this file.
 */
export function readSpeakerMark(line: string, isKnown: (label: string) => boolean): SpeakerMark {
  const afterChevrons = line.replace(chevrons, "");
  const unmarked = afterChevrons.replace(dash, "");
  const label = readLabel(unmarked, isKnown);
  if (label !== null) return { turn: true, ...label };
  return { turn: unmarked !== line, label: null, text: unmarked };
}

function readLabel(text: string, isKnown: (label: string) => boolean): { label: string; text: string } | null {
  for (const form of [bracketed, upperCase]) {
    const found = form.exec(text);
    if (found?.[1] !== undefined) return { label: found[1].trim(), text: text.slice(found[0].length) };
  }
  const found = nameCase.exec(text);
  if (found?.[1] === undefined || !isKnown(found[1])) return null;
  return { label: found[1], text: text.slice(found[0].length) };
}

/** Names in ordinary spelling that stand before a colon at least twice: once may be a sentence ("Remember: …"). */
export function recurringLabels(lines: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  for (const line of lines) {
    const label = nameCase.exec(line.replace(chevrons, "").replace(dash, ""))?.[1];
    if (label !== undefined) seen.set(label, (seen.get(label) ?? 0) + 1);
  }
  return new Set([...seen].filter(([, times]) => times >= 2).map(([label]) => label));
}
