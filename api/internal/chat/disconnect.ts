import { z } from "zod";
import { disconnectChat as disconnect } from "../../../services/chat/disconnect.ts";
import { internalAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { idParameter } from "../ids.ts";

const chatIntegrationId = idParameter("Id of the integration.", "chi_01k4z8m3v9f0k8xqj7t2w5n6cd");

export const disconnectChat = operation({
  id: "disconnectChat",
  method: "delete",
  path: "/internal/chat-integrations/{chat_integration_id}",
  tag: "Chat",
  summary: "Disconnect a chat and erase its address or token",
  description: "Monitors and trackers that used it send no chat messages from then on.",
  access: internalAccess,
  params: z.strictObject({ chat_integration_id: chatIntegrationId }),
  query: none,
  body: noBody,
  errors: ["chat_integration_not_found"],
  responses: {
    200: { description: "It is erased.", json: z.object({ id: z.string(), deleted: z.literal(true) }) },
  },
  async handle({ context, transaction, params }) {
    await disconnect(context, params.chat_integration_id, transaction);
    return { status: 200, json: { id: params.chat_integration_id, deleted: true as const } };
  },
});
