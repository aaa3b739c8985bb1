import { parseFreeText } from "../../domain/freeText.ts";
import { appearanceRoles } from "../../domain/evidence.ts";
import { buyAppearancePage, type AppearanceQuery } from "../../services/mentions/appearances.ts";
import { buyMentionPage, type MentionQuery } from "../../services/mentions/list.ts";
import type { MentionPage } from "../../services/mentions/page.ts";
import { generated, wordOfRank } from "../generator/evidence.ts";
import { listCase } from "./listCase.ts";

const shaped = ({ rows, hasMore, last }: MentionPage) => ({ rows: rows.length, hasMore, last });

function mentions(name: string, narrowed: Partial<Omit<MentionQuery, "limit" | "after">>) {
  return listCase<NonNullable<MentionQuery["after"]>>(`mentions: ${name}`, async ({ context, caller }, page) =>
    shaped(
      await buyMentionPage(context, caller, {
        entity: { id: null, name: null, type: null },
        channelId: null,
        sentiment: null,
        isAppearance: null,
        inAd: null,
        search: null,
        dates: { from: null, to: null },
        details: "none",
        ...narrowed,
        ...page,
      }),
    ),
  );
}

function appearances(name: string, narrowed: Partial<AppearanceQuery>) {
  return listCase<NonNullable<AppearanceQuery["after"]>>(`appearances: ${name}`, async ({ context, caller }, page) =>
    shaped(
      await buyAppearancePage(context, caller, {
        slug: `entity-${generated.mostMentionedId}`,
        channelId: null,
        role: null,
        dates: { from: null, to: null },
        ...narrowed,
        ...page,
      }),
    ),
  );
}

const entity = (id: number) => ({ entity: { id, name: null, type: null } });
const type = (group: "person" | "topic") => ({ entity: { id: null, name: null, type: group } });
const top = entity(generated.mostMentionedId);
const rare = entity(generated.rareId);
const channel = { channelId: generated.biggestChannelId };
const dates = { dates: { from: new Date("2015-01-01T00:00:00Z"), to: new Date("2020-12-31T23:59:59.999Z") } };
const words = (text: string) => ({ search: parseFreeText(text) });
const word = (rank: number) => words(wordOfRank(rank));

export const mentionCases = [
  mentions("all", {}),
  mentions("top entity", top),
  mentions("rare entity", rare),
  mentions("type", type("topic")),
  mentions("channel", channel),
  mentions("positive", { sentiment: "positive" }),
  mentions("neutral", { sentiment: "neutral" }),
  mentions("appearances", { isAppearance: true }),
  mentions("no appearances", { isAppearance: false }),
  mentions("in ads", { inAd: true }),
  mentions("dates", dates),
  mentions("top entity, channel", { ...top, ...channel }),
  mentions("top entity, positive", { ...top, sentiment: "positive" }),
  mentions("top entity, appearances", { ...top, isAppearance: true }),
  mentions("top entity, in ads", { ...top, inAd: true }),
  mentions("top entity, dates", { ...top, ...dates }),
  mentions("top entity, channel, negative", { ...top, ...channel, sentiment: "negative" }),
  mentions("channel, type", { ...channel, ...type("person") }),
  mentions("channel, positive", { ...channel, sentiment: "positive" }),
  mentions("type, negative", { ...type("person"), sentiment: "negative" }),
  mentions("type, dates", { ...type("person"), ...dates }),
  mentions("top entity, details=full", { ...top, details: "full" }),
  mentions("q in 1 of 10", word(10)),
  mentions("q in 1 of 100", word(100)),
  mentions("q in 1 of 1,000", word(1000)),
  mentions("q in 1 of 10,000", word(10_000)),
  mentions("q in 1 of 100,000", word(100_000)),
  mentions("q in none", words("nowhere")),
  mentions("q begun", words(`${wordOfRank(1300)}*`)),
  mentions("q in a row", words(`"${wordOfRank(10)} ${wordOfRank(11)}"`)),
  mentions("q of two words", words(`${wordOfRank(31)} ${wordOfRank(32)}`)),
  mentions("q in 1 of 1,000, top entity", { ...top, ...word(1000) }),
  mentions("q in 1 of 10, rare entity", { ...rare, ...word(10) }),
  mentions("q in 1 of 1,000, channel", { ...channel, ...word(1000) }),
  mentions("q in 1 of 10, in ads", { inAd: true, ...word(10) }),
  mentions("q in 1 of 1,000, type", { ...type("person"), ...word(1000) }),
  mentions("q in 1 of 1,000, dates", { ...dates, ...word(1000) }),
  appearances("top person", {}),
  appearances("top person, channel", channel),
  appearances("top person, dates", dates),
  ...appearanceRoles.slice(0, 3).map((role) => appearances(`top person, ${role}`, { role })),
  appearances("top person, channel, host", { ...channel, role: "host" }),
];
