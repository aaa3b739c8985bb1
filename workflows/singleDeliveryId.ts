/** One workflow a test send or redelivery, ever. */
export function singleDeliveryWorkflowId(deliveryId: string): string {
  return `delivery-${deliveryId}`;
}
