import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type HolderState = "running" | "stopping";

export interface FolderLock {
  release(): Promise<void>;
}

export interface Holder {
  pid: number;
  state: HolderState;
}

/**
 * One holder per folder and purpose. The lock is a socket in Linux's abstract namespace, so the kernel frees it however its
 * holder dies: there is no stale lock to judge. Who asks is told the holder's pid and state.
 * Returns the lock, or its present holder.
 */
export async function tryLock(
  folder: string,
  purpose: string,
  state: () => HolderState = () => "running",
): Promise<FolderLock | Holder> {
  mkdirSync(folder, { recursive: true });
  const address = `\0media-index-${createHash("sha256")
    .update(`${realpathSync(folder)}\n${purpose}`)
    .digest("hex")
    .slice(0, 40)}`;
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(`${process.pid} ${state()}`);
  });
  const listening = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(address, () => resolve(true));
  });
  if (!listening) return askHolder(address);
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Waits until the lock is free or `signal` says not to. `onWait` is told once, when there is something to wait for. */
export async function waitForLock(
  folder: string,
  purpose: string,
  onWait: (holder: Holder) => void,
  signal?: AbortSignal,
): Promise<FolderLock> {
  for (let told = false; ; told = true) {
    const result = await tryLock(folder, purpose);
    if ("release" in result) return result;
    signal?.throwIfAborted();
    if (!told) onWait(result);
    await sleep(150);
  }
}

function askHolder(address: string): Promise<Holder> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(address);
    const finish = () => {
      socket.destroy();
      const [pid, state] = answer.split(" ");
      resolve({ pid: Number(pid ?? 0), state: state === "running" ? "running" : "stopping" });
    };
    socket.setTimeout(1000, () => {
      // A holder too busy to answer is running, not on its way out.
      answer ||= "0 running";
      finish();
    });
    socket.on("data", (data) => (answer += data.toString()));
    socket.on("close", finish);
    socket.on("error", finish);
  });
}
