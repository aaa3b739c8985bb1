import { z } from "zod";
import type { ChatIntegration } from "../../../database/chatIntegrations.ts";
import { chatKinds } from "../../../domain/chat.ts";

export const chatIntegration = z
  .object({
    id: z.string().meta({ description: "Its id.", example: "chi_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    kind: z.enum(chatKinds).meta({ description: "An incoming webhook, or a bot." }),
    name: z.string().meta({ description: "What it is called.", example: "Newsroom" }),
    createdAt: z.iso.datetime().meta({ description: "When it was connected." }),
  })
  .meta({ id: "ChatIntegration" });

export function shapeChatIntegration(record: ChatIntegration): z.input<typeof chatIntegration> {
  return {
    id: record.chatIntegrationId,
    kind: record.kind,
    name: record.name,
    createdAt: record.createdAt.toISOString(),
  };
}
