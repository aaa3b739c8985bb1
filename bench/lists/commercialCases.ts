import { buySponsorPage, type SponsorQuery } from "../../services/channels/listSponsors.ts";
import { buyRecommendationPage, type RecommendationQuery } from "../../services/recommendations/list.ts";
import { generated } from "../generator/evidence.ts";
import { listCase } from "./listCase.ts";

function recommendations(name: string, narrowed: Partial<Omit<RecommendationQuery, "limit" | "after">>) {
  return listCase<NonNullable<RecommendationQuery["after"]>>(
    `recommendations: ${name}`,
    async ({ context, caller }, page) => {
      const { rows, hasMore, last } = await buyRecommendationPage(context, caller, {
        entity: { id: null, name: null, type: null },
        channel: { id: null, name: null },
        mentionClass: "all",
        minConfidence: 0.7,
        includeDisputed: false,
        dates: { from: null, to: null },
        ...narrowed,
        ...page,
      });
      return { rows: rows.length, hasMore, last };
    },
  );
}

function sponsors(name: string, narrowed: Partial<Omit<SponsorQuery, "limit" | "after">>) {
  return listCase<NonNullable<SponsorQuery["after"]>>(`sponsors: ${name}`, async ({ context, caller }, page) => {
    const { rows, hasMore, last } = await buySponsorPage(context, caller, {
      channelId: generated.biggestChannelId,
      status: null,
      minAdReads: 3,
      asOf,
      ...narrowed,
      ...page,
    });
    return { rows: rows.length, hasMore, last };
  });
}

/** When the generated videos end. */
const asOf = new Date("2025-12-28T00:00:00Z");
const entity = (id: number) => ({ entity: { id, name: null, type: null } });
const top = entity(generated.mostMentionedId);
const channel = { channel: { id: generated.biggestChannelId, name: null } };
const dates = { dates: { from: new Date("2015-01-01T00:00:00Z"), to: new Date("2020-12-31T23:59:59.999Z") } };
const everything = { minConfidence: 0, includeDisputed: true };

export const commercialCases = [
  recommendations("top entity", top),
  recommendations("rare entity", entity(generated.rareId)),
  recommendations("channel", channel),
  recommendations("top entity, channel", { ...top, ...channel }),
  recommendations("top entity, endorsements", { ...top, mentionClass: "endorsement" }),
  recommendations("top entity, any confidence, disputed too", { ...top, ...everything }),
  recommendations("top entity, confidence 0.95", { ...top, minConfidence: 0.95 }),
  recommendations("top entity, confidence 0.998", { ...top, minConfidence: 0.998 }),
  recommendations("top entity, dates", { ...top, ...dates }),
  recommendations("top entity, ad reads, dates", { ...top, ...dates, mentionClass: "ad_read" }),
  recommendations("channel, ad reads", { ...channel, mentionClass: "ad_read" }),
  recommendations("channel, products", { ...channel, entity: { id: null, name: null, type: "product" } }),
  recommendations("channel, dates", { ...channel, ...dates }),
  recommendations("channel, confidence 0.95", { ...channel, minConfidence: 0.95 }),
  sponsors("default", {}),
  sponsors("any ad reads", { minAdReads: 0 }),
  sponsors("20 ad reads", { minAdReads: 20 }),
  sponsors("active", { status: "active", minAdReads: 0 }),
  sponsors("lapsed", { status: "lapsed", minAdReads: 0 }),
  sponsors("known", { status: "known" }),
];
