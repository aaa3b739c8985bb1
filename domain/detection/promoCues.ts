import { cue } from "./cues.ts";

/**
 * How far a wording vouches for a code after it: `named`, it says what sort of code; `used`, the hearer is to use one; `bare`, it says no more than "code"; `slight`, it
 * tells of none, so that only what looks like a code, or is followed by what a code is good for, is one.
 */
export type Trust = "named" | "used" | "bare" | "slight";

const aside =
  "(?: (?:again|once again|as always|as usual|this week|this month|today|for today|right now|(?:down )?below|here|(?:down )?in the (?:[a-z]+ )?(?:description|notes|bio)|on (?:the |your )?screen))?";
const forWhom =
  "(?: for (?!and |the )[a-z]+(?: (?!and |the )[a-z]+){0,3}?(?= which is| is| its| thats| was)| for (?:you|my|our)(?: guys| all| folks| listeners| viewers)?)?";
const whose =
  "(?: (?:that )?(?:you|youll|youre|they|theyve|we|weve|i|ive) [a-z]+(?: [a-z]+){0,4}?(?= is| its| thats))?";
const copula =
  "(?: (?:which is|is|its|thats|was|will be)(?: (?:going to be|gonna be))?(?: (?:just|simply|literally|actually|also|still|once again|as always|as usual))?)?";
const named =
  "(?: (?:(?:my|our|the) (?:[a-z]+ )?(?:name|surname|nickname|handle|initials)|the name of (?:the|this|our|my) [a-z]+|(?:the )?(?:key ?)?words?|the letters)(?: (?:which is|thats|its|so))?)?";
const spelling = "(?: (?:all one word|one word|(?:in )?all caps|all lower ?case|spelled))?";
const lead = `${aside}${forWhom}${whose}${copula}${named}${spelling}`;

const kinds =
  "(?:promo|promotional|promotion|offer|discount|coupon|referral|voucher|checkout|gift|savings|creator|affiliate|partner|listener)";
const using =
  "(?:use|using|with|enter|entering|apply|applying|redeem|redeeming|mention|mentioning|(?:put|putting|punch|punching|plug|plugging|pop|popping|drop|dropping|throw|type|typing) in|type|typing|drop)";
const entry = "(?:(?:promo|coupon|discount|offer) )?(?:promo|coupon|discount|code) (?:box|field|bar|section|line)";

/** Wordings that a code follows, those that vouch most for it first. */
export const codeCues: readonly { pattern: RegExp; trust: Trust }[] = [
  { pattern: cue(`${kinds} ?codes?${lead}`), trust: "named" },
  { pattern: cue(`${using} (?:my |our |the |your |this |a )?(?:[a-z]+ )?codes?${lead}`), trust: "used" },
  { pattern: cue(`codes?${lead}`), trust: "bare" },
  {
    pattern: cue(
      `(?:${using}|need|put|say) (?:the |our |my |your )?(?:${kinds}|(?:(?:magic|secret|special) )?(?:key ?)?words?|phrase)(?: is| thats)?`,
    ),
    trust: "slight",
  },
  { pattern: cue(`(?:our|my|your|the) (?:${kinds}|keyword|code ?word)s?(?: is| was)?`), trust: "slight" },
  { pattern: cue(`${using}${named}`), trust: "slight" },
  {
    pattern: cue(`(?<=${entry} (?:[a-z]+ ){0,3})put|put(?= [a-z0-9]+(?: \\d+)? in(?:to)? (?:the|that) ${entry})`),
    trust: "slight",
  },
];

/** "It's …", "just type …", after a code was spoken of; `spokenOf` is tried on what comes before. */
export const pointing = cue(
  "(?:its|it is|thats|that is|which is|ours is|mine is|put|say|write|type(?: in)?|enter|use|the answer is)(?: (?:just|simply))?",
);
/** Of those, the ones that do not describe it instead ("it's easy"). */
export const telling = /^(?:put|say|write|type|enter|use)/;
/** A code is asked for; it is told next. */
export const asking = cue("codes?(?: again| now| today| this week)? \\.");
export const spokenOf = /(?<=^| )(?:codes?|coupon|keyword) (?:[a-z0-9,.]+ ){0,16}$/;

/** Wordings that a code comes before: "… is the code", "… gets you ten percent off". */
export const codeBefore = cue(
  `(?:is|was|will be|thats) (?:the|your|my|our|todays) (?:${kinds} )?code(?! (?:of|that|to|base|name))|(?:gets|saves|gives|takes|knocks|unlocks|will (?:get|save|give|take|knock)) (?:you |your |an |extra |up to |another )*(?:\\d+ (?:percent|dollars|bucks|pounds|euros|off)|half (?:off|price)|(?:[a-z0-9]+ ){0,3}?free)`,
);

/** Right after a code: where it is put, or what it is good for. */
export const putInto =
  /^(?:, )?(?:in )?(?:(?:at|in|into|on|during|when you|as you|once you) (?:the |your |that |their )?(?:[a-z]+ ){0,2}?(?:checkout|check out|box|field|cart|page|form|sign up|signup|register)|as (?:the|your|my|our) (?:[a-z]+ )?code)(?= )/;
const amount = "(?:\\d+ (?:percent|dollars|bucks|pounds|euros|off)|half (?:off|price)|(?:[a-z0-9]+ ){0,3}?free)";
export const goodFor = new RegExp(
  `^(?:, )?(?:${amount}|(?:(?:and|so|you|youll|they|theyll|it|itll|that|thatll|which|will|can) ){0,4}(?:(?:is )?good for|works for|for|to|get|give|save|take|knock|thats|[a-z]{3,}s) (?:(?:you|get|save|us|an|a|extra|up|to|another|all) ){0,4}${amount})(?= )`,
);
/** Right after a code: how it is written, where it is used, or that it works. */
export const howWritten =
  /^(?:, )?(?:(?:in )?(?:all )?(?:caps|capitals|lower ?case)|at (?:[a-z0-9]+ ){1,4}?dot [a-z]+|links? (?:is |are )?(?:below|in)|works|is valid)(?= )/;
/** An offer, in the text before. */
export const offered = new RegExp(`(?:^| )${amount}(?: [a-z0-9]+){0,8} ,?(?: [a-z]+)? ?$`);
/** Verbs that hardly anything but a code goes with. */
export const typing = /^(?:type|punch|plug|pop)/;
/** Before the words that ask for a code: where it is put. */
export const putThere = /(?:checkout|check out|box|field|cart|sign up) (?:[a-z,]+ ){0,5}$/;

/** Before "code": there is none. */
export const noCode =
  /(?:^| )(?:no|without(?: an?| any)?|any|(?:dont|doesnt|wont|not) (?:even )?(?:need|have|want|require)(?: to use)?(?: an?| any| the| my)?|isnt an?) (?:[a-z]+ )?$/;
/** Before "code": it is one of another sort, or no noun. */
export const otherCodeBefore =
  /(?:^| )(?:zip|source|dress|area|tax|morse|qr|bar|error|cheat|vin|digit|access|security|building|penal|criminal|legal|genetic|country|postal|honor|pin|pass|door|gate|machine|binary|low|factor|verification|confirmation|activation|login|(?:cracked|cracking) the|to|can|could|should|would|will|i|(?:if|when|while|how|as|that) you|we|they|who|writes?|writing|wrote|written|reads?|reviews?|ships?|shipping|runs?|debug|clean|bad|good|some|(?<!once )more|less|of) $/;

/** Offers and what goes with them: near it, a code is one to buy with. */
export const commerce =
  /percent off|dollars off|bucks off|\d off|checkout|discount|coupon|promo|free |trial|sign up|link|off (?:your|any|the|all|an|orders)|half (?:off|price)|save |sponsor|supported by|brought to you|check out|dot com/;
/** An address, at the end of the text before ("acme dot com code kayak"). */
export const byAddress = /dot [a-z]{2,3}(?: slash [a-z0-9]+)? (?:, )?$/;
