import { eraseExpiredSecret, readRotation } from "../../database/webhookSecrets.ts";
import type { ServiceContext } from "../context.ts";

/** Erases a monitor's previous secret if its time has come; answers when it will, in Unix milliseconds, or null once there is none. */
export async function endRotation({ pool, clock }: ServiceContext, monitorId: string): Promise<number | null> {
  await eraseExpiredSecret(pool, monitorId, clock());
  return (await readRotation(pool, monitorId))?.expiresAt.getTime() ?? null;
}
