import { entityGroup } from "../evidence.ts";
import type { EntityType } from "../entities.ts";
import { cue, findCues, plainOf } from "./cues.ts";
import { type Speech, stopsBetween, type WordRange } from "./speech.ts";
import { denial, mimicking, quoting, quotingBefore, showNoun, sponsorCues } from "./sponsorCues.ts";

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
const us = /(?:^|[ .])(?:we|were|im|us|i am|we are) (?:\w+ly |also |again |once again |being |back ){0,2}$/;
// "this traffic update is …"; but a race, a team or a bill has sponsors of its own.
const thisThing =
  /(?:^| )(?:this|todays|tonights|our)(?: (?!race |team |event |athlete |driver |rider |player |league |tournament |cup |club |bill |law |act |study |research |festival |conference )[a-z]+){1,3} (?:is|are|was|comes to you) (?:\w+ly |also |again |once again ){0,2}$/;
const fillers = new Set(
  "friends friend people folks team partners partner sponsor sponsors makers family support listeners viewers".split(
    " ",
  ),
);
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
  for (const pattern of [quoting, quotingBefore, mimicking]) {
    for (const hit of findCues(speech, pattern)) {
      const sentence = speech.words[hit.first]?.sentence ?? 0;
      quoted.add(sentence);
      // "She does this impression. Like, this video is sponsored by …"
      if (pattern === mimicking && sponsored.has(sentence + 1)) quoted.add(sentence + 1);
    }
  }
  return quoted;
}

function isDenied(speech: Speech, { first, end }: WordRange, denied: WordRange): boolean {
  const isNear = denied.first <= first && denied.end >= first && denied.first >= first - 9 && denied.end <= end + 1;
  return isNear && speech.words[denied.first]?.sentence === speech.words[first]?.sentence;
}

/** Whether what is sponsored is this show or a part of it: the nearest thing before the verb is, or the support is "for" it. */
function isOfShow(speech: Speech, hit: WordRange, channelNames: readonly string[]): boolean {
  const before = plainOf(speech, { first: Math.max(0, hit.first - 9), end: hit.first }).replace(/^.*\. /, "");
  if (/^(?:support|funding|underwriting|sponsorship)(?: |$)/.test(plainOf(speech, hit)))
    return isSupportOfShow(
      plainOf(speech, hit),
      /^(?:and |, |additional |major |further |were back |also |or )*$/.test(before),
    );
  // A sentence without its beginning: "Sponsored by …".
  if (before === "" || us.test(before) || thisThing.test(before)) return true;
  if (channelNames.some((name) => before.includes(name))) return true;
  const nouns = [...before.matchAll(show)];
  const last = nouns.at(-1);
  if (last === undefined) return false;
  // "the race on this channel is sponsored by": what comes between must not be another subject.
  return /^\s*(?:,? ?(?:of|for|with|on|about) (?:\w+ ){1,4}?)?(?:(?:today|,|tonight|this week|is|are|was|has|been|being|also|which|that|comes to you|[a-z]+ly|once|again|in part) ?)*$/.test(
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
    if (name.first < from || !canAdvertise(name.type) || isFiller(speech, name)) continue;
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
  const stops = stopsBetween(speech, hit.end - 1, name.first);
  return stops > 0 && !(stops === 1 && speech.words[from]?.gap === "stop" && name.first - from <= 1);
}

function before(speech: Speech, hit: SponsorHit, names: readonly Named[]): number[] {
  const nearest = names.findLastIndex(
    (name) =>
      canAdvertise(name.type) && name.end <= hit.first && name.end >= hit.first - reachBack && !isFiller(speech, name),
  );
  const name = names[nearest];
  return name === undefined || stopsBetween(speech, name.end - 1, hit.first) > 1 ? [] : [nearest];
}

/** "our friends at …": such words are no name there. */
function isFiller(speech: Speech, { first, end }: WordRange): boolean {
  const word = speech.words[first];
  return end - first === 1 && word !== undefined && word.capitals === "none" && fillers.has(word.norm);
}

/** Companies, brands, products, causes and shows buy time; people and subjects do not. */
export function canAdvertise(type: EntityType): boolean {
  const group = entityGroup(type);
  return group === "organization" || group === "product" || group === "unknown" || group === "channel";
}
