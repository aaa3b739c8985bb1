import type { MatchableMention } from "../../database/matching.ts";
import type { FilteredMention } from "../../domain/filters/trackerFilters.ts";
import { foldText } from "../../domain/names.ts";

/** A mention as filters look at it; its words are folded when they are first asked for. */
export function filtered(mention: MatchableMention): FilteredMention {
  let folded: string | null = null;
  const foldedText = () =>
    (folded ??= foldText([mention.contextBefore, mention.quote, mention.contextAfter].filter(Boolean).join(" ")));
  return { ...mention, foldedText };
}

/** The mention that an occurrence shows: the earliest, of appearances where there are any. */
export function shownOf<T extends Pick<MatchableMention, "isAppearance" | "startSeconds" | "mentionId">>(
  matching: readonly T[],
): T | null {
  const [first] = matching.toSorted(
    (a, b) =>
      Number(b.isAppearance) - Number(a.isAppearance) || a.startSeconds - b.startSeconds || a.mentionId - b.mentionId,
  );
  return first ?? null;
}
