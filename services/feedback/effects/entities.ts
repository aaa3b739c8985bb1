import { listChannelsOf } from "../../../database/channels.ts";
import type { Entity } from "../../../database/entities.ts";
import { entityId } from "../../../domain/entities.ts";
import { changeSchemas } from "../../../domain/review/changes.ts";
import { foldName } from "../../../domain/names.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, numberOf, recordFinding } from "./effect.ts";

const { entity: changes } = changeSchemas;

/** Applies what is said to be wrong with an entity or a channel: to the canonical one, as reads show that. */
export async function applyToEntity(effect: Effect<"entity">): Promise<void> {
  const { transaction, issueType, change, journal, correction } = effect;
  const { entity } = await entityOf(effect, numberOf(correction.itemId));
  const key = { id: entity.numericId };
  switch (issueType) {
    case "wrong_name": {
      const { name } = changes.wrong_name.parse(change);
      await journal.put("entity", key, { name });
      // What is said on a channel names it too.
      for (const id of await listChannelsOf(transaction, entity.numericId))
        if ((await journal.lock("channel", { id })) !== null)
          await journal.put("channel", { id }, { name, name_settled: true });
      // An alias that is the name from now on is no alias any more; a wrong name is none either.
      return journal.rename(entity.numericId, ({ aliases }) => ({
        name,
        aliases: aliases.filter((alias) => foldName(alias) !== foldName(name)),
      }));
    }
    case "wrong_type": {
      const told = changes.wrong_type.parse(change);
      await requireChannel(effect, entity, told.type);
      return journal.put("entity", key, told);
    }
    case "wrong_url":
      return journal.put("entity", key, changes.wrong_url.parse(change));
    case "wrong_image":
      return journal.put("entity", key, { ...changes.wrong_image.parse(change), image_settled: true });
    case "wrong_owner": {
      const ownerId = changes.wrong_owner.parse(change).owner_entity_id;
      const owner = ownerId === null ? null : (await entityOf(effect, ownerId)).entity;
      if (owner?.numericId === entity.numericId) throw new ReviewRefusal("An entity does not own itself.");
      return journal.put("entity", key, { owner_id: owner?.numericId ?? null });
    }
    case "duplicate_entity": {
      const intoId = changes.duplicate_entity.parse(change).canonical_id;
      const into = await entityOf(effect, intoId);
      if (into.entity.numericId === entity.numericId) throw new ReviewRefusal("The two are one entity already.");
      await requireChannel(effect, entity, into.entity.type);
      // The one that is named, so that the merge goes along where that one's own is taken back.
      return journal.merge(entity.numericId, intoId);
    }
    case "should_split":
      return recordFinding(effect);
    case "missing_alias": {
      const { alias } = changes.missing_alias.parse(change);
      return journal.rename(entity.numericId, ({ name, aliases }) => {
        if ([name, ...aliases].some((known) => foldName(known) === foldName(alias)))
          throw new ReviewRefusal("It has that name already.");
        return { name, aliases: [...aliases, alias] };
      });
    }
  }
}

/** Throws a refusal where a channel of the platform would read as something else: it would be added again at the next look at it. */
async function requireChannel({ transaction }: Effect, entity: Entity, type: Entity["type"]): Promise<void> {
  if (entity.type !== "channel" || type === "channel") return;
  const [channelId] = await listChannelsOf(transaction, entity.numericId);
  if (channelId === undefined) return;
  throw new ReviewRefusal(
    `${entityId(entity.numericId)} is the channel ${channelId} of the platform and cannot be a ${type}; merge it only into a channel, or say with \`wrong_owner\` whose it is.`,
  );
}
