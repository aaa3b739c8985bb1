import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { identify, isAlive, processIdentitySchema } from "./processIdentity.ts";

const runStateSchema = z.object({
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  /** Temporal UI; null where Temporal is not ours. */
  uiUrl: z.string().nullable(),
  apiUrl: z.string(),
});

/** Addresses of a running system, for commands that work beside it. */
export type RunState = z.infer<typeof runStateSchema>;

const storedSchema = runStateSchema.extend({ starter: processIdentitySchema });
const stateFile = (home: string) => path.join(home, "run", "state.json");

/** Written whole or not at all, and readable by its owner only: the database URL holds a password. */
export function writeRunState(home: string, state: RunState): void {
  const file = stateFile(home);
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify({ ...state, starter: identify(process.pid) }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(unfinished, file);
}

export function removeRunState(home: string): void {
  rmSync(stateFile(home), { force: true });
}

/** The system that runs on this home; undefined when none does, also where a killed one left its file. */
export function readRunState(home: string): RunState | undefined {
  let text: string;
  try {
    text = readFileSync(stateFile(home), "utf8");
  } catch {
    return undefined;
  }
  const { starter, ...state } = storedSchema.parse(JSON.parse(text));
  return isAlive(starter) ? state : undefined;
}
