import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** What the demo leaves for later starts: its account, never its key. */
const stateSchema = z.object({ accountId: z.string(), finished: z.boolean() });
type DemoState = z.infer<typeof stateSchema>;

const stateFile = (home: string) => path.join(home, "demo.json");

function readState(home: string): DemoState | null {
  return existsSync(stateFile(home)) ? stateSchema.parse(JSON.parse(readFileSync(stateFile(home), "utf8"))) : null;
}

function writeState(home: string, state: DemoState): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(stateFile(home), `${JSON.stringify(state)}\n`);
}

export function isDemoFinished(home: string): boolean {
  return readState(home)?.finished ?? false;
}

/** The demo account of an earlier start that was stopped half-way, so that it is used again. */
export function readDemoAccount(home: string): string | null {
  return readState(home)?.accountId ?? null;
}

export function writeDemoAccount(home: string, accountId: string): void {
  writeState(home, { accountId, finished: false });
}

export function markDemoFinished(home: string): void {
  const state = readState(home);
  if (state !== null) writeState(home, { ...state, finished: true });
}
