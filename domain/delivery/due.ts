import type { DeliveryPurpose } from "../alerts.ts";
import {
  type DeliveryChannel,
  type DeliveryChoice,
  deliveryChoice,
  type MonitorDelivery,
  type TrackerDelivery,
} from "../deliveryChoice.ts";
import { type Tier, tierHasDelivery } from "../plans.ts";
import type { SkipReason } from "./attemptReport.ts";

/** What reviewers, and the plan, the tracker and the monitor of an alert, say at the moment. */
export interface SettingsNow {
  /** When a reviewer took the alert back; null: it stands. */
  retractedAt: Date | null;
  plan: { tier: Tier };
  tracker: (TrackerDelivery & { isPaused: boolean }) | null;
  /** The monitor that the alert fired under. */
  monitor: (MonitorDelivery & { isPaused: boolean; isWebhookDisabled: boolean }) | null;
  /** Null where it fired under none. */
  monitorId: string | null;
}

/** Why an alert stays silent on every channel: what it came from is paused or gone. Null where it does not. */
export function silenceOf({ tracker, monitor, monitorId }: SettingsNow): SkipReason | null {
  if (monitorId !== null && monitor === null) return "monitor_deleted";
  if (tracker === null) return "tracker_deleted";
  if (monitor?.isPaused === true) return "monitor_paused";
  return tracker.isPaused ? "tracker_paused" : null;
}

const inheritsAll: TrackerDelivery = {
  notifyEmail: null,
  notifyChat: null,
  chatIntegrationId: null,
  chatChannelId: null,
  notifyWebhook: null,
  webhookUrl: null,
};

/** Where an alert goes by the settings of the moment; without its tracker, as its monitor says. */
export function choiceNow({ tracker, monitor }: SettingsNow): DeliveryChoice {
  return deliveryChoice(tracker ?? inheritsAll, monitor);
}

/** Channels that are switched on, whether or not they work. */
export function channelsOn(choice: DeliveryChoice): readonly DeliveryChannel[] {
  return [
    ...(choice.notifyEmail ? (["email"] as const) : []),
    ...(choice.notifyChat ? (["chat"] as const) : []),
    ...(choice.notifyWebhook ? (["webhook"] as const) : []),
  ];
}

/** Whether the alert's webhook is its monitor's own, which failures are counted of; a tracker's own address is nobody else's. */
export function isMonitorsWebhook({ tracker }: SettingsNow): boolean {
  return (tracker?.webhookUrl ?? null) === null;
}

/**
 * Why nothing is sent on a channel at the moment; null where it is. Somebody asked for a redelivery, so it goes out while its tracker or
 * monitor is paused, and after the tracker is gone; what a reviewer took back goes out for nobody.
 */
export function skipReasonOf(
  settings: SettingsNow,
  channel: DeliveryChannel,
  purpose: DeliveryPurpose,
): SkipReason | null {
  if (settings.retractedAt !== null) return "retracted";
  if (purpose === "alert") {
    const silence = silenceOf(settings);
    if (silence !== null) return silence;
  }
  if (settings.monitorId !== null && settings.monitor === null) return "monitor_deleted";
  if (!channelsOn(choiceNow(settings)).includes(channel)) return "channel_off";
  if (channel !== "email" && !tierHasDelivery(settings.plan.tier, channel)) return "not_in_plan";
  const isDisabled = settings.monitor?.isWebhookDisabled === true && isMonitorsWebhook(settings);
  return channel === "webhook" && isDisabled ? "webhook_disabled" : null;
}
