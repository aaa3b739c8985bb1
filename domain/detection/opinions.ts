import { cue, findCues, plainOf } from "./cues.ts";
import type { NamedEntity } from "./disambiguate.ts";
import type { MentionClass } from "../evidence.ts";
import { canAdvertise } from "./sponsorHits.ts";
import { sentenceAt, type Speech, type WordRange } from "./speech.ts";

/** Unpaid commercial talk about an entity. */
export interface Opinion extends WordRange {
  entityId: number;
  mentionClass: Exclude<MentionClass, "ad_read">;
  confidence: number;
}

// Each pattern counts once.
const praise: readonly { weight: number; pattern: RegExp }[] = [
  {
    weight: 2,
    pattern: cue(
      "(?:im|i am) a (?:big|huge|massive|real) fan of|ive recommended (?:it|them|this)|i (?:really |always |totally |honestly )?(?:swear by|stand by|vouch for)|(?:highly|strongly|totally|really|definitely|absolutely|cant) recommend|(?:cant|cannot|couldnt) recommend (?:[a-z]+ ){0,4}?(?:enough|highly enough)|(?:would|id) (?:highly |totally |definitely )?recommend|i (?:always )?recommend (?:it|them|this|that|to)",
    ),
  },
  {
    weight: 2,
    pattern: cue(
      "best (?:[a-z]+ ){0,3}?(?:i have|ive|i|weve|we) ever (?:owned|had|used|bought|tried|driven|worn|made|spent|seen|eaten)|(?:favorite|favourite) (?:thing|app|tool|purchase|product|brand|gadget) (?:i (?:have )?(?:bought|own|used)|of)|changed my life|game changer|(?:worth every (?:penny|cent|dollar))|ten out of ten|10 out of 10|(?:id|i would|wed) buy (?:it|one|them|another) again|(?:cant|couldnt) live without",
    ),
  },
  {
    weight: 2,
    pattern: cue(
      "(?:you should|you need to|everyone should|everybody should|do yourself a (?:favor|favour) and|you have to|you gotta|you must) (?:really |definitely |totally )?(?:check out|try|get|go get|go and get|buy|own|download|go)|just get one|go get one|shout ?out to",
    ),
  },
  {
    weight: 1,
    pattern: cue(
      "i (?:just |really |absolutely |honestly |truly )*(?:love|adore)|im (?:obsessed with|a huge fan of|such a fan of)",
    ),
  },
  {
    weight: 1,
    pattern: cue(
      "i (?:personally |still |actually )?use (?:it|them|[a-z0-9 ]{1,24}?) (?:for everything|every day|every single day|all the time|daily|constantly)|i use it every (?:single )?day",
    ),
  },
  {
    weight: 1,
    pattern: cue(
      "i (?:personally )?(?:use|pay for|own|bought)|ive (?:been using|used|had|owned)|we (?:got|bought|use|love)|my (?:favorite|favourite)|i take it everywhere",
    ),
  },
  {
    weight: 1,
    pattern: cue(
      "(?:is|are|was) (?:just |really |honestly |so |absolutely )*(?:the best|amazing|fantastic|incredible|good|great|brilliant|wonderful|perfect)|how good|worth it",
    ),
  },
];
const unpaid = cue(
  "(?:nobody|no one|noone) (?:is |has |ever )?(?:paid|paying|pays)|(?:this )?(?:isnt|is not|not) (?:an? )?(?:ad|advert|advertisement|paid|sponsored|sponsor|commercial|plug)(?: by them)?|theyre not (?:a sponsor|sponsoring|paying)|they (?:dont|do not) (?:sponsor|pay) (?:us|me)|nobodys paying|not (?:a sponsor|sponsored)|(?:have|got|with) no (?:deal|affiliation|relationship|connection)|didnt (?:pay|ask) me|paid for it myself|with my own money|not getting paid|wish they (?:would|did) sponsor|i wish this was sponsored",
);
const forSale = cue(
  "(?:get|buy|find|order|grab|pick up|purchase|picked up|bought) (?:it|one|them|that|this|these|those|yours|some|the [a-z ]{1,30}|a [a-z ]{1,30}?|it up) (?:there )?(?:at|from|on|in|over at)|(?:pick|grab|scoop) (?:one|it|them|some|yours) up (?:there )?(?:at|from|on|in)|on sale|(?:having|has|have|running|got) an? (?:[a-z]+ )?(?:sale|promotion|deal|discount)|for sale|in stock",
);
const price = cue(
  "\\d+(?: [a-z]+)? (?:dollars|bucks|pounds|euros|cents)|(?:about|around|only|just) \\d+ (?:dollars|bucks)|on sale|off until|half off|percent off",
);
const theirOwn = cue(
  "(?:my|our|his|her|their) (?:[a-z]+ )?(?:book|cookbook|album|tour|merch|course|podcast|channel|store|site)",
);

const leastPraise = 2;
const besideAdWords = 80;

/** Recommendations that nobody paid for, and talk of what something costs and where; `ads` are passages to leave out, `quoted` sentences too. */
export function opinions(
  speech: Speech,
  names: readonly NamedEntity[],
  ads: readonly (WordRange & { entityId: number })[],
  quoted: ReadonlySet<number>,
): Opinion[] {
  const praised = praise.flatMap(({ weight, pattern }) =>
    findCues(speech, pattern).map(({ first, end }) => ({ first, end, weight, pattern })),
  );
  const disclaimed = findCues(speech, unpaid);
  const sales = findCues(speech, forSale);
  const prices = findCues(speech, price);
  const own = findCues(speech, theirOwn);
  const found = new Map<number, Opinion>();
  for (const name of names) {
    const { entityId, type } = name.profile;
    if (found.has(entityId) || !canAdvertise(type) || ads.some((ad) => name.first >= ad.first && name.first < ad.end))
      continue;
    // What is advertised is not recommended in passing beside its advertisement.
    if (
      ads.some(
        (ad) =>
          ad.entityId === entityId && name.first >= ad.first - besideAdWords && name.first < ad.end + besideAdWords,
      )
    )
      continue;
    const sentence = sentenceAt(speech, name.first);
    if (quoted.has(speech.words[name.first]?.sentence ?? -1)) continue;
    const around = nearSentences(speech, names, name);
    const praiseHere = praised.filter((hit) => within(hit, around) && isAbout(speech, names, hit, name));
    const weights = new Map(praiseHere.map(({ pattern, weight }) => [pattern, weight]));
    const sum =
      [...weights.values()].reduce((total, weight) => total + weight, 0) +
      (disclaimed.some((hit) => within(hit, around)) ? 1.2 : 0);
    if (praiseHere.length > 0 && sum >= leastPraise) {
      const last = praiseHere.reduce((end, hit) => Math.max(end, sentenceAt(speech, hit.first).end), sentence.end);
      const first = praiseHere.reduce(
        (start, hit) => Math.min(start, sentenceAt(speech, hit.first).first),
        sentence.first,
      );
      found.set(entityId, {
        first,
        end: last,
        entityId,
        mentionClass: "endorsement",
        confidence: Math.min(0.95, 0.55 + sum * 0.12),
      });
    } else if (
      sales.some((hit) => within(hit, sentence)) &&
      prices.some((hit) => within(hit, sentence)) &&
      !own.some((hit) => within(hit, sentence))
    ) {
      found.set(entityId, { ...sentence, entityId, mentionClass: "mention", confidence: 0.7 });
    }
  }
  return [...found.values()];
}

function within(range: WordRange, bounds: WordRange): boolean {
  return range.first >= bounds.first && range.first < bounds.end;
}

/** A name's sentence with those beside it in which nothing else is named. */
function nearSentences(speech: Speech, names: readonly NamedEntity[], name: NamedEntity): WordRange {
  const index = speech.words[name.first]?.sentence ?? 0;
  const isOther = (range: WordRange) =>
    names.some(
      ({ first, profile }) =>
        first >= range.first &&
        first < range.end &&
        profile.entityId !== name.profile.entityId &&
        canAdvertise(profile.type),
    );
  const own = sentenceAt(speech, name.first);
  let { first, end } = own;
  const before = speech.sentences[index - 1];
  if (before !== undefined && !isOther(before)) ({ first } = before);
  for (const step of [1, 2]) {
    const after = speech.sentences[index + step];
    if (after === undefined || isOther(after)) break;
    ({ end } = after);
  }
  return { first, end };
}

/** Praise is of the name nearest to it in its sentence; "it" and "them" are of what was named last. */
function isAbout(speech: Speech, names: readonly NamedEntity[], hit: WordRange, name: NamedEntity): boolean {
  const sentence = sentenceAt(speech, hit.first);
  const here = names.filter(
    ({ first, profile }) => first >= sentence.first && first < sentence.end && canAdvertise(profile.type),
  );
  if (here.length === 0) return plainOf(speech, sentence) !== "";
  const distance = ({ first, end }: WordRange) =>
    first >= hit.end ? first - hit.end : Math.max(0, hit.first - end) + 1;
  const [closest] = [...here].sort((a, b) => distance(a) - distance(b));
  return closest?.profile.entityId === name.profile.entityId;
}
