/** One running workflow a video: the id of architecture.md "Workflows". */
export function transcriptionWorkflowId(videoId: string): string {
  return `transcription-${videoId}`;
}
