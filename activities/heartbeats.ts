import { cancellationSignal, heartbeat } from "@temporalio/activity";

/**
 * Keeps a long step known to be alive, and hands it the signal that aborts when it is canceled. The share that is done, where the step
 * tells it, is what an operator sees beside the step in Temporal UI.
 */
export async function withHeartbeats<T>(
  step: (signal: AbortSignal, onProgress: (share: number) => void) => Promise<T>,
): Promise<T> {
  let progress: { doneShare: number } | undefined;
  const timer = setInterval(() => heartbeat(progress), 1000);
  const signal = cancellationSignal();
  try {
    return await step(signal, (share) => {
      progress = { doneShare: Math.round(share * 100) / 100 };
    });
  } catch (error) {
    // Whatever a step throws when it is stopped, the server must see a cancellation.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}
