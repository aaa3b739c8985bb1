import type { ChatMessage } from "./alertChat.ts";
import type { AttemptReport } from "./attemptReport.ts";

/** Where a chat message goes: an incoming webhook's address, or a channel that a bot writes to. Address and token are secrets. */
export type ChatTarget =
  | { kind: "slack-webhook"; url: string }
  | { kind: "slack-bot"; token: string; channelId: string };

/** How a message to a chat went; never `skipped`. */
export type ChatOutcome = AttemptReport;

/** Sends chat messages, within the time that its maker gave it. Whatever the other side does is an outcome; it throws for defects only. */
export interface ChatSender {
  send(target: ChatTarget, message: ChatMessage): Promise<ChatOutcome>;
}
