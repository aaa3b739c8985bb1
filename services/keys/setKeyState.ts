import { type ApiKey, type KeyState, updateKeyState } from "../../database/keys.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** Disables, enables or, for good, deletes a key; a repeat changes nothing. Throws `key_not_found`, also to enable or disable a deleted one. */
export async function setKeyState(
  context: ServiceContext,
  keyId: string,
  state: KeyState,
  db: Queryable = context.pool,
): Promise<ApiKey> {
  const key = await updateKeyState(db, keyId, state);
  if (key === null) throw new ApiError("key_not_found");
  return key;
}
