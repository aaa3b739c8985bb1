import { cancellationSignal, heartbeat } from "@temporalio/activity";

/** Keeps a long step known to be alive, and hands it the signal that aborts when it is canceled. */
export async function withHeartbeats<T>(step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), 1000);
  const signal = cancellationSignal();
  try {
    return await step(signal);
  } catch (error) {
    // Whatever a step throws when it is stopped, the server must see a cancellation.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}
