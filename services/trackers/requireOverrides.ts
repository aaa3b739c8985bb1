import type { Queryable } from "../../database/pool.ts";
import { deliveryChoice, type MonitorDelivery, type TrackerDelivery } from "../../domain/deliveryChoice.ts";
import { ApiError } from "../../domain/errors.ts";
import { requireChat } from "../chat/requireChat.ts";
import type { ServiceContext } from "../context.ts";
import { requireTarget } from "../monitors/requireTarget.ts";

/**
 * Throws `invalid_body` where a tracker could not deliver as it says of its own: a webhook without a URL or a monitor's secret, chat without
 * an integration, or a URL that nothing may be sent to. `changes` says which of its fields are new: the others are not judged.
 */
export async function requireOverrides(
  { outbound }: ServiceContext,
  db: Queryable,
  accountId: string,
  tracker: { delivery: TrackerDelivery; monitor: MonitorDelivery | null; changes: Partial<TrackerDelivery> },
): Promise<void> {
  const { delivery, monitor, changes } = tracker;
  const choice = deliveryChoice(delivery, monitor);
  requireTarget(outbound, changes.webhookUrl);
  const touchesWebhook = changes.notifyWebhook !== undefined || changes.webhookUrl !== undefined;
  if (touchesWebhook && delivery.notifyWebhook === true && !choice.notifyWebhook)
    throw new ApiError(
      "invalid_body",
      monitor?.webhookSecretSet
        ? "`notifyWebhook` needs a `webhookUrl`, here or on the tracker's monitor."
        : "`notifyWebhook` needs a monitor whose webhook is set up, as its secret signs: attach the tracker to one first.",
    );
  if ([changes.notifyChat, changes.chatIntegrationId, changes.chatChannelId].some((field) => field !== undefined))
    await requireChat(db, accountId, { ...choice, notifyChat: delivery.notifyChat === true });
}
