/** One workflow a notice, ever. */
export function webhookNoticeWorkflowId(noticeId: string): string {
  return `webhook-notice-${noticeId}`;
}
