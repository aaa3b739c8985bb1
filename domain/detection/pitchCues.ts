import { cue } from "./cues.ts";

/** Parts of a sales pitch. None alone makes an advertisement; several about one name do. */
export type PitchKind =
  | "address"
  | "visit"
  | "code"
  | "offer"
  | "listeners"
  | "affiliate"
  | "link"
  | "text"
  | "introduction"
  | "break"
  | "terms";

export const pitchWeights: Record<PitchKind, number> = {
  address: 0.8,
  visit: 0.7,
  code: 2.2,
  offer: 1,
  listeners: 1.2,
  affiliate: 2.2,
  link: 1,
  text: 2,
  introduction: 1.2,
  break: 0.8,
  terms: 0.8,
};
/** An address with a part for this show alone ("name.com/show"). */
export const vanityAddressWeight = 2.4;
/** From this sum on, a pitch for somebody else's goods is a paid one. */
export const leastPitch = 3;

const amount = "(?:\\d+|a hundred|hundred|half|a|an|one|some|an extra|an additional)";
const goods =
  "(?:trial|shipping|month|months|year|gift|sample|samples|week|weeks|delivery|box|bag|case|pair|reader|meals?|returns|travel packs?|credit|bonus|bottle|consultation|quote|account|shave|class|classes|upgrade|starter kit|e ?book|audiobook|phone)";

export const pitchCues: readonly { kind: PitchKind; pattern: RegExp }[] = [
  { kind: "visit", pattern: cue("(?:go|head|get|hop|run|swing)(?: on)? (?:over )?(?:to|at)") },
  {
    kind: "visit",
    pattern: cue(
      "(?:visit|visiting|going to|heading to|check (?:it|them|out|us)(?: out)?(?: at)?|sign up(?: at| for free at| today at)?|shop(?: now)? at|try (?:it|them)(?: out)?(?: for)? (?:free )?at|get started at|start (?:today |[a-z]+ing )?at|(?:by )?going to|download|order (?:now |today )?at|find out more at|learn more at|more at|online at)",
    ),
  },
  {
    kind: "offer",
    pattern: cue(`(?:save(?: up to)?(?: an extra)? )?${amount}(?: (?:percent|dollars|bucks|pounds|euros))? off`),
  },
  {
    kind: "offer",
    pattern: cue(
      `free (?:[a-z0-9]+ ){0,4}?${goods}|${goods} (?:for )?free|(?:for free|free of charge)(?= (?:at|when|with|by|dot|\\.|for))`,
    ),
  },
  {
    kind: "offer",
    pattern: cue(
      "(?:\\d+|a|one) (?:[a-z0-9]+ ){0,3}?trial|first (?:month|order|box|week|purchase|bag) (?:is |for |on )?(?:free|us|half|just|only|\\d+|one)|half (?:off|price)|(?:sponsored job |site |account )credit|money back guarantee|\\d+ (?:dollars|bucks) (?:towards?|credit|in credit)|(?:for|its) (?:just|only) \\d+ (?:dollars|bucks)|\\d+ day guarantee|(?:buy|get) (?:one|1) (?:get|give) (?:one|1)|give (?:one|1) free|(?:is|are|for) only \\d+ dollars|special (?:offer|deal|price|discount)|(?:\\d+|extra|additional) (?:extra )?months? (?:for )?free|free extra",
    ),
  },
  {
    kind: "listeners",
    pattern: cue(
      "(?:our|my|the)? ?(?:listeners|viewers|subscribers|followers)(?: of (?:this|the|our) [a-z]+)? (?:get|gets|can get|will get|save|receive|can save)|for (?:our|my|you) (?:listeners|viewers|guys|folks)|(?:offering|giving) (?:our|my|you) (?:listeners|viewers|guys|folks|audience)|you guys (?:get|can|will)|exclusive (?:[a-z]+ )?(?:deal|offer|discount|link)|hooked (?:you|us|me)(?: guys| all| folks)? up|limited time|first (?:\\d+|hundred|thousand|five hundred|thousand) people|new customers get|special offer",
    ),
  },
  {
    kind: "affiliate",
    pattern: cue(
      "affiliate(?: links?| partners?| code)?|as an? [a-z]+ associate|qualifying purchases|(?:my|our) [a-z]+ storefront|storefront|(?:small |little |tiny )?(?:commission|kickback)|(?:i|we) (?:do |may |might |will )?(?:get|earn|make|receive) (?:paid|a (?:[a-z]+ )?(?:commission|kickback|cut|percentage))|my (?:own |[a-z]+ )?(?:referral |affiliate |personal |discount )?(?:link|code)|gives me|(?:i|we) (?:get|make|earn) (?:a little|a bit|a few|some|something)|buy (?:it |one |them )?(?:through|with|using|from) (?:it|my|our|the|that|this) ?(?:link)?|referral (?:link|code)",
    ),
  },
  {
    kind: "link",
    pattern: cue(
      "(?:links?|linked|its|it|them|theyre|everything)(?: is| are|s)? ?(?:right )?(?:in|down in|down|up) ?(?:the|my|our)? ?(?:description|show notes|episode notes|bio|comments|pinned comment|notes|below)|links? (?:is |are )?(?:down )?below|linked (?:it |them )?(?:down )?below|(?:put|leave|left|drop|dropped|have|got|add|added) (?:you )?(?:a|the|my|some) (?:affiliate )?links?|code is in|(?:click|tap|hit|follow|use) (?:on )?(?:the|my|that|our) (?:[a-z]+ )?link|first link|scan the qr code",
    ),
  },
  { kind: "text", pattern: cue("text (?:the word )?[a-z0-9]+ to \\d+(?: \\d+)*") },
  {
    kind: "introduction",
    pattern: cue(
      "(?:i|we) (?:just )?(?:want|wanna|gotta|have|need|got|would like|d like) ?(?:to)? (?:quickly |also |really )?(?:talk|tell|mention|thank|say thanks|give a shout out)(?: to)?(?: you)?(?: guys| all)?(?: for a (?:second|sec|minute|moment))?(?: about)?|let me (?:tell|talk)(?: to)? ?(?:you)?(?: about)?|(?:im|were) (?:so |super |really )?(?:excited|happy|thrilled|proud) to (?:tell|talk|share|partner|announce)(?: you| with)?(?: about)?|(?:this is|heres) (?:the|that) part where|(?:our )?friends (?:over )?at|shout ?out to|big thanks to|special thanks to",
    ),
  },
  {
    kind: "break",
    pattern: cue(
      "(?:quick|short|little) break|(?:take|took) a (?:quick |short |little )?(?:break|minute|moment|second|sec)|pause for|before (?:we|i) (?:go|get|continue|start|begin|dive|jump|move)|keeps? the lights on|interrupt (?:myself|this|the)|pay the bills|sponsor time|ad time|this is the ad|pays? the bills|make this (?:possible|show)|sponsors|one of our sponsors|our sponsors?|quick word|one more thing before",
    ),
  },
  {
    kind: "terms",
    pattern: cue(
      "terms (?:and conditions )?apply|no (?:long term )?(?:commitments?|contracts?)|cancel any ?time|risk free|see site for details|while supplies last|all lower ?case|all one word|the offer ends|offer (?:expires|ends)|at checkout",
    ),
  },
];

/** The show's own goods: no advertisement, whatever they cost. */
export const ownGoods = cue(
  "merch|merchandise|hoodies?|(?:our|my|the) (?:[a-z]+ ){0,2}?(?:mugs?|t ?shirts?|tees|stickers|posters?|shirts|caps|hats|tickets|tour|membership|memberships|patreon|newsletter|course|courses|masterclass|workshop|cookbook|book|books|album|comic|store|shop|website|site|discord|substack|app)|(?:find|follow|reach|see|join|support) (?:me|us) (?:at|on|over)|become a (?:member|patron|subscriber|supporter)|members (?:get|also)|join button|(?:bonus|ad free|extra) (?:episodes?|content)|support (?:us|me|the show) (?:on|at|by)|on (?:our|my) (?:patreon|own)|on tour|tickets (?:are|go|for)|our own|my own|we made (?:mugs|shirts|a|our)|pre ?order (?:my|our|the)|signed (?:edition|copies|copy)",
);

/** After an advertisement the show goes on with one of these. */
export const returning =
  /^(?:okay |ok |all right |alright |so |and |now |but |right |, )*(?:back to|lets get back|anyway|anyways|now back|where were|on with|lets get into|lets get to|lets bring|lets dive|welcome back|then (?:we|i)|now (?:here|the|part|to|then)|next question|as i was saying)(?= |$)/;
