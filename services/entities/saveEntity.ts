import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { EntityRow } from "../../domain/imports/rows.ts";
import { writeEntities } from "../imports/entities.ts";

/** Adds or changes one entity as a line of an import does. Throws `invalid_body` with what another entity has already. */
export async function saveEntity(
  transaction: Transaction,
  row: EntityRow,
): Promise<{ entityId: number; isNew: boolean }> {
  const { imported, refused, entityIds } = await writeEntities(transaction, [row]);
  const [entityId] = entityIds;
  if (entityId === null || entityId === undefined)
    throw new ApiError("invalid_body", `The entity cannot be kept: ${refused[0]?.reason ?? "it is not valid"}.`);
  return { entityId, isNew: imported === 1 };
}
