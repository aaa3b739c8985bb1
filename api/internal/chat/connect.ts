import { z } from "zod";
import { connectChat as connect } from "../../../services/chat/connect.ts";
import { chatKinds } from "../../../domain/chat.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { noControlCharacters } from "../../http/parameters.ts";
import { chatIntegration, shapeChatIntegration } from "../../v1/chat/schema.ts";
import { accountId } from "../accounts/schema.ts";

const connection = z
  .strictObject({
    kind: z.enum(chatKinds).meta({ description: "An incoming webhook, or a bot." }),
    name: z
      .string()
      .min(1)
      .max(200)
      .regex(noControlCharacters, "must hold no control characters")
      .meta({ description: "What the account's lists call it.", example: "Newsroom" }),
    secret: z
      .string()
      .min(1)
      .max(2000)
      .meta({ description: "The webhook's address, or the bot's token: kept encrypted, never shown again." }),
  })
  .meta({ id: "ChatConnection" });

export const connectChat = operation({
  id: "connectChat",
  method: "post",
  path: "/internal/accounts/{account_id}/chat-integrations",
  tag: "Chat",
  summary: "Let an account's alerts go to a chat",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: none,
  body: connection,
  errors: ["account_not_found"],
  responses: {
    201: {
      description: "The integration.",
      json: z.object({ chat_integration: chatIntegration }).meta({ id: "WrappedChatIntegration" }),
    },
  },
  async handle({ context, transaction, params, body }) {
    const integration = await connect(context, { accountId: params.account_id, ...body }, transaction);
    return { status: 201, json: { chat_integration: shapeChatIntegration(integration) } };
  },
});
