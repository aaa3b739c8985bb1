import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { environmentVariable, testEnvironmentSchema } from "./addresses.ts";

declare global {
  var mediaIndexTestServers: ChildProcess | undefined;
}

/** Starts the servers that tests share and publishes their addresses to the test processes. */
export default async function globalSetup(): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "serverProcess.ts")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Ctrl-C is for the test run alone; this process then learns of its end through the channel.
    detached: true,
  });
  globalThis.mediaIndexTestServers = child;
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the test servers did not start (exit status ${code})`)));
  });
  process.env[environmentVariable] = JSON.stringify(testEnvironmentSchema.parse(message));
  child.unref();
}
