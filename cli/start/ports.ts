import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { z } from "zod";

const portsSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

/** Whether a server can listen there now. */
export function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export function anyFreePort(host = "127.0.0.1"): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no free port")),
      );
    });
  });
}

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
