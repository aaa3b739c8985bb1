import type { VNode } from "preact";
import type { JobStatus } from "../../../domain/transcriptionJob.ts";
import { status as shown, type Tone } from "../components/status.ts";

const tones: Record<JobStatus, Tone> = {
  queued: "neutral",
  processing: "waiting",
  completed: "good",
  failed: "bad",
  canceled: "neutral",
};

export function jobStatus(status: JobStatus): VNode {
  return shown(status, tones[status]);
}
