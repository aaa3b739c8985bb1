import type { ServiceContext } from "../context.ts";
import { requestScan } from "./requestScan.ts";

/** Asks for the scans of videos, all or none; returns of how many. */
export async function requestScans(context: ServiceContext, videoIds: readonly string[]): Promise<{ started: number }> {
  const distinct = [...new Set(videoIds)].toSorted();
  await context.pool.transaction(async (transaction) => {
    for (const videoId of distinct) await requestScan(transaction, videoId);
  });
  return { started: distinct.length };
}
