/** One workflow a redelivery or test, ever. */
export function singleDeliveryWorkflowId(deliveryId: string): string {
  return `delivery-${deliveryId}`;
}
