/** Ways an alert can go out. */
export const deliveryChannels = ["email", "chat", "webhook"] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/** What a monitor says about delivery. */
export interface MonitorDelivery {
  notifyEmail: boolean;
  /** Empty: the account's own address. */
  emailAddresses: readonly string[];
  notifyChat: boolean;
  chatIntegrationId: string | null;
  chatChannelId: string | null;
  notifyWebhook: boolean;
  webhookUrl: string | null;
  /** Whether it has a secret to sign with. */
  webhookSecretSet: boolean;
}

/** What a tracker says of its own; null inherits. */
export interface TrackerDelivery {
  notifyEmail: boolean | null;
  notifyChat: boolean | null;
  chatIntegrationId: string | null;
  chatChannelId: string | null;
  notifyWebhook: boolean | null;
  webhookUrl: string | null;
}

/** Where a tracker's alerts go. A channel that is on has all that it needs, but for what the account's plan and a disabled webhook forbid. */
export type DeliveryChoice = Omit<MonitorDelivery, "webhookSecretSet">;

/**
 * What is in force for a tracker: what it says of its own, else what its monitor says (decisions.md "Tracker"). Without a monitor it mails
 * the account; a webhook needs a URL and a monitor's secret, a chat message an integration. A monitor's chat channel is one of the monitor's
 * integration, so a tracker with its own integration does not inherit it.
 */
export function deliveryChoice(tracker: TrackerDelivery, monitor: MonitorDelivery | null): DeliveryChoice {
  const webhookUrl = tracker.webhookUrl ?? monitor?.webhookUrl ?? null;
  const chatIntegrationId = tracker.chatIntegrationId ?? monitor?.chatIntegrationId ?? null;
  const inheritedChannelId = tracker.chatIntegrationId === null ? (monitor?.chatChannelId ?? null) : null;
  const wantsWebhook = tracker.notifyWebhook ?? monitor?.notifyWebhook ?? false;
  const wantsChat = tracker.notifyChat ?? monitor?.notifyChat ?? false;
  return {
    notifyEmail: tracker.notifyEmail ?? monitor?.notifyEmail ?? true,
    emailAddresses: monitor?.emailAddresses ?? [],
    notifyChat: wantsChat && chatIntegrationId !== null,
    chatIntegrationId,
    chatChannelId: tracker.chatChannelId ?? inheritedChannelId,
    notifyWebhook: wantsWebhook && webhookUrl !== null && (monitor?.webhookSecretSet ?? false),
    webhookUrl,
  };
}
