import type { DeliveryStatus } from "../alerts.ts";
import type { DeliveryChannel } from "../deliveryChoice.ts";

/** What the delivery of one alert is to do. Ids only: settings, addresses and texts are read when they are used. */
export interface AlertDeliveryInput {
  occurrenceId: string;
}

/** What the delivery of one thing on one channel is to do: a redelivery, or a test. */
export interface SingleDeliveryInput {
  deliveryId: string;
}

/** Where one channel of an alert stands after an attempt. */
export interface DeliveryProgress {
  deliveryId: string;
  channel: DeliveryChannel;
  status: DeliveryStatus;
  attempts: number;
  /** Seconds until the next attempt; null when there is none. */
  nextAttemptSeconds: number | null;
  /** In a word why the last attempt failed or was skipped: never an address, a body or a secret. */
  reason: string | null;
}

/** What came of an alert's begin: nothing where the pool could not pay for it. */
export type AlertBegin =
  | { kind: "suppressed" }
  | { kind: "begun"; deliveries: readonly DeliveryProgress[] }
  | { kind: "unknown" };
