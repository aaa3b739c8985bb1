import * as wf from "@temporalio/workflow";

const retrySeconds = [5, 15, 30, 60];

/** Holds work back while no speech engine answers: one of those who wait tries it now and then, and gives up after the configured outage. */
export class EngineGate {
  readonly #outageLimitSeconds: number;
  readonly #ifCanceled: string;
  #downSinceMilliseconds: number | null = null;
  #attempts = 0;
  /** Settles when the one who is trying knows more. */
  #trial: Promise<void> | null = null;

  /** `ifCanceled` tells the operator what canceling does. */
  constructor(outageLimitSeconds: number, ifCanceled: string) {
    this.#outageLimitSeconds = outageLimitSeconds;
    this.#ifCanceled = ifCanceled;
  }

  /** Runs the work, again and again while `isDown(error)` says that the engine was not there. */
  async run(work: () => Promise<void>, isDown: (error: unknown) => boolean, onDown: () => void): Promise<void> {
    for (;;) {
      while (this.#trial !== null) await this.#trial;
      const endTrial = this.#downSinceMilliseconds === null ? () => undefined : this.#beginTrial();
      try {
        if (this.#downSinceMilliseconds !== null) await this.#pause();
        await work();
        this.#downSinceMilliseconds = null;
        this.#attempts = 0;
        return;
      } catch (error) {
        if (!isDown(error)) throw error;
        this.#downSinceMilliseconds ??= Date.now();
        if (Date.now() - this.#downSinceMilliseconds >= this.#outageLimitSeconds * 1000) throw error;
        onDown();
      } finally {
        endTrial();
      }
    }
  }

  /** For the operator: since when it is down and what to do; empty while it is up. */
  explain(): string {
    if (this.#downSinceMilliseconds === null) return "";
    const since = new Date(this.#downSinceMilliseconds).toISOString();
    return `\n\n**No speech engine has answered since ${since}.** It is tried again at least every minute, for ${this.#outageLimitSeconds} s in all. Start a speech worker or mend the speech server; ${this.#ifCanceled}.`;
  }

  #beginTrial(): () => void {
    const trial = Promise.withResolvers<void>();
    this.#trial = trial.promise;
    return () => {
      this.#trial = null;
      trial.resolve();
    };
  }

  async #pause(): Promise<void> {
    const seconds = retrySeconds[Math.min(this.#attempts, retrySeconds.length - 1)] ?? 60;
    this.#attempts += 1;
    await wf.sleep(seconds * 1000, { summary: "speech engine is down: try again" });
  }
}
