import { readJob, type TranscriptionJob, updateStage } from "../../database/transcriptionJobs.ts";
import type { JobStage } from "../../domain/transcriptionJob.ts";
import type { ServiceContext } from "../context.ts";

/** Moves a running job to a stage and returns it; null when it has ended and there is nothing left to do. */
export async function enterStage(
  context: ServiceContext,
  jobId: string,
  stage: JobStage,
): Promise<TranscriptionJob | null> {
  const running = await updateStage(context.pool, jobId, stage);
  return running ? readJob(context.pool, jobId) : null;
}
