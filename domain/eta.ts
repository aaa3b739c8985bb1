/** What an estimate is made from; audio lengths in seconds. */
export interface EtaInput {
  /** Audio of the jobs that go first and is not recognised yet. */
  aheadAudioSeconds: number;
  /** Audio of this job that is not recognised yet. */
  remainingAudioSeconds: number;
  /** Engine seconds that one second of audio takes, as measured. */
  secondsPerAudioSecond: number;
  /** Engine processes at work; at least one is assumed, so that an estimate exists while none is up. */
  engineProcesses: number;
}

/** Seconds until the job ends, from measured speed; at least 1, since 0 means the end (decisions.md "etaSeconds"). */
export function etaSeconds(input: EtaInput): number {
  const audioSeconds = input.aheadAudioSeconds + input.remainingAudioSeconds;
  const processes = Math.max(1, input.engineProcesses);
  return Math.max(1, Math.ceil((audioSeconds * input.secondsPerAudioSecond) / processes));
}

/** Seconds a client should wait before it polls again: clamp(eta / 4, min, max). */
export function nextPollSeconds(eta: number, limits: { minPollSeconds: number; maxPollSeconds: number }): number {
  return Math.min(limits.maxPollSeconds, Math.max(limits.minPollSeconds, Math.ceil(eta / 4)));
}
