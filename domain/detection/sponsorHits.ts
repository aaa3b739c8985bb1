import { entityGroup } from "../evidence.ts";
import type { EntityType } from "../entities.ts";
import { cue, findCues, plainOf } from "./cues.ts";
import { type Speech, sentenceAt, type WordRange } from "./speech.ts";
import { denial, quoting, quotingBefore, showNoun, sponsorCues } from "./sponsorCues.ts";

/** A wording that says who pays, with the words where the payer's name may begin (`after`) or end (`before`). */
export interface SponsorHit extends WordRange {
  slot: "after" | "before";
}

/** Something that is named somewhere. */
export interface Named extends WordRange {
  type: EntityType;
}

const reach = 5;
const reachBack = 9;
const show = cue(showNoun);
const us = /(?:^|[ .])(?:we|were|im|us|i am|we are|show|episode) (?:\w+ ){0,2}$/;
const andAnother = /^(?:, )?(?:and |as well as |plus )?(?:by |from |our friends at |the )*$/;

/** What is said of sponsors: who pays for the show, and the sentences in which others' advertising is quoted. */
export interface SponsorTalk {
  hits: SponsorHit[];
  quoted: ReadonlySet<number>;
}

/** Where the speech says who pays for it; denials, quotations and others' sponsors are left out. */
export function sponsorTalk(speech: Speech, channelNames: readonly string[]): SponsorTalk {
  const wordings = sponsorCues.flatMap(({ pattern, slot, needsShow }) =>
    findCues(speech, pattern).map(({ first, end }) => ({ first, end, slot, needsShow })),
  );
  const quoted = quotedSentences(speech, wordings);
  const denials = findCues(speech, denial);
  const hits = wordings
    .filter(({ first }) => !quoted.has(speech.words[first]?.sentence ?? -1))
    .filter((wording) => !denials.some((hit) => isDenied(speech, wording, hit)))
    .filter((wording) => !wording.needsShow || isOfShow(speech, wording, channelNames))
    .map(({ first, end, slot }) => ({ first, end, slot }));
  return { hits, quoted };
}

/** Sentences in which, or right after which, somebody else's advertisement is quoted. */
function quotedSentences(speech: Speech, wordings: readonly WordRange[]): Set<number> {
  const quoted = new Set<number>();
  const sponsored = new Set(wordings.map(({ first }) => speech.words[first]?.sentence));
  for (const hit of [...findCues(speech, quoting), ...findCues(speech, quotingBefore)]) {
    const sentence = speech.words[hit.first]?.sentence ?? 0;
    quoted.add(sentence);
    // "She does this impression. Like, this video is sponsored by …"
    if (sponsored.has(sentence + 1)) quoted.add(sentence + 1);
  }
  return quoted;
}

function isDenied(speech: Speech, { first, end }: WordRange, denied: WordRange): boolean {
  const isNear = denied.first <= first && denied.end >= first && denied.first >= first - 6 && denied.end <= end + 1;
  return isNear && speech.words[denied.first]?.sentence === speech.words[first]?.sentence;
}

/** Whether what is sponsored is this show or a part of it: the nearest thing before the verb is, or the support is "for" it. */
function isOfShow(speech: Speech, hit: WordRange, channelNames: readonly string[]): boolean {
  const sentence = sentenceAt(speech, hit.first);
  const from = Math.max(sentence.first, hit.first - 8);
  const before = plainOf(speech, { first: from, end: hit.first });
  if (/^(?:support|funding|underwriting|sponsorship)/.test(plainOf(speech, hit)))
    return isSupportOfShow(plainOf(speech, hit), hit.first === sentence.first || from === hit.first);
  if (us.test(before)) return true;
  if (channelNames.some((name) => before.includes(name))) return true;
  const nouns = [...before.matchAll(show)];
  const last = nouns.at(-1);
  if (last === undefined) return false;
  // "the race on this channel is sponsored by": what comes between must not be another subject.
  return /^\s*(?:(?:of|for|with|on|about|today|,|tonight|this week|is|are|was|has|been|being|also|which|that|comes to you|you are watching|,|[a-z]+ly|once|again|in|part|the|a|day|garage|hours) ?)*$/.test(
    before.slice(last.index + last[0].length),
  );
}

function isSupportOfShow(wording: string, isAtStart: boolean): boolean {
  const subject = / for ((?:\w+ )+?)(?:is|are|comes|come|provided|also)/.exec(wording)?.[1];
  if (subject === undefined) return isAtStart;
  return [...subject.trim().matchAll(show)].length > 0 || /^(?:this|our) /.test(subject);
}

/**
 * Which of the names the wording is about: the nearest in its slot that can advertise, and where names are enumerated there ("by A and by B"), all of them.
 * `names` in order of their first word; of those that begin together the longest first.
 */
export function payersOf(speech: Speech, hit: SponsorHit, names: readonly Named[]): number[] {
  return hit.slot === "after" ? after(speech, hit, names) : before(speech, hit, names);
}

function after(speech: Speech, hit: SponsorHit, names: readonly Named[]): number[] {
  const payers: number[] = [];
  let from = hit.end;
  for (const [index, name] of names.entries()) {
    if (name.first < from || !canAdvertise(name.type)) continue;
    const between = plainOf(speech, { first: from, end: name.first });
    if (payers.length === 0 ? isFar(speech, hit, from, name) : !andAnother.test(between)) break;
    payers.push(index);
    from = name.end;
  }
  return payers;
}

function isFar(speech: Speech, hit: SponsorHit, from: number, name: Named): boolean {
  if (name.first - from > reach) return true;
  // "a word from our sponsor. BetterHelp is …": the name may begin the next sentence, and only begin it.
  const sentence = speech.words[hit.end - 1]?.sentence ?? 0;
  const ofName = speech.words[name.first]?.sentence ?? 0;
  return (
    ofName > sentence && !(ofName === sentence + 1 && speech.words[from]?.sentence === ofName && name.first - from <= 1)
  );
}

function before(speech: Speech, hit: SponsorHit, names: readonly Named[]): number[] {
  const sentence = speech.words[hit.first]?.sentence ?? 0;
  const near = names
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => canAdvertise(name.type) && name.end <= hit.first && name.end >= hit.first - reachBack)
    .filter(({ name }) => (speech.words[name.first]?.sentence ?? 0) >= sentence - 1);
  const nearest = near.at(-1);
  return nearest === undefined ? [] : [nearest.index];
}

/** Companies, brands, products, causes and shows buy time; people and subjects do not. */
export function canAdvertise(type: EntityType): boolean {
  const group = entityGroup(type);
  return group === "organization" || group === "product" || group === "unknown" || group === "channel";
}
