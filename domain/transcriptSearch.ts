import type { SearchPiece } from "./freeText.ts";
import { type SpokenWord, spokenWords } from "./spokenWords.ts";

/** Words that are to follow one another, folded; the last of them only begun where `isPrefix`. */
export interface SearchPhrase {
  words: readonly string[];
  isPrefix: boolean;
}

/** UTF-16 code units `[charStart, charEnd)` of a text. */
interface Highlight {
  charStart: number;
  charEnd: number;
}

/** What a search asks for, each of which has to occur; null where nothing is left of it. */
export function searchPhrases(pieces: readonly SearchPiece[]): SearchPhrase[] | null {
  const phrases = pieces
    .map(({ text, isPrefix }) => ({ words: spokenWords(text).map(({ word }) => word), isPrefix }))
    .filter(({ words }) => words.length > 0);
  return phrases.length === 0 ? null : phrases;
}

/** A segment in which all phrases occur, and where; highlights are in order and do not overlap. */
export interface SegmentHit<S> {
  segment: S;
  highlights: Highlight[];
}

interface Pending<S> {
  segment: S;
  found: Set<SearchPhrase>;
  highlights: Highlight[];
}

interface Begun<S> {
  phrase: SearchPhrase;
  matched: number;
  spans: { pending: Pending<S>; highlight: Highlight }[];
}

/**
 * Searches segments one after another. Each phrase has to occur in a segment; one that runs over the end of a segment occurs in both. A
 * segment is therefore answered for only when no phrase that began in it can still go on.
 */
export class TranscriptSearch<S extends { text: string }> {
  readonly #phrases: readonly SearchPhrase[];
  #begun: Begun<S>[] = [];
  #pending: Pending<S>[] = [];

  constructor(phrases: readonly SearchPhrase[]) {
    this.#phrases = phrases;
  }

  /** Takes the next segment, and returns the hits among those so far that nothing can change any more. */
  take(segment: S): SegmentHit<S>[] {
    const pending: Pending<S> = { segment, found: new Set(), highlights: [] };
    this.#pending.push(pending);
    for (const spoken of spokenWords(segment.text)) this.#hear(spoken, pending);
    const first = this.#begun[0]?.spans[0]?.pending;
    return this.#settle(first === undefined ? this.#pending.length : this.#pending.indexOf(first));
  }

  /** The hits that are left when all segments were taken. */
  end(): SegmentHit<S>[] {
    this.#begun = [];
    return this.#settle(this.#pending.length);
  }

  #hear({ word, charStart, charEnd }: SpokenWord, pending: Pending<S>): void {
    const begun: Begun<S>[] = [];
    const fresh = this.#phrases.map((phrase): Begun<S> => ({ phrase, matched: 0, spans: [] }));
    for (const { phrase, matched, spans } of [...this.#begun, ...fresh]) {
      if (!isNext(phrase, matched, word)) continue;
      const last = spans.at(-1);
      const extended =
        last?.pending === pending
          ? [...spans.slice(0, -1), { pending, highlight: { charStart: last.highlight.charStart, charEnd } }]
          : [...spans, { pending, highlight: { charStart, charEnd } }];
      if (matched + 1 < phrase.words.length) begun.push({ phrase, matched: matched + 1, spans: extended });
      else
        for (const span of extended) {
          span.pending.found.add(phrase);
          span.pending.highlights.push(span.highlight);
        }
    }
    this.#begun = begun;
  }

  #settle(count: number): SegmentHit<S>[] {
    return this.#pending
      .splice(0, count)
      .filter(({ found }) => found.size === this.#phrases.length)
      .map(({ segment, highlights }) => ({ segment, highlights: withoutOverlaps(highlights) }));
  }
}

function isNext({ words, isPrefix }: SearchPhrase, matched: number, word: string): boolean {
  const wanted = words[matched] ?? "";
  return isPrefix && matched === words.length - 1 ? word.startsWith(wanted) : word === wanted;
}

function withoutOverlaps(highlights: readonly Highlight[]): Highlight[] {
  const joined: Highlight[] = [];
  for (const highlight of highlights.toSorted((a, b) => a.charStart - b.charStart || b.charEnd - a.charEnd)) {
    const last = joined.at(-1);
    if (last === undefined || highlight.charStart >= last.charEnd) joined.push({ ...highlight });
    else last.charEnd = Math.max(last.charEnd, highlight.charEnd);
  }
  return joined;
}
