import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** A process and all its descendants, as /proc tells. */
export function processTree(rootPid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (Number.isInteger(pid)) parents.set(pid, statField(pid, 4) ?? 0);
  }
  const isInTree = (pid: number): boolean => pid === rootPid || (parents.has(pid) && isInTree(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isInTree);
}

/** Processor time that the tree has used so far, that of descendants which have ended and been waited for included. */
export function processorSeconds(rootPid: number): number {
  const ticks = processTree(rootPid).map((pid) =>
    [14, 15, 16, 17].reduce((sum, field) => sum + (statField(pid, field) ?? 0), 0),
  );
  return ticks.reduce((sum, own) => sum + own, 0) / ticksPerSecond;
}

/** A field of /proc/PID/stat by its number in proc_pid_stat(5); null where the process has ended. */
function statField(pid: number, field: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[field - 3]);
  } catch {
    return null;
  }
}
