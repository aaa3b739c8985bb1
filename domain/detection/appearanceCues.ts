import type { AppearanceRole } from "../evidence.ts";
import { cue } from "./cues.ts";

export interface AppearanceCue {
  pattern: RegExp;
  role: AppearanceRole;
  /** Where the person's name stands. */
  slot: "after" | "before";
  /** How many words may come between. */
  reach: number;
  confidence: number;
}

const today =
  "(?:today|tonight|now|this week|this morning|this evening|this hour|once again|as always|again|live|here|by phone|in the studio|on the line|on the phone|for this|remotely)";
const somewhere = `(?: ${today})*`;

export const appearanceCues: readonly AppearanceCue[] = [
  {
    pattern: cue("(?:im|i am|my name is|my names|its me|stuck with me|this is me)(?: your host| your hosts)?"),
    role: "host",
    slot: "after",
    reach: 0,
    confidence: 0.93,
  },
  {
    pattern: cue(
      "(?:this is|youre (?:listening to|watching|tuned in to)|welcome to)(?: [a-z0-9]+){1,5}? with(?: your host)?",
    ),
    role: "host",
    slot: "after",
    reach: 0,
    confidence: 0.85,
  },
  {
    pattern: cue("(?:your|the) host(?: for today| today| tonight)?(?: is)?|hosted by|i am your host|im your host"),
    role: "host",
    slot: "after",
    reach: 1,
    confidence: 0.92,
  },
  {
    pattern: cue(
      "(?:my|our|your|the)? ?(?:co host|cohost|co hosts|cohosts|partner in crime)(?: is| as always| today)*",
    ),
    role: "co_host",
    slot: "after",
    reach: 2,
    confidence: 0.92,
  },
  {
    pattern: cue(
      `(?:my|our|todays|tonights|this weeks|this mornings|the|first|next|special)(?: [a-z]+)? guests?${somewhere}(?: is| are)?${somewhere}`,
    ),
    role: "guest",
    slot: "after",
    reach: 9,
    confidence: 0.93,
  },
  {
    pattern: cue("(?:hey|hi|hello|whats up|okay|alright|welcome)(?: [a-z]+){0,3}? (?:its|this is)"),
    role: "host",
    slot: "after",
    reach: 0,
    confidence: 0.9,
  },
  {
    pattern: cue(
      "(?:happy|glad|excited|honored|honoured|pleased|thrilled|delighted|great) to (?:have|welcome|be joined by|introduce|be (?:here |talking |sitting down )?with)",
    ),
    role: "guest",
    slot: "after",
    reach: 10,
    confidence: 0.85,
  },
  {
    pattern: cue(`(?:joined|joining (?:me|us)|joins? (?:me|us))${somewhere}(?: is| are| by)?${somewhere}`),
    role: "guest",
    slot: "after",
    reach: 8,
    confidence: 0.9,
  },
  {
    pattern: cue(
      `(?:give it up for|a (?:big|warm) (?:hand|welcome) (?:for|to)|please welcome|lets welcome|welcome(?: back)?(?: to the (?:show|stage|program|podcast))?)${somewhere}`,
    ),
    role: "guest",
    slot: "after",
    reach: 5,
    confidence: 0.88,
  },
  {
    pattern: cue(
      "(?:i|we) (?:sit|sat|am sitting) down with|(?:my|our|this) (?:conversation|interview|chat|talk) with|(?:here|next) is [a-z]+ with",
    ),
    role: "guest",
    slot: "after",
    reach: 5,
    confidence: 0.85,
  },
  {
    pattern: cue(
      "(?:and |so )?(?:he|she|they|who) (?:joins?|is joining|is here|is with|is back|are here|are joining)(?: with)? (?:us|me)(?: now| today| here| tonight)*",
    ),
    role: "guest",
    slot: "before",
    reach: 25,
    confidence: 0.85,
  },
  {
    pattern: cue(
      "(?:for more|to explain|here to explain|to talk about (?:it|this|that))(?: on (?:this|that))? (?:we|lets|i) (?:turn|go|speak) (?:to|with)|we (?:turn|go) (?:now )?to",
    ),
    role: "correspondent",
    slot: "after",
    reach: 4,
    confidence: 0.7,
  },
  {
    pattern: cue(
      `(?:im|i am|were|we are|sat|sitting)(?: (?:sitting|down|here|back))*${somewhere} (?:with|talking (?:to|with)|speaking (?:to|with)|chatting with)`,
    ),
    role: "guest",
    slot: "after",
    reach: 6,
    confidence: 0.85,
  },
  {
    pattern: cue(
      `(?:with (?:me|us)|in the studio|on the (?:line|phone|show)|beside me|next to me|across from me|alongside me)(?: (?:with|for|from) (?:[a-z]+ ){0,3}?(?:me|us|[a-z]+))?${somewhere}(?: is| are| we have| weve got| i have| ive got)${somewhere}`,
    ),
    role: "guest",
    slot: "after",
    reach: 8,
    confidence: 0.88,
  },
  {
    pattern: cue("(?:we have|weve got|i have|ive got)(?: here| with us| with me)*"),
    role: "guest",
    slot: "after",
    reach: 1,
    confidence: 0.62,
  },
  {
    pattern: cue(
      "(?:(?:so much |very much |again )*(?:welcome(?: back)?|thanks|thank you)(?: so much| very much| again)* (?:to the (?:show|program|podcast|stage)|for (?:being|coming|joining|taking|talking|having|sitting|doing)))",
    ),
    role: "guest",
    slot: "before",
    reach: 3,
    confidence: 0.9,
  },
  {
    pattern: cue(
      "(?:joins|is joining|is here|is with|is back with|is in the studio with)(?: (?:us|me|here|today|now|in the studio))+",
    ),
    role: "guest",
    slot: "before",
    reach: 3,
    confidence: 0.85,
  },
  {
    pattern: cue(
      "(?:reporting|reports)(?: (?:live|for|from|tonight|now)| [a-z]+ [a-z]+ for)|has (?:the|our) (?:story|report)|with (?:the|our|this) report",
    ),
    role: "correspondent",
    slot: "before",
    reach: 1,
    confidence: 0.88,
  },
  {
    pattern: cue("(?:our|the|your|[a-z]+) (?:correspondent|reporter)"),
    role: "correspondent",
    slot: "after",
    reach: 2,
    confidence: 0.85,
  },
  {
    pattern: cue(
      "(?:on|in|joining|to) (?:the|our|todays|tonights|this weeks|my) panel(?: today| tonight| are| is)*|(?:our|the|todays|tonights) (?:panel|panelists)(?: today| tonight| are| is)*|panelists",
    ),
    role: "panelist",
    slot: "after",
    reach: 8,
    confidence: 0.88,
  },
];

/** Said between a cue and the name, these tell the part more exactly. */
export const roleWords: readonly { pattern: RegExp; role: AppearanceRole }[] = [
  { pattern: cue("co host|cohost"), role: "co_host" },
  { pattern: cue("correspondent|reporter"), role: "correspondent" },
  { pattern: cue("panel|panelists?"), role: "panelist" },
];

/** In a sentence with one of these, a person was there another time, or is wished for. */
export const otherTime = cue(
  "next (?:week|time|month|episode|monday|tuesday|wednesday|thursday|friday|saturday|sunday|up on)|last (?:week|weeks|time|month|year|night|nights|episode|monday|tuesday|wednesday|thursday|friday|summer)|tomorrow|yesterday|upcoming|previous|future|dream guest|someday|one day|wish (?:i|we)|would love to have|id love to have|will be (?:here|joining|on|with)|coming (?:up )?(?:next|soon)|past guests?|earlier (?:this|last)|years ago|ago|used to|was (?:my|our) guest|guest was|if (?:i|we) (?:could|had)|not|isnt|never|had (?:him|her|them) on|tribute",
);

/** Before a person's name in a title. */
export const inTitle = cue(
  "with|feat|featuring|ft|guest|guests|interview|interviewing|interviews|starring|meets|talks to|in conversation with",
);
