import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { anyFreePort, isFree } from "../../adapters/ports.ts";

const portsSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

/**
 * The port for a part of the installation: the configured one, else what this home used last, else any free one.
 * What is chosen is remembered in `<home>/run/ports.json`. A preferred port of 0 means any.
 */
export async function choosePort(home: string, name: string, preferred: number): Promise<number> {
  const file = path.join(home, "run", "ports.json");
  const remembered = readPorts(file);
  const candidates = [preferred, remembered[name] ?? 0].filter((port) => port > 0);
  let chosen: number | undefined;
  for (const port of candidates) {
    if (await isFree(port)) {
      chosen = port;
      break;
    }
  }
  chosen ??= await anyFreePort();
  if (remembered[name] !== chosen) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ...remembered, [name]: chosen }, null, 2)}\n`);
  }
  return chosen;
}

function readPorts(file: string): Record<string, number> {
  try {
    return portsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
