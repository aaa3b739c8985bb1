import { listSealedChatsById, type SealedChat } from "../../database/chatIntegrations.ts";
import type { ChatKind } from "../../domain/chat.ts";
import type { ServiceContext } from "../context.ts";
import { chatSecretPlace } from "./connect.ts";

/** What a message to a chat needs; `secret` is the webhook's address or the bot's token. Null where the account has no such integration any more. */
export async function openChatIntegration(
  { pool, vault }: ServiceContext,
  accountId: string,
  chatIntegrationId: string,
  read: (chatIntegrationId: string) => Promise<SealedChat | null> = async (id) =>
    (await listSealedChatsById(pool, [id]))[0] ?? null,
): Promise<{ kind: ChatKind; secret: string } | null> {
  const chat = await read(chatIntegrationId);
  if (chat === null || chat.accountId !== accountId) return null;
  const secret = await vault.open(chatSecretPlace(accountId, chatIntegrationId), chat.sealed);
  return { kind: chat.kind, secret: secret.toString() };
}
