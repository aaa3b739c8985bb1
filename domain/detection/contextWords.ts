import type { EntityGroup } from "../evidence.ts";

const set = (words: string) => new Set(words.split(" "));

/** Words that are at home near a kind of entity. */
const topical: Record<Exclude<EntityGroup, "unknown" | "channel">, ReadonlySet<string>> = {
  organization: set(
    "company companies ceo cfo cto founder founders cofounder investor investors shares stock stocks market earnings revenue profit profits quarter sales customer customers employee employees " +
      "worker workers staff hire hired hires hiring laid layoffs store stores shop shops warehouse factory plant plants headquarters brand brands startup startups merger acquisition acquired bought antitrust " +
      "lawsuit lawyers sued regulators app apps website subscription account payments payment bank banking card cards loan deposit payroll price prices pricing product products launch launched delivery drivers software database cloud " +
      "electric cars car truck trucks dealership contract union jobs chain retailer airline flight flights airport insurance data users platform",
  ),
  person: set(
    "he him his she her hers born died married wife husband daughter son mother father actor actress singer rapper player author writer director president senator scientist inventor musician artist coach " +
      "sang sings song songs album film films movie movies role scored scoring biography interview interviewed guest told said says thinks thought wrote starred career",
  ),
  product: set(
    "app device version update model battery screen download install installed feature features settings bought upgrade phone laptop tablet team teams message messages notes type typing use using",
  ),
  topic: set(
    "river rivers rainforest jungle forest basin ocean sea lake planet planets sun moon orbit rover probe telescope space country countries king queen capital city border borders government war economy climate science language " +
      "programming code theory history island mountain flights visa temperature north south east west travelled journey trip tourists embassy dolphins species land surface kingdom",
  ),
};

/** How many different words at home near the kind of entity there are among `nearby`. */
export function topicalHits(group: EntityGroup, nearby: ReadonlySet<string>): number {
  if (group === "unknown") return 0;
  const words = topical[group === "channel" ? "organization" : group];
  let hits = 0;
  for (const word of nearby) if (words.has(word)) hits += 1;
  return hits;
}

/** Said before a thing, not before a name. */
export const indefinite = set("a an any each every another one no some several many few which what");
export const possessives = set("my your his her their our its whose");
export const demonstratives = set("this that these those");
export const pronouns = set(
  "i you we they who to please lets dont didnt cant wont not never always will would can could should must might may",
);

/** A name with one of these before it, and nothing between, is a place to be at or a thing to come from. */
export const placing = set("at from via inside outside near by");
export const relating = set(
  "on in with for of like than called named versus vs about and or against using use used uses joined left works",
);

/** What companies do. */
export const companyVerbs = set(
  "announced announces unveiled unveils launched launches released releases acquired acquires acquire bought buys raised raises reported reports sells sold hired hires fired offers ships shipped lets gives sent sends " +
    "says said makes made cut cuts laid charges opened closed recalled charged refunded emailed called invested showed shows dropped built builds wants has is was will owns paid pays",
);
/** What companies have. */
export const companyNouns = set(
  "ceo cfo cto stock shares earnings app apps website site store stores employees workers customers users drivers card cards account subscription plant factory dealership headquarters ad ads event team executives lawyers phone phones laptop products engineers",
);
/** Before "to" they make what follows a place: "we went to …". */
export const motion = set(
  "go goes going gone went drive drives drove driving head heads headed heading run runs ran walk walked walking come came get got back over switch switched switching moved moving flew fly sold belong belongs trip trips thanks listen listening subscribe subscribed sign signed according next close",
);
/** Before a forename. */
export const kin = set(
  "cousin brother sister friend buddy son daughter husband wife boyfriend girlfriend nephew niece neighbor neighbour roommate coworker colleague dad mom uncle aunt named boss teacher kid",
);
export const titles = set(
  "mr mrs ms dr sir lady lord king queen prince princess president senator judge captain professor saint st uncle aunt coach",
);
