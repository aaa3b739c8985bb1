/** Ways to reach a chat: an incoming webhook, whose address is the secret, or a bot, whose token is (architecture.md, "Chat"). */
export const chatKinds = ["slack-webhook", "slack-bot"] as const;
export type ChatKind = (typeof chatKinds)[number];

/** Whether messages need a channel's id: a bot serves many channels, an incoming webhook leads to one. */
export function needsChatChannel(kind: ChatKind): boolean {
  switch (kind) {
    case "slack-bot":
      return true;
    case "slack-webhook":
      return false;
  }
}
