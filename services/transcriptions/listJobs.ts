import { type JobFilter, type JobPage, type ListedJob, listJobs as selectJobs } from "../../database/operatorJobs.ts";
import type { ServiceContext } from "../context.ts";

/** A page of the jobs of all accounts, newest first, for operators. */
export async function listJobs(
  { pool }: ServiceContext,
  filter: JobFilter,
  page: JobPage,
): Promise<{ jobs: readonly ListedJob[]; hasMore: boolean }> {
  const found = await selectJobs(pool, filter, { ...page, limit: page.limit + 1 });
  return { jobs: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
