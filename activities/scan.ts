import type { FailureReason } from "../domain/failureReasons.ts";
import type { ScanRun, ScanSource } from "../domain/scan.ts";
import type { ServiceContext } from "../services/context.ts";
import { beginScan } from "../services/scans/beginScan.ts";
import { dropScan, failScan } from "../services/scans/endScan.ts";
import { indexScan, type IndexScannedVideo } from "../services/scans/indexScan.ts";
import { withTypedFailures } from "./failures.ts";

export interface ScanParts {
  context: ServiceContext;
  /** Writes the evidence of what was found; null while there is no detector, which leaves scans unindexed. */
  indexVideo: IndexScannedVideo | null;
}

export type ScanActivities = ReturnType<typeof createScanActivities>;

/** The steps of a scan that only touch Postgres. */
export function createScanActivities({ context, indexVideo }: ScanParts) {
  return {
    beginScan: (scan: ScanRun): Promise<"superseded" | "captions" | "unknown"> =>
      withTypedFailures(() => beginScan(context, scan)),
    indexScan: (scan: ScanRun): Promise<ScanSource | null> =>
      withTypedFailures(() => indexScan(context, scan, indexVideo)),
    failScan: (scan: ScanRun, reason: FailureReason): Promise<void> => failScan(context, scan, reason),
    cancelScan: (scan: ScanRun): Promise<void> => dropScan(context, scan),
  };
}
