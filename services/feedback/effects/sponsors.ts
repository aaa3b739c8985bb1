import { readSponsorFacts } from "../../../database/reviewedSponsors.ts";
import type { RowImage } from "../../../database/reviewRows.ts";
import { changeSchemas } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, numberOf } from "./effect.ts";
import { holdRow } from "./evidenceRow.ts";
import { giveTo } from "./recommendations.ts";

const { sponsor: changes } = changeSchemas;

/** Applies what is said to be wrong with a sponsor of a channel. */
export async function applyToSponsor(effect: Effect<"sponsor">): Promise<void> {
  const { transaction, issueType, change, correction, now } = effect;
  const channelId = channelOf(effect);
  const { entity, memberIds } = await entityOf(effect, numberOf(correction.itemId));
  const facts = await readSponsorFacts(transaction, channelId, entity.numericId, memberIds);
  if (issueType !== "missing" && facts.adReadCount === null)
    throw new ReviewRefusal("The entity is no sponsor of the channel any more.");
  const sponsoring = memberIds.filter((id) => reviewOf(facts, id)?.isSponsor !== false);
  switch (issueType) {
    case "not_a_sponsor":
      return putAll(effect, channelId, facts, sponsoring, {
        is_sponsor: false,
        ad_reads_added: 0,
      });
    case "wrong_status": {
      const { status } = changes.wrong_status.parse(change);
      return putAll(effect, channelId, facts, sponsoring, { status, status_at: now.toISOString() });
    }
    case "wrong_count": {
      const wanted = changes.wrong_count.parse(change).ad_read_count;
      if (wanted === facts.adReadCount) throw new ReviewRefusal("It is as the correction says already.");
      const others = facts.reviews.filter(({ memberId }) => memberId !== entity.numericId);
      const addedElsewhere = others.reduce((sum, { adReadsAdded }) => sum + adReadsAdded, 0);
      const added = wanted - facts.foundAdReadCount - addedElsewhere;
      return putAll(effect, channelId, facts, [entity.numericId], { ad_reads_added: added });
    }
    case "wrong_entity":
      return giveAllTo(effect, channelId, facts, changes.wrong_entity.parse(change).entity_id);
    case "missing":
      return addSponsor(effect, channelId, changes.missing.parse(change).entity_id);
  }
}

type Facts = Awaited<ReturnType<typeof readSponsorFacts>>;

function reviewOf({ reviews }: Facts, id: number) {
  return reviews.find(({ memberId }) => memberId === id);
}

/** Says the same of a sponsor's members, each of which keeps it where they part, and takes it along where it is merged further. */
async function putAll(
  { journal }: Effect,
  channelId: string,
  facts: Facts,
  memberIds: readonly number[],
  said: RowImage,
): Promise<void> {
  for (const id of memberIds) {
    const unreviewed = reviewOf(facts, id) === undefined ? { is_sponsor: true, ad_reads_added: 0 } : {};
    await journal.put("sponsor_review", { channel_id: channelId, entity_id: id }, { ...unreviewed, ...said });
  }
}

function channelOf({ change, query }: Pick<Effect, "change" | "query">): string {
  const channelId = change?.["channel_id"] ?? query["channel_id"];
  if (typeof channelId !== "string" || channelId === "")
    throw new ReviewRefusal("The query has no `channel_id`; accept it with changes that name it.");
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
  if (facts.knownMemberIds.length > 0) throw new ReviewRefusal("It is a known sponsor of the channel already.");
  const hidden = facts.reviews.filter(({ isSponsor }) => !isSponsor);
  // What was said of one that was merged away stands, where others of the entity are sponsors without it.
  const shown = facts.adReadCount === null ? hidden : hidden.filter(({ memberId }) => memberId === entity.numericId);
  for (const { memberId } of shown)
    await journal.put("sponsor_review", { channel_id: channelId, entity_id: memberId }, { is_sponsor: true });
  const after = await readSponsorFacts(transaction, channelId, entity.numericId, memberIds);
  if (after.knownMemberIds.length === 0) await journal.put("known_advertiser", key, {});
}
