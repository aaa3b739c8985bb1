/** One running scan a video: the id of architecture.md "Workflows". */
export function scanWorkflowId(videoId: string): string {
  return `scan-${videoId}`;
}
