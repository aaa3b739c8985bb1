import { expect, it } from "@jest/globals";
import { type SettingsNow, silenceOf, skipReasonOf } from "../../domain/delivery/due.ts";

const inheriting = {
  notifyEmail: null,
  notifyChat: null,
  chatIntegrationId: null,
  chatChannelId: null,
  notifyWebhook: null,
  webhookUrl: null,
  isPaused: false,
};
const monitor = {
  notifyEmail: true,
  emailAddresses: [],
  notifyChat: true,
  chatIntegrationId: "chi_1",
  chatChannelId: null,
  notifyWebhook: true,
  webhookUrl: "https://example.com/hook",
  webhookSecretSet: true,
  isPaused: false,
  isWebhookDisabled: false,
};
const settings = (more: Partial<SettingsNow> = {}): SettingsNow => ({
  retractedAt: null,
  plan: { tier: "pro" },
  tracker: inheriting,
  monitor,
  monitorId: "mon_1",
  ...more,
});
const disabled = { ...monitor, isWebhookDisabled: true };
const own = { ...inheriting, webhookUrl: "https://example.com/own" };

it.each([
  ["all is well", {}, null],
  ["the monitor is gone", { monitor: null }, "monitor_deleted"],
  ["there never was one", { monitor: null, monitorId: null }, null],
  ["the tracker is gone", { tracker: null }, "tracker_deleted"],
  ["the monitor is paused", { monitor: { ...monitor, isPaused: true } }, "monitor_paused"],
  ["the tracker is paused", { tracker: { ...inheriting, isPaused: true } }, "tracker_paused"],
] as const)("%s", (_, more, reason) => expect(silenceOf(settings(more))).toBe(reason));

it.each([
  ["mail that is on", "email", {}, null],
  ["mail that is off", "email", { monitor: { ...monitor, notifyEmail: false } }, "channel_off"],
  ["mail on the free plan", "email", { plan: { tier: "free" } }, null],
  ["a chat on the free plan", "chat", { plan: { tier: "free" } }, "not_in_plan"],
  ["a webhook on the free plan", "webhook", { plan: { tier: "free" } }, "not_in_plan"],
  ["a disabled webhook", "webhook", { monitor: disabled }, "webhook_disabled"],
  ["mail beside a disabled webhook", "email", { monitor: disabled }, null],
  ["a tracker's own webhook beside a disabled one", "webhook", { monitor: disabled, tracker: own }, null],
  ["mail of an alert that was taken back", "email", { retractedAt: new Date() }, "retracted"],
  ["a webhook of an alert that was taken back", "webhook", { retractedAt: new Date() }, "retracted"],
  ["a webhook without a secret", "webhook", { monitor: { ...monitor, webhookSecretSet: false } }, "channel_off"],
] as const)("%s", (_, channel, more, reason) => {
  expect(skipReasonOf(settings(more), channel, "alert")).toBe(reason);
  expect(skipReasonOf(settings(more), channel, "redelivery")).toBe(reason);
});

const again = (more: Partial<SettingsNow>) => skipReasonOf(settings(more), "webhook", "redelivery");

it("what somebody asks for once more goes out while all is paused, and after the tracker is gone; not after the monitor", () => {
  expect(again({ monitor: { ...monitor, isPaused: true } })).toBeNull();
  expect(again({ tracker: { ...inheriting, isPaused: true } })).toBeNull();
  expect(again({ tracker: null })).toBeNull();
  expect(again({ monitor: null })).toBe("monitor_deleted");
});
