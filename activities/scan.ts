import type { Gazetteer } from "../domain/detection/gazetteer.ts";
import type { FailureReason } from "../domain/failureReasons.ts";
import type { ScanRun, ScanSource } from "../domain/scan.ts";
import type { ServiceContext } from "../services/context.ts";
import { beginScan } from "../services/scans/beginScan.ts";
import { dropScan, failScan } from "../services/scans/endScan.ts";
import { indexScan } from "../services/scans/indexScan.ts";
import { withTypedFailures } from "./failures.ts";
import { withHeartbeats } from "./heartbeats.ts";

export interface ScanParts {
  context: ServiceContext;
  /** The names to look for, as of now. */
  names: () => Promise<Gazetteer>;
}

export type ScanActivities = ReturnType<typeof createScanActivities>;

/** The steps of a scan that only touch Postgres. */
export function createScanActivities({ context, names }: ScanParts) {
  return {
    beginScan: (scan: ScanRun): Promise<"superseded" | "known" | "unknown"> =>
      withTypedFailures(() => withHeartbeats(() => beginScan(context, scan))),
    indexScan: (scan: ScanRun): Promise<ScanSource | null> =>
      withTypedFailures(() => withHeartbeats(async () => indexScan(context, await names(), scan))),
    failScan: (scan: ScanRun, reason: FailureReason): Promise<void> =>
      withHeartbeats(() => failScan(context, scan, reason)),
    cancelScan: (scan: ScanRun): Promise<void> => withHeartbeats(() => dropScan(context, scan)),
  };
}
