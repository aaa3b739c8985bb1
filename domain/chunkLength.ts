/** How long chunks may be, in seconds. */
export interface ChunkLimits {
  chunkMinSeconds: number;
  chunkMaxSeconds: number;
}

/** Chunks that each engine process should get at the least, so that none waits long for the last one. */
const chunksPerProcess = 4;

/**
 * The length to aim at when a recording is split, in seconds. Longer chunks waste less of Whisper's 30-second windows (measured: 60 s
 * costs 8 % more than no chunks at all, 30 s 18 % and more) but need more memory and leave engines idle at the end.
 */
export function chunkTargetSeconds(durationSeconds: number, engineProcesses: number, limits: ChunkLimits): number {
  const fairShare = durationSeconds / (engineProcesses * chunksPerProcess);
  return Math.min(limits.chunkMaxSeconds, Math.max(limits.chunkMinSeconds, fairShare));
}
