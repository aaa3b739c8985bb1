/** One workflow an occurrence, ever: the id of architecture.md "Workflows". */
export function alertDeliveryWorkflowId(occurrenceId: string): string {
  return `alert-${occurrenceId}`;
}
