import { readChatIntegration, readSealedChatSecret } from "../../database/chatIntegrations.ts";
import type { ChatKind } from "../../domain/chat.ts";
import type { ServiceContext } from "../context.ts";
import { chatSecretPlace } from "./connect.ts";

/** What a message to a chat needs; `secret` is the webhook's address or the bot's token. Null where the account has no such integration any more. */
export async function openChatIntegration(
  { pool, vault }: ServiceContext,
  accountId: string,
  chatIntegrationId: string,
): Promise<{ kind: ChatKind; secret: string } | null> {
  const integration = await readChatIntegration(pool, accountId, chatIntegrationId);
  const sealed = integration && (await readSealedChatSecret(pool, chatIntegrationId));
  if (integration === null || sealed === null) return null;
  const secret = await vault.open(chatSecretPlace(accountId, chatIntegrationId), sealed);
  return { kind: integration.kind, secret: secret.toString() };
}
