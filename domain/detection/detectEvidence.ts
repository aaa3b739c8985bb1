import { foldName } from "../names.ts";
import { appearances } from "./appearances.ts";
import { type AdRead, adReads } from "./adReads.ts";
import { type Candidate, candidatesOf, type NameSpan, nameSpans } from "./candidates.ts";
import { disambiguate, type NamedEntity } from "./disambiguate.ts";
import { isAddress } from "./findNames.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { offerIn } from "./offer.ts";
import { type Opinion, opinions } from "./opinions.ts";
import { ownGoodsAt, pitchHits, type PitchHit } from "./pitches.ts";
import { isInSpelledCode, type PromoCode, promoCodes } from "./promoCode.ts";
import { sentimentOf } from "./sentiment.ts";
import { placeOf, readSpeech, sentenceAt, type Speech, textOf, type WordRange } from "./speech.ts";
import { canAdvertise, payersOf, type SponsorTalk, sponsorTalk } from "./sponsorHits.ts";
import { toldNames } from "./toldNames.ts";
import type {
  DetectedAppearance,
  DetectedCommercial,
  DetectedEvidence,
  DetectedMention,
  DetectionInput,
  EntityProfile,
  Place,
} from "./types.ts";

/** A transcript with all names that it may hold; what they are is to be looked up before evidence can be told. */
export interface ReadInput {
  input: DetectionInput;
  speech: Speech;
  spans: NameSpan[];
  title: { speech: Speech; spans: NameSpan[] } | null;
  labels: { speakerId: string; speech: Speech; spans: NameSpan[] }[];
}

/** The first half of detection: reads the text and finds all names in it. Linear in the text. */
export function readInput(input: DetectionInput, gazetteer: Gazetteer): ReadInput {
  const read = (text: string) => {
    const speech = readSpeech([{ id: "", startSeconds: 0, endSeconds: 0, text, speaker: null }]);
    return { speech, spans: nameSpans(speech, gazetteer) };
  };
  const labels = new Map<string, string>();
  for (const { speaker } of input.segments) if (speaker?.label) labels.set(speaker.id, speaker.label);
  const about = [input.title, input.description].filter((text) => text !== null && text !== "").join(". ");
  const speech = readSpeech(input.segments);
  return {
    input,
    speech,
    spans: nameSpans(speech, gazetteer),
    title: about === "" ? null : read(about),
    labels: [...labels].map(([speakerId, label]) => {
      const { speech, spans } = read(label);
      return { speakerId, speech, spans };
    }),
  };
}

/** The ids of all entities whose profiles `detectEvidence` will ask for. */
export function namedIds({ input, spans, title, labels }: ReadInput): number[] {
  const all = [...spans, ...(title?.spans ?? []), ...labels.flatMap((label) => label.spans)];
  const found = all.flatMap(({ entities }) => entities.map(({ entityId }) => entityId));
  const told = input.segments.flatMap((segment) => segment.told?.map(({ entityId }) => entityId) ?? []);
  return [...new Set([...found, ...told])];
}

/**
 * The second half: decides what the names mean and what is said of them. `profiles` by the ids under which names are kept; what has been merged stands under its
 * old ids with the profile of what it was merged into.
 */
export function detectEvidence(read: ReadInput, profiles: ReadonlyMap<number, EntityProfile>): DetectedEvidence {
  const { speech, input } = read;
  const told = toldNames(speech, profiles);
  const candidates = told.among(candidatesOf(read.spans, profiles));
  const channelNames = input.channel === null ? [] : [foldName(input.channel.name)].filter((name) => name.length > 3);
  for (const { first, end, options } of candidates) {
    if (options.some(({ profile }) => profile.type === "channel"))
      channelNames.push(
        speech.words
          .slice(first, end)
          .map((word) => word.norm)
          .join(" "),
      );
  }
  const sponsors = sponsorTalk(speech, channelNames);
  const support = commercialSupport(speech, candidates, sponsors);
  const meant = told.decide(disambiguate(speech, candidates, input, support));
  const codes = promoCodes(
    speech,
    meant.filter(({ profile }) => canAdvertise(profile.type)),
  );
  const names = meant.filter((name) => !isInSpelledCode(speech, name, codes));
  const ads = commercialPassages(read, { names, codes, sponsors });
  const title =
    read.title === null
      ? null
      : {
          speech: read.title.speech,
          names: disambiguate(read.title.speech, candidatesOf(read.title.spans, profiles), input, () => 0),
        };
  const present = appearances(speech, names, title, labelledPeople(read, profiles));
  return {
    mentions: names.map((name) => mentionOf(speech, name, ads.reads)),
    appearances: present,
    commercials: [
      ...ads.reads.map((ad) => adRow(speech, ad, codes, ads.hits, present)),
      ...ads.opinions.map((opinion) => opinionRow(speech, opinion, present)),
    ],
  };
}

/** Where a sponsor must be named, and in an address, a name is meant. */
function commercialSupport(speech: Speech, candidates: readonly Candidate[], sponsors: SponsorTalk) {
  const slots = candidates.map((candidate) => ({
    first: candidate.first,
    end: candidate.end,
    type: candidate.options.find(({ profile }) => canAdvertise(profile.type))?.profile.type ?? "topic",
  }));
  const paying = new Set(
    sponsors.hits.flatMap((hit) => payersOf(speech, hit, slots)).map((index) => candidates[index]),
  );
  return (candidate: Candidate, { profile }: { profile: EntityProfile }): number => {
    if (!canAdvertise(profile.type)) return 0;
    return (paying.has(candidate) ? 4 : 0) + (isAddress(speech.words, candidate.end - 1) ? 4 : 0);
  };
}

function commercialPassages(
  read: ReadInput,
  { names, codes, sponsors }: { names: readonly NamedEntity[]; codes: readonly PromoCode[]; sponsors: SponsorTalk },
) {
  const { speech, input } = read;
  const own = new Set(input.channel?.entityIds);
  const advertisers = names.filter(({ profile }) => canAdvertise(profile.type) && !own.has(profile.entityId));
  const typed = advertisers.map(({ first, end, profile }) => ({ first, end, type: profile.type }));
  const sponsored = sponsors.hits.flatMap((hit): PitchHit[] =>
    payersOf(speech, hit, typed).map((named) => ({
      first: hit.first,
      end: hit.end,
      kind: "sponsor",
      weight: 4,
      named,
    })),
  );
  const hits = pitchHits(speech, advertisers, sponsored, codes);
  const { quoted } = sponsors;
  const reads = adReads(speech, advertisers, hits, { ownGoods: ownGoodsAt(speech), quoted });
  return { reads, hits, opinions: opinions(speech, advertisers, reads, quoted) };
}

function labelledPeople({ labels }: ReadInput, profiles: ReadonlyMap<number, EntityProfile>): Map<string, number> {
  const people = new Map<string, number>();
  for (const { speakerId, speech, spans } of labels) {
    const whole = candidatesOf(spans, profiles).find(
      ({ first, end }) => first === 0 && end === speech.words.length && end > 1,
    );
    const person = whole?.options.find(({ profile }) => profile.type === "person");
    if (person !== undefined) people.set(speakerId, person.profile.entityId);
  }
  return people;
}

function mentionOf(speech: Speech, name: NamedEntity, ads: readonly AdRead[]): DetectedMention {
  const index = speech.words[name.first]?.sentence ?? 0;
  const sentence = sentenceAt(speech, name.first);
  const before = speech.sentences[index - 1];
  const after = speech.sentences[index + 1];
  const inAd = ads.some((ad) => name.first >= ad.first && name.first < ad.end);
  const place = placeOf(speech, name, name.told);
  const surrounding = { first: before?.first ?? sentence.first, end: after?.end ?? sentence.end };
  return {
    ...place,
    entityId: name.profile.entityId,
    quote: textOf(speech, sentence),
    contextBefore: before === undefined ? null : textOf(speech, before),
    contextAfter: after === undefined ? null : textOf(speech, after),
    surfaceForm: surfaceOf(speech, name, place),
    speakerId: speech.segments[speech.words[name.first]?.segment ?? -1]?.speaker?.id ?? null,
    inAd,
    sentimentScore: inAd ? null : sentimentOf(textOf(speech, surrounding)),
    confidence: name.confidence,
  };
}

/** The words as they are written, without the punctuation around them; of a part of words just that part. */
function surfaceOf(speech: Speech, name: NamedEntity, { charStart, charEnd }: Place): string {
  const whole = placeOf(speech, name);
  if (charStart === whole.charStart && charEnd === whole.charEnd)
    return textOf(speech, name).replaceAll(/^["“‘'([]+|[.,;:!?"”)\]…]+$/g, "");
  const segment = speech.segments[speech.words[name.first]?.segment ?? -1];
  return segment?.text.slice(charStart, charEnd) ?? "";
}

function adRow(
  speech: Speech,
  ad: AdRead,
  codes: readonly PromoCode[],
  hits: readonly PitchHit[],
  present: readonly DetectedAppearance[],
): DetectedCommercial {
  const own = codes.filter(({ first }) => first >= ad.first && first < ad.end);
  return {
    ...passageOf(speech, ad),
    entityId: ad.entityId,
    mentionClass: "ad_read",
    promoCode: mostTold(own.map(({ code }) => code)),
    offer: offerIn(speech, ad),
    speakerRole:
      roleOf(speech, ad, present) ??
      (hits.length > 0 && /(?:^| )(?:i|my|our|we|weve|ive|im)(?= )/.test(textOf(speech, ad).toLowerCase())
        ? "host"
        : null),
    sentimentScore: null,
    confidence: ad.confidence,
  };
}

function opinionRow(speech: Speech, opinion: Opinion, present: readonly DetectedAppearance[]): DetectedCommercial {
  return {
    ...passageOf(speech, opinion),
    entityId: opinion.entityId,
    mentionClass: opinion.mentionClass,
    promoCode: null,
    offer: opinion.mentionClass === "mention" ? offerIn(speech, opinion) : null,
    speakerRole: roleOf(speech, opinion, present),
    sentimentScore: sentimentOf(textOf(speech, opinion)),
    confidence: Math.round(opinion.confidence * 1000) / 1000,
  };
}

function passageOf(speech: Speech, range: WordRange) {
  return { ...placeOf(speech, range), verbatimQuote: textOf(speech, range) };
}

/** The part of who speaks there, where labels tell. */
function roleOf(speech: Speech, { first }: WordRange, present: readonly DetectedAppearance[]) {
  const speakerId = speech.segments[speech.words[first]?.segment ?? -1]?.speaker?.id;
  return speakerId === undefined ? null : (present.find((person) => person.speakerId === speakerId)?.role ?? null);
}

function mostTold(codes: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
