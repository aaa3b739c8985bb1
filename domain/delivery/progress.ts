import type { DeliveryChannel } from "./attempts.ts";

/** What the delivery of one alert is to do. Ids only: settings, addresses and texts are read when they are used. */
export interface AlertDeliveryInput {
  occurrenceId: string;
}

/** Where one channel of an alert stands after an attempt. */
export interface DeliveryProgress {
  deliveryId: string;
  channel: DeliveryChannel;
  status: "pending" | "succeeded" | "failed" | "skipped";
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
