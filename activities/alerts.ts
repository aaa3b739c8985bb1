import type { AlertBegin, DeliveryProgress } from "../domain/delivery/progress.ts";
import { attemptDelivery } from "../services/alerts/attemptDelivery.ts";
import { beginAlert } from "../services/alerts/begin.ts";
import type { DeliveryParts } from "../services/alerts/parts.ts";
import { sendNotice } from "../services/alerts/sendNotice.ts";
import type { ServiceContext } from "../services/context.ts";
import { givenUpAsDefect } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";

export type AlertActivities = ReturnType<typeof createAlertActivities>;

/** Steps of the delivery of alerts. What a receiver does is their outcome; they fail only when the database is away, or for a defect. */
export function createAlertActivities({ context, parts }: { context: ServiceContext; parts: DeliveryParts }) {
  return {
    /** Runs as a local activity, which has no heartbeats: its workflow task has. */
    beginAlert: (occurrenceId: string): Promise<AlertBegin> =>
      givenUpAsDefect(() => beginAlert(context, parts, occurrenceId)),
    attemptDelivery: (deliveryId: string, number: number): Promise<DeliveryProgress | null> =>
      givenUpAsDefect(() => withHeartbeats(() => attemptDelivery(context, parts, { deliveryId, number }))),
    sendNotice: (noticeId: string): Promise<"sent" | "refused" | "unknown"> => sendNotice(context, parts, noticeId),
  };
}
