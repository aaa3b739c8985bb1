import { readSponsorFacts } from "../../../database/reviewedSponsors.ts";
import { changeSchemas } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, numberOf } from "./effect.ts";
import { holdRow } from "./evidenceRow.ts";
import { giveTo } from "./recommendations.ts";

const { sponsor: changes } = changeSchemas;

/** Applies what is said to be wrong with a sponsor of a channel. */
export async function applyToSponsor(effect: Effect<"sponsor">): Promise<void> {
  const { transaction, issueType, change, journal, correction, now } = effect;
  const channelId = channelOf(effect);
  const { entity, memberIds } = await entityOf(effect, numberOf(correction.itemId));
  const key = { channel_id: channelId, entity_id: entity.numericId };
  const facts = await readSponsorFacts(transaction, channelId, entity.numericId, memberIds);
  if (issueType !== "missing" && facts.adReadCount === null)
    throw new ReviewRefusal("The entity is no sponsor of the channel any more.");
  switch (issueType) {
    case "not_a_sponsor":
      return journal.put("sponsor_review", key, { ...unreviewed(facts), is_sponsor: false });
    case "wrong_status": {
      const { status } = changes.wrong_status.parse(change);
      return journal.put("sponsor_review", key, { ...unreviewed(facts), status, status_at: now.toISOString() });
    }
    case "wrong_count": {
      const wanted = changes.wrong_count.parse(change).ad_read_count;
      if (wanted === facts.adReadCount) throw new ReviewRefusal("It is as the correction says already.");
      const added = facts.adReadsAdded + wanted - (facts.adReadCount ?? 0);
      return journal.put("sponsor_review", key, { ...unreviewed(facts), ad_reads_added: added });
    }
    case "wrong_entity":
      return giveAllTo(effect, channelId, facts, changes.wrong_entity.parse(change).entity_id);
    case "missing":
      return addSponsor(effect, channelId, changes.missing.parse(change).entity_id);
  }
}

type Facts = Awaited<ReturnType<typeof readSponsorFacts>>;

/** The columns of a review that is new. */
function unreviewed({ isReviewed }: Facts) {
  return isReviewed ? {} : { is_sponsor: true, ad_reads_added: 0 };
}

function channelOf({ change, query }: Pick<Effect, "change" | "query">): string {
  const channelId = change?.["channel_id"] ?? query["channel_id"];
  if (typeof channelId !== "string" || channelId === "")
    throw new ReviewRefusal("Neither the query nor the change has a `channel_id`.");
  return channelId;
}

/** All that made the entity a sponsor of the channel is another entity's. */
async function giveAllTo(effect: Effect, channelId: string, facts: Facts, entityId: number): Promise<void> {
  const { journal } = effect;
  const to = await entityOf(effect, entityId);
  for (const id of facts.recommendationIds) await giveTo(effect, await holdRow(effect, "recommendation", id), entityId);
  for (const memberId of facts.knownMemberIds)
    await journal.remove("known_advertiser", { channel_id: channelId, entity_id: memberId });
  const key = { channel_id: channelId, entity_id: to.entity.numericId };
  if (facts.knownMemberIds.length > 0 && (await journal.lock("known_advertiser", key)) === null)
    await journal.put("known_advertiser", key, {});
  if (facts.recommendationIds.length + facts.knownMemberIds.length === 0)
    throw new ReviewRefusal("Nothing makes the entity a sponsor of the channel any more.");
}

/** A curated sponsor, whatever was said of it before. */
async function addSponsor(effect: Effect, channelId: string, entityId: number): Promise<void> {
  const { transaction, journal } = effect;
  const { entity, memberIds } = await entityOf(effect, entityId);
  const key = { channel_id: channelId, entity_id: entity.numericId };
  const facts = await readSponsorFacts(transaction, channelId, entity.numericId, memberIds);
  if (!facts.channelExists) throw new ReviewRefusal("The channel has no media in the index.");
  const isHidden = facts.isReviewed && !facts.isSponsor;
  if (facts.knownMemberIds.length > 0 && !isHidden)
    throw new ReviewRefusal("It is a known sponsor of the channel already.");
  if (facts.knownMemberIds.length === 0) await journal.put("known_advertiser", key, {});
  if (isHidden) await journal.put("sponsor_review", key, { is_sponsor: true });
}
