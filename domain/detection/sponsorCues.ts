import { cue } from "./cues.ts";

// What a broadcast calls itself or its parts.
export const showNoun =
  "(?:episode|video|videos|show|podcast|program|programme|segment|portion|part|stream|livestream|series|season|broadcast|channel|hour|vlog|newsletter|interview|trip|one|build|tutorial|lesson|section|special|conversation|scoreboard|forecast|weather|traffic report|report|coverage|countdown|replay|halftime|lineup|reporting|review|newsroom|desk|journalism|station|edition|installment|recap|drop|clip|upload|film|documentary|message|content|live|pregame|postgame|pre game|post game|kickoff|half|game|match|race coverage|bulletin|headlines|news|play of the (?:day|game|week)|moment|lap|round|quarter|inning|period|feature|chapter|portion|livecast|webcast|talk|lecture|workshop|session|giveaway|challenge|experiment|journey|adventure|update|updates|sports|break|spot|story|stories|road trip|weekend|vacation|production)s?";
const thisShow = `(?:this|todays|tonights|the|our|my|these|this weeks|this months|this weekends|all of) (?:[a-z]+ ){0,2}?${showNoun}`;
const adverbs =
  "(?:also |once again |again |proudly |kindly |partially |generously |in part |today |tonight |this week |this month |as always |actually |now |exclusively |fully )*";

/** Where the sponsor's name stands: after the words, before them, or within them. */
type Slot = "after" | "before";

export interface SponsorCue {
  pattern: RegExp;
  slot: Slot;
  /** The words only tell of a sponsor of this show if the show is what they say it of. */
  needsShow: boolean;
}

const after = (source: string, needsShow = false): SponsorCue => ({ pattern: cue(source), slot: "after", needsShow });
const before = (source: string): SponsorCue => ({ pattern: cue(source), slot: "before", needsShow: false });

/** Wordings that say who pays for the show. */
export const sponsorCues: readonly SponsorCue[] = [
  after(`brought to (?:you|us) ${adverbs}by`),
  after(
    `(?:sponsored|presented|powered|supported|underwritten|made possible|funded) ${adverbs}(?:by|thanks to|with support from)`,
    true,
  ),
  after(
    `(?:support|funding|underwriting|sponsorship)(?: support)?(?: for (?:[a-z0-9]+ ){0,5}?${showNoun}| for (?:this|the|our) (?:[a-z0-9]+ ){1,3}?| for [a-z0-9]+ [a-z0-9]+| of this ${showNoun})? ${adverbs}(?:comes|come|is provided|are provided|provided|is made possible) ${adverbs}(?:from|by)`,
    true,
  ),
  after("(?:this|the following|a) (?:message|announcement|word|spot) (?:comes|is brought to you|is) (?:from|by)"),
  after(
    "(?:a|quick|short|brief|now|here is|heres|following) (?:[a-z]+ )?(?:word|message|note) from (?:our|todays|this weeks|this episodes|one of our|my|a|the) (?:[a-z]+ )?(?:friends|sponsors?|partners?)(?: over)?(?: at)?",
  ),
  after("(?:hear|message|word) from our (?:[a-z]+ )?(?:friends|sponsors?|partners?)(?: over)?(?: at)?"),
  after(
    `(?:our|todays|tonights|this weeks|this months|this episodes|this videos|first|next|second|final|presenting|official|my|npr) (?:[a-z]+ )?(?:sponsor|partner|underwriter)(?: (?:today|this week|this month|tonight|for today|for this ${showNoun}|of the (?:day|week|show)|on this ${showNoun}))?(?: is| are| here is| comes)?`,
  ),
  after(
    "(?:thank you|thanks|thank|welcome|shout ?out)(?: so much| again| very much)*(?: to)? (?:our|my) (?:[a-z]+ ){0,2}?(?:friends|partners?|sponsors?)(?: over)?(?: at| from)?",
  ),
  after(
    "(?:a|an|our|another|todays|this weeks) (?:[a-z]+ ){0,2}?(?:sponsor|partner)(?: (?:today|tonight|this (?:week|month|year|season|episode)|for this [a-z]+))?(?: and| now)? (?:its|is|theyre|called|named|by the name of)",
  ),
  after(
    "(?:i|we|ive|weve|im|were|we are|i am|i have|we have) (?:have )?(?:recently )?(?:partnered|partnering|teamed|teaming)(?: up)? with",
  ),
  after(
    `${thisShow} (?:was|is|has been) (?:made|created|produced|filmed|done)? ?in (?:paid )?(?:partnership|collaboration|association) with`,
  ),
  after("paid partnership with"),
  before(`(?:for )?(?:sponsoring|supporting|partnering with us on|partnering on|underwriting) (?:us|me|${thisShow})`),
  before("for (?:sponsoring|supporting)(?: this(?: one)?)?(?= \\.| ,)"),
  before("(?<=(?:thanks|thank you) (?:so much )?to (?:[a-z0-9]+ ){1,6})for sponsoring(?: this)?"),
  before(`for (?:keeping|making|powering|helping) ${thisShow}(?: (?:going|possible|free|happen|running|alive))?`),
  before(
    `who ${adverbs}(?:have |has |had )?${adverbs}(?:sponsors?|sponsored|supports?|supported|partnered with us on|makes?|made|paid for) ${thisShow}`,
  ),
  before(`(?:sponsors?|sponsored|sponsoring) (?:us|me|${thisShow})|to sponsor (?:this|todays) [a-z]+`),
  before(`(?:made|makes|paid for) ${thisShow}(?: possible)`),
  before("(?:back |on board |aboard )?as (?:a|our|todays|this weeks) (?:[a-z]+ )?(?:sponsor|partner)"),
  before(
    `(?:are|is|theyre|they are) (?:a|our|also a|also our|one of our) (?:[a-z]+ )?(?:sponsors?|partners?)(?= \\.| ,| and| so| for| of (?:ours|this|the show|the podcast|the channel))`,
  ),
  before(`${thisShow} (?:would not|wouldnt|couldnt|could not) (?:exist|happen|be possible|be here) without`),
  after(
    `(?:paid|includes paid|contains paid|contains a paid|a paid) (?:promotion|advertisement|ad|message|endorsement|placement|promo) (?:from|for|by|with)`,
  ),
  after(
    "(?:partner|partnering|partnered|collaborate|collaborating|team up|teaming up|working) with (?=.{0,60} (?:on|for) (?:this|todays) )",
  ),
  before(
    `(?:is|are|theyre|hes|shes|who is|who are|which is|they are|being) ${adverbs}(?:sponsoring|supporting|underwriting) (?:us|${thisShow})`,
  ),
  before(
    `(?:is|are|theyre|who is|which is|they are|whos|who are) ${adverbs}(?:todays|our|this weeks|this months|one of our|this videos|this episodes) (?:[a-z]+ )?(?:sponsors?|partners?)`,
  ),
  before(
    `(?:is|are|theyre|who is|which is|they are|as|also)? ?${adverbs}(?:the|a|an|one of the) (?:[a-z]+ )?(?:sponsors?|partners?) (?:of|for|on) ${thisShow}`,
  ),
  before(`sponsors? of ${thisShow}`),
  before(
    `our (?:[a-z]+ )?(?:sponsor|partner)s? (?:today|tonight|this week|this month|on ${thisShow}|for ${thisShow}|of ${thisShow})`,
  ),
];

/** Said of others' advertising, or of the past: a sponsor's wording in such a sentence is quoted. */
export const quoting = cue(
  "(?:says|saying|sings|singing|yells|yelling|shouting|chanting|(?<!(?:free|a|an|your|my|the|insurance) )quote|he said|she said|they said|guy said|host said|kid said)|(?:ad|ads|video|videos|episode|spot|podcast|commercial|show|one) (?:i (?:open|watch|play|hear) )?(?:starts|start|opens|open|begins|begin) (?:off )?with|when i was (?:a|little|young)|growing up|back in the day|used to (?:say|be|run|open|start)|every (?:single )?(?:podcast|podcaster|youtuber|influencer|creator|video|episode) (?:i|that|you|ever|out there|starts|opens|begins|now)|all those|those ads|these ads|the ads?|that ad|an ad where|ad comes on|commercials?(?: that| where| said| when| about| with| from)|you can hear the",
);

/** As `quoting`, and what follows right after is quoted as well: somebody imitates, or an old advertisement is recalled. */
export const mimicking = cue(
  "imitating|impressions?|the voice|jingle|slogan|parody|skit|transcript|old (?:radio|tv|television)|remember (?:when|those|that|the old|how)|every podcaster|pretend|pretending|make believe|fake (?:ad|sponsor)|ad copy|a commercial",
);

const advertising =
  "(?:hey|hi|hello|okay|this|todays|our sponsor|support for|brought to you|i want to thank|thank you to|thanks to|use (?:my )?code|go to|switch to|a word from|get)";
/** Words after which a sentence gives what others say: "everything on the radio was, this portion …", "she goes this episode is …". */
export const quotingBefore = new RegExp(
  `(?<= |^)(?:(?:was|were|be|is|said|went|going) , (?=${advertising} )|(?:goes|was like|were like|be like|its like|shes like|hes like|theyre like|going) (?:, )?(?=${advertising} )|like , (?=hey|hi|hello|this ))`,
  "g",
);

/** Denials: what follows is no sponsor. */
export const denial = cue(
  "(?:not|isnt|arent|never|wasnt|werent|no longer|nor|nobody|without|stopped|dont have|no|aint|didnt) (?:[a-z]+ ){0,3}?(?:sponsored|sponsor|sponsors|sponsoring|sponsorship|paid|brought)|(?:turned down|rejected|declined|refused|offered|offers|wanted|wants|asked) (?:[a-z]+ ){0,6}?(?:sponsor|sponsored|sponsorship)",
);
