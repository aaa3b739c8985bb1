import type { VNode } from "preact";
import type { ReviewStatus } from "../../../domain/review/states.ts";
import { inWords, status, type Tone } from "../components/status.ts";

const tones: Record<ReviewStatus, Tone> = {
  pending_review: "waiting",
  needs_information: "waiting",
  accepted: "good",
  accepted_with_changes: "good",
  rejected: "bad",
  withdrawn: "neutral",
  applied: "good",
  reverted: "bad",
};

export function reviewStatus(of: ReviewStatus): VNode {
  return status(inWords(of), tones[of]);
}
