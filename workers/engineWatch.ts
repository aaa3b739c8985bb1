import type { Logger } from "pino";
import type { WorkerHeartbeat } from "../database/workers.ts";
import { MediaFailure } from "../domain/failureReasons.ts";
import type { SpeechEngine } from "../domain/speech.ts";

const checkMilliseconds = 5000;

/** Asks the engine every few seconds whether it can take work, for the worker's heartbeats. */
export function watchEngine(
  engine: SpeechEngine,
  logger: Logger,
): { state: () => WorkerHeartbeat["engine"]; stop: () => void } {
  let ready = false;
  let detail: string | null = "starting";
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    try {
      await engine.ready();
      if (!ready) logger.info({ engine: engine.name }, "speech engine ready");
      ready = true;
      detail = null;
    } catch (error) {
      const message = error instanceof MediaFailure ? error.message : "the engine failed for an unknown reason";
      if (ready || message !== detail) logger.warn({ engine: engine.name, err: error }, "speech engine not ready");
      ready = false;
      detail = message;
    } finally {
      checking = false;
    }
  };
  void check();
  const timer = setInterval(() => void check(), checkMilliseconds);
  return {
    state: () => ({ name: engine.name, ready, processes: engine.parallelism, detail }),
    stop: () => clearInterval(timer),
  };
}
