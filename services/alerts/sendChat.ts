import type { FiredAlert } from "../../database/alertDeliveries.ts";
import { alertChatMessage } from "../../domain/delivery/alertChat.ts";
import type { AttemptReport } from "../../domain/delivery/attemptReport.ts";
import type { ChatTarget } from "../../domain/delivery/chat.ts";
import { openChatIntegration } from "../chat/open.ts";
import type { ServiceContext } from "../context.ts";
import { alertText } from "./compose.ts";
import type { DeliveryParts } from "./parts.ts";

/** Writes an alert to a chat; null where the integration is gone, or a bot is told no channel. Throws `ReceiverBusy`. */
export async function sendChat(
  context: ServiceContext,
  { chat, turns }: DeliveryParts,
  alert: FiredAlert,
  chosen: { chatIntegrationId: string | null; chatChannelId: string | null },
): Promise<AttemptReport | null> {
  const target = await targetOf(context, alert.accountId, chosen);
  if (target === null) return null;
  const message = alertChatMessage(alertText(alert, context.settings));
  return turns.take(receiverOf(target), () => chat.send(target, message));
}

async function targetOf(
  context: ServiceContext,
  accountId: string,
  { chatIntegrationId, chatChannelId }: { chatIntegrationId: string | null; chatChannelId: string | null },
): Promise<ChatTarget | null> {
  const opened = chatIntegrationId === null ? null : await openChatIntegration(context, accountId, chatIntegrationId);
  if (opened === null) return null;
  switch (opened.kind) {
    case "slack-webhook":
      return { kind: opened.kind, url: opened.secret };
    case "slack-bot":
      return chatChannelId === null ? null : { kind: opened.kind, token: opened.secret, channelId: chatChannelId };
  }
}

function receiverOf(target: ChatTarget): string {
  switch (target.kind) {
    case "slack-webhook":
      return new URL(target.url).host;
    case "slack-bot":
      return "chat bots";
  }
}
