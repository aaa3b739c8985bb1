import { once } from "node:events";

/** Ends the shared servers and waits until they are gone. */
export default async function globalTeardown(): Promise<void> {
  const child = globalThis.mediaIndexTestServers;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}
