import { readFileSync } from "node:fs";
import { processTree } from "./processTree.ts";

/** Resident memory of a process and all its descendants, in bytes. */
function residentTreeBytes(rootPid: number): number {
  return processTree(rootPid).reduce((sum, pid) => sum + proportionalBytes(pid), 0);
}

/** Proportional set size: shared pages are divided among those that share them, so that a sum over processes is true. */
function proportionalBytes(pid: number): number {
  try {
    const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Samples the tree's memory until stopped; `stop()` returns the peak. */
export function watchPeak(rootPid: number, everyMilliseconds = 500): { stop: () => number } {
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, residentTreeBytes(rootPid));
  };
  const timer = setInterval(sample, everyMilliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return peakBytes;
    },
  };
}

/** Follows one process's highest resident memory, as the kernel keeps it (`VmHWM`), until it ends; `stop()` returns it in bytes. */
export function watchPeakResident(pid: number, everyMilliseconds = 50): { stop: () => number } {
  let peakBytes = 0;
  const sample = () => {
    try {
      const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
      peakBytes = Math.max(peakBytes, Number(line?.[1] ?? 0) * 1024);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(sample, everyMilliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      return peakBytes;
    },
  };
}
