import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type LoadJob, type LoadSeen, loadSeenSchema } from "./load.ts";

/** Runs the load generator in a process of its own against the server at `url`. */
export async function runLoad({ url, ...job }: Omit<LoadJob, "host" | "port"> & { url: string }): Promise<LoadSeen> {
  const { hostname, port } = new URL(url);
  const child = fork(path.join(import.meta.dirname, "load.ts"));
  const answer = once(child, "message");
  child.send({ ...job, host: hostname, port: Number(port) } satisfies LoadJob);
  const [message] = await answer;
  return loadSeenSchema.parse(message);
}
