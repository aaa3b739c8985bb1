import { readAccount } from "../../database/accounts.ts";
import { type ChatIntegration, insertChatIntegration } from "../../database/chatIntegrations.ts";
import type { Queryable } from "../../database/pool.ts";
import type { ChatKind } from "../../domain/chat.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { SecretPlace } from "../../domain/keyVault.ts";
import { outboundFault } from "../../domain/outboundAddresses.ts";
import type { ServiceContext } from "../context.ts";

export interface ConnectChatInput {
  accountId: string;
  kind: ChatKind;
  name: string;
  /** The address of an incoming webhook, or a bot's token. */
  secret: string;
}

/**
 * Lets an account's alerts go to a chat; the address or token is kept sealed. Throws `account_not_found`, or `invalid_body` for an address
 * that nothing may be sent to.
 */
export async function connectChat(
  context: ServiceContext,
  input: ConnectChatInput,
  db: Queryable = context.pool,
): Promise<ChatIntegration> {
  const { accountId, kind, name, secret } = input;
  if ((await readAccount(db, accountId)) === null) throw new ApiError("account_not_found");
  const fault = secretFault(context, kind, secret);
  if (fault !== null) throw new ApiError("invalid_body", fault);
  const chatIntegrationId = newId("chatIntegration");
  const sealedSecret = await context.vault.seal(chatSecretPlace(accountId, chatIntegrationId), Buffer.from(secret));
  return insertChatIntegration(db, { chatIntegrationId, accountId, kind, name, sealedSecret });
}

/** Where an integration's address or token is sealed. */
export function chatSecretPlace(accountId: string, chatIntegrationId: string): SecretPlace {
  return { purpose: "chat_integration", owner: accountId, record: chatIntegrationId };
}

function secretFault({ outbound }: ServiceContext, kind: ChatKind, secret: string): string | null {
  switch (kind) {
    case "slack-webhook": {
      const fault = outboundFault(secret, outbound);
      return fault === null ? null : `The address of the chat's webhook ${fault}.`;
    }
    case "slack-bot":
      return /^[\x21-\x7e]{1,500}$/.test(secret) ? null : "The bot's token must be printable ASCII without spaces.";
  }
}
