import { deleteChatIntegration } from "../../database/chatIntegrations.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** Erases an integration with its address or token; monitors and trackers that used it send no chat messages then. Throws `chat_integration_not_found`. */
export async function disconnectChat(
  context: ServiceContext,
  chatIntegrationId: string,
  db: Queryable = context.pool,
): Promise<void> {
  if (!(await deleteChatIntegration(db, chatIntegrationId))) throw new ApiError("chat_integration_not_found");
}
