import { type ApiKey, type KeyState, updateKeyState } from "../../database/keys.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** Disables, enables or, for good, deletes a key. Throws `key_not_found`, also for a deleted one. */
export async function setKeyState(context: ServiceContext, keyId: string, state: KeyState): Promise<ApiKey> {
  const key = await updateKeyState(context.pool, keyId, state);
  if (key === null) throw new ApiError("key_not_found");
  return key;
}
