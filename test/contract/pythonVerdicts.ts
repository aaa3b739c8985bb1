import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ensureTestTools } from "./testTools.ts";

/** A signed request, and a secret that somebody knows. */
export interface Told {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

/** What Python's stripe and standardwebhooks say of requests, by header. */
export async function pythonVerdicts(requests: readonly Told[]): Promise<Record<string, string>[]> {
  const python = path.join(await ensureTestTools(), "bin", "python");
  const running = promisify(execFile)(python, [path.join(import.meta.dirname, "verifySignatures.py")]);
  running.child.stdin?.end(requests.map((told) => `${JSON.stringify(told)}\n`).join(""));
  const { stdout } = await running;
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
