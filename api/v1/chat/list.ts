import { z } from "zod";
import { listChatIntegrations } from "../../../services/chat/list.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { chatIntegration, shapeChatIntegration } from "./schema.ts";

const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

export const list = operation({
  id: "listChatIntegrations",
  method: "get",
  path: "/v1/chat-integrations",
  tag: "Monitors",
  summary: "The chats that alerts can go to, newest first",
  description: "The operator of the installation connects them. Their addresses and tokens are never shown.",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject(pageParameters),
  responses: {
    200: { description: "A page of integrations.", json: listOf(chatIntegration).meta({ id: "ChatIntegrationList" }) },
  },
  async handle({ context, caller, query, cursors }) {
    const binding = { operation: "listChatIntegrations", account: caller.accountId };
    const beforeId = cursors.open(binding, query.cursor, position);
    const { integrations, hasMore } = await listChatIntegrations(context, caller, { limit: query.limit, beforeId });
    const last = integrations.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.chatIntegrationId]) : null;
    return { status: 200, json: { data: integrations.map(shapeChatIntegration), has_more: hasMore, next_cursor } };
  },
});
