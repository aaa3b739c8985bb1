import { listJobs as selectJobs, type TranscriptionJob } from "../../database/transcriptionJobs.ts";
import type { ServiceContext } from "../context.ts";

/** A page of the jobs of all accounts, newest first, for operators. */
export async function listJobs(
  context: ServiceContext,
  page: { status: TranscriptionJob["status"] | null; limit: number; beforeId: string | null },
): Promise<{ jobs: readonly TranscriptionJob[]; hasMore: boolean }> {
  const found = await selectJobs(context.pool, { ...page, limit: page.limit + 1 });
  return { jobs: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
