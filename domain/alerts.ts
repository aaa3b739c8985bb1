/** What becomes of an occurrence (decisions.md "Alert row"). */
export const alertStatuses = ["pending", "delivered", "failed", "suppressed"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** What becomes of a delivery on one channel. */
export const deliveryStatuses = ["pending", "succeeded", "failed", "skipped"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why something is delivered. */
export const deliveryPurposes = ["alert", "redelivery", "test"] as const;
export type DeliveryPurpose = (typeof deliveryPurposes)[number];

/** How an attempt ended. */
export const attemptOutcomes = ["succeeded", "failed", "skipped"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** One workflow an occurrence, ever: the id of architecture.md "Workflows". */
export function alertDeliveryWorkflowId(occurrenceId: string): string {
  return `alert-${occurrenceId}`;
}
