import { saveNames } from "../../database/entityNames.ts";
import { readNames } from "../../database/imports/entities.ts";
import type { Transaction } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { ApiError } from "../../domain/errors.ts";
import { foldName } from "../../domain/names.ts";

/** Gives an entity one more alias, in the caller's transaction, which holds identities. False where it has a name that folds to the same. */
export async function addAlias(transaction: Transaction, id: number, alias: string): Promise<boolean> {
  const names = (await readNames(transaction, [id])).get(id);
  if (names === undefined) throw new ApiError("entity_not_found");
  if ([names.name, ...names.aliases].some((known) => foldName(known) === foldName(alias))) return false;
  await saveNames(transaction, [{ entityId: id, name: names.name, aliases: [...names.aliases, alias] }]);
  return true;
}

/** Takes an alias that was added from an entity, in the caller's transaction, which holds identities. Throws `illegal_transition` where somebody changed it since. */
export async function removeAlias(transaction: Transaction, id: number, alias: string): Promise<void> {
  const names = (await readNames(transaction, [id])).get(id);
  if (names?.aliases.includes(alias) !== true)
    throw new ApiError("illegal_transition", `The names of ${entityId(id)} were changed since; take that back first.`);
  const aliases = names.aliases.filter((one) => one !== alias);
  await saveNames(transaction, [{ entityId: id, name: names.name, aliases }]);
}
