/** One rotation a monitor at a time: the id of architecture.md "Workflows". */
export function webhookSecretRotationWorkflowId(monitorId: string): string {
  return `webhook-secret-rotation-${monitorId}`;
}
