/** What is said, as transcripts and captions have it; seconds from the start of the video. */
export interface SpokenText {
  id: string;
  startSeconds: number;
  endSeconds: number;
  text: string;
  words: readonly { text: string; startSeconds: number; endSeconds: number }[];
}

/** Where a claim stands: in the text, where that is known, and in time. */
export interface ClaimedPlace {
  segmentId: string | null;
  charStart: number | null;
  charEnd: number | null;
  startSeconds: number;
  endSeconds: number;
  quote: string | null;
}

/** Text around a claim, and the words of it as offsets in UTF-16 code units. */
export interface Excerpt {
  text: string;
  markStart: number;
  markEnd: number;
}

/** How much of the talk before and after a claim reviewers see. */
export const contextSeconds = 20;

/**
 * The talk around a claim with its words marked: by their place in the text where that is known, else by the quote, else by the times of
 * words, else the segments of its time. Null where nothing is said there.
 */
export function markExcerpt(segments: readonly SpokenText[], claim: ClaimedPlace): Excerpt | null {
  const [first] = segments;
  if (first === undefined) return null;
  const starts: number[] = [];
  let text = "";
  for (const segment of segments) {
    if (text !== "") text += " ";
    starts.push(text.length);
    text += segment.text;
  }
  const marked =
    byPlace(segments, starts, claim) ?? byQuote(segments, starts, text, claim) ?? byTime(segments, starts, claim);
  const { start, end } = marked ?? { start: 0, end: 0 };
  return { text, markStart: start, markEnd: end };
}

type Mark = { start: number; end: number } | null;

function byPlace(segments: readonly SpokenText[], starts: readonly number[], claim: ClaimedPlace): Mark {
  const { segmentId, charStart, charEnd } = claim;
  const index = segments.findIndex(({ id }) => id === segmentId);
  const segment = segments[index];
  const start = starts[index];
  if (segment === undefined || start === undefined || charStart === null || charEnd === null) return null;
  return charEnd <= segment.text.length ? { start: start + charStart, end: start + charEnd } : null;
}

/** Whole words before parts of words, and of those the nearest in time. */
function byQuote(
  segments: readonly SpokenText[],
  starts: readonly number[],
  text: string,
  { quote, startSeconds, endSeconds }: ClaimedPlace,
): Mark {
  const sought = (quote ?? "").trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  if (sought === "") return null;
  const secondsAway = (start: number) => {
    const segment = segments[starts.findLastIndex((each) => each <= start)];
    return segment === undefined
      ? 0
      : Math.max(0, segment.startSeconds - endSeconds, startSeconds - segment.endSeconds);
  };
  for (const pattern of [String.raw`(?<![\p{L}\p{N}])${sought}(?![\p{L}\p{N}])`, sought]) {
    const places = [...text.matchAll(new RegExp(pattern, "giu"))];
    const [nearest] = places.toSorted((a, b) => secondsAway(a.index) - secondsAway(b.index));
    if (nearest !== undefined) return { start: nearest.index, end: nearest.index + nearest[0].length };
  }
  return null;
}

function byTime(segments: readonly SpokenText[], starts: readonly number[], claim: ClaimedPlace): Mark {
  let mark: Mark = null;
  for (const [index, segment] of segments.entries()) {
    const offset = starts[index] ?? 0;
    if (!overlaps(segment, claim)) continue;
    let from = 0;
    const words = segment.words.map((word) => {
      const start = segment.text.indexOf(word.text.trim(), from);
      if (start < 0) return null;
      from = start + word.text.trim().length;
      return overlaps(word, claim) ? { start: offset + start, end: offset + from } : null;
    });
    const spoken = words.filter((word) => word !== null);
    const [first, last] = [spoken[0], spoken.at(-1)];
    const part =
      first === undefined || last === undefined
        ? { start: offset, end: offset + segment.text.length }
        : { start: first.start, end: last.end };
    mark = mark === null ? part : { start: mark.start, end: part.end };
  }
  return mark;
}

interface Span {
  startSeconds: number;
  endSeconds: number;
}

function overlaps(a: Span, b: Span): boolean {
  return a.startSeconds === b.startSeconds || (a.startSeconds < b.endSeconds && b.startSeconds < a.endSeconds);
}
