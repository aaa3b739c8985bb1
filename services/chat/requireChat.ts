import { readChatIntegration } from "../../database/chatIntegrations.ts";
import type { Queryable } from "../../database/pool.ts";
import { needsChatChannel } from "../../domain/chat.ts";
import { ApiError } from "../../domain/errors.ts";

/** Throws `invalid_body` where chat messages could not go out: no integration, a foreign one, or a bot without a channel to write to. */
export async function requireChat(
  db: Queryable,
  accountId: string,
  chosen: { chatIntegrationId: string | null; chatChannelId: string | null; notifyChat: boolean },
): Promise<void> {
  const { chatIntegrationId, chatChannelId, notifyChat } = chosen;
  if (chatIntegrationId === null) {
    if (notifyChat) throw new ApiError("invalid_body", "`notifyChat` needs a `chatIntegrationId`.");
    return;
  }
  const integration = await readChatIntegration(db, accountId, chatIntegrationId);
  if (integration === null)
    throw new ApiError(
      "invalid_body",
      "The body field `chatIntegrationId` names no chat integration of this account; list them at /v1/chat-integrations.",
    );
  if (notifyChat && chatChannelId === null && needsChatChannel(integration.kind))
    throw new ApiError("invalid_body", "`notifyChat` through a bot needs a `chatChannelId`.");
}
