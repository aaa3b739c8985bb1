import { cue, findCues } from "./cues.ts";
import { type Speech, textOf, type WordRange } from "./speech.ts";

const lead = "(?:(?:get|take|save)(?: up to)?(?: an extra| an additional)? )?";
const amount = "(?:\\d+|a hundred and \\d+|a hundred|half|an extra \\d+)";
const unit = "(?:percent|dollars?|bucks|pounds|euros|cents)";
const tail =
  "(?: (?:your|any|all|the|an|a|orders?|everything|anything|plus|and|free|shipping|first|next|purchase|order|box|bag|month|year|plan|subscription|premium|annual|mattress|of|over|website|or|domain|more|you|on|select|item|items|entire|frame|hundred|dollars|\\d+))*";
const things =
  "(?:trial|shipping|gift|samples?|delivery|reader|meals?|travel packs?|credit|bonus|bottle|consultation|account|class|classes|year|months?|week|weeks|starter kit|tune up|refill|installation|estimate|guide|copy|quote|drink|coffee|hat|mug|phone|pair|case|box|bag|scale|tote|audiobook|upgrade)";
const count = "(?:an? |\\d+ |one |two |your )?";

// In order of what says most.
const patterns = [
  cue(`${lead}${amount} ${unit} off${tail}`),
  cue(`(?:up to )?${amount} off${tail}`),
  cue(
    `${count}(?:extra |additional |full )?(?:[a-z0-9]+ )?months? (?:for )?free|${count}(?:extra |additional )?free months?`,
  ),
  cue(`${count}(?:[a-z0-9]+ ){0,2}?free ${things}(?: of [a-z0-9]+(?: [a-z])?| with your first [a-z]+)*`),
  cue(`${count}free (?:[a-z0-9]+ ){0,3}?${things}(?: (?:of|with your first|and a|with) [a-z0-9]+(?: scale)?)*`),
  cue(`an? (?:\\d+|[a-z]+)(?: (?!and|the )[a-z]+){0,3} trial(?: and an? [a-z]+ [a-z]+)?`),
  cue(
    `(?:an?|one|1) second (?:one |[a-z]+ )?for half(?: the)? price|half off(?: [a-z]+){0,4}|(?:the )?(?:first (?:month|box|order|week)|trial) (?:is |for )?(?:just |only )?(?:free|on us|half off|\\d+ ${unit}|one dollar)`,
  ),
  cue(`an? \\d+ dollars (?:[a-z]+ ){0,3}credit`),
  cue(`get (?:an? )?(?:[a-z]+ ){1,4}and give (?:one|1|another) free|buy (?:one|1) get (?:one|1) free`),
  cue(`(?:an? )?\\d+ ${unit} (?:towards?|credit|in credit)(?: any| your| first| next| mattress| purchase| order)*`),
  cue(`an? (?:[a-z]+ ){1,3}for (?:just|only) \\d+ ${unit}`),
  cue(`[a-z]+ (?:[a-z]+ ){0,2}(?:is|are) only \\d+ dollars`),
  cue("save (?:up to |an extra )?\\d+ percent(?: on (?:your|any|all) [a-z]+)?"),
  cue(`try (?:it|them|[a-z]+) (?:for )?free|free shipping`),
];

/** What is offered between two words, as it is said; null where nothing is. The weightiest offer, at its longest. */
export function offerIn(speech: Speech, range: WordRange): string | null {
  for (const pattern of patterns) {
    const hits = findCues(speech, pattern, range).filter(({ first, end }) => first >= range.first && end <= range.end);
    const [longest] = hits.sort((a, b) => b.end - b.first - (a.end - a.first) || a.first - b.first);
    if (longest !== undefined) return textOf(speech, withoutLoose(speech, longest)).replace(/[.,;:!?]+$/, "");
  }
  return null;
}

const loose = new Set(["and", "or", "of", "the", "a", "an", "on", "your", "plus", "you", "any", "over", "all"]);

function withoutLoose({ words }: Speech, { first, end }: WordRange): WordRange {
  let last = end;
  while (last > first + 1 && loose.has(words[last - 1]?.norm ?? "")) last -= 1;
  return { first, end: last };
}
