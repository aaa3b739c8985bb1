import { endScan, lockScan } from "../../database/scans.ts";
import type { FailureReason } from "../../domain/failureReasons.ts";
import type { ScanRun } from "../../domain/scan.ts";
import type { ServiceContext } from "../context.ts";

/** Fails a scan that is still under way; run twice, or for another run, it does nothing. */
export function failScan(context: ServiceContext, scan: ScanRun, reason: FailureReason): Promise<void> {
  return end(context, scan, { status: "failed", reason });
}

/** Ends a scan that is not wanted any more: canceled by an operator, or overtaken by a transcript. */
export function dropScan(context: ServiceContext, scan: ScanRun): Promise<void> {
  return end(context, scan, { status: "canceled" });
}

async function end(
  context: ServiceContext,
  { videoId, run }: ScanRun,
  result: Parameters<typeof endScan>[2],
): Promise<void> {
  await context.pool.transaction(async (transaction) => {
    const scan = await lockScan(transaction, videoId);
    if (scan?.run !== run || (scan.status !== "queued" && scan.status !== "running")) return;
    await endScan(transaction, videoId, result);
  });
}
